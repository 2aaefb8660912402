import type { App } from '#src/app.ts'
import { makeReset } from '#src/auth/password-links/password-resets.ts'
import { PASSWORD, storeAccount, storeInvited } from '#tests/support/stored/accounts.ts'
import { added, changed, removed, type Write } from './write.ts'

// Where a visitor comes in; /admin/setup has its own test, on a site without accounts.
export const ENTRANCE_WRITES: Write[] = [
  {
    route: '/admin/login',
    does: 'signs in',
    async arrange({ app, name }) {
      const { id, email } = await storeAccount(app, `${name}-simple`, { hasTwoFactors: false })
      return {
        ...{ path: '/admin/login', cookie: '', by: { id, email }, fields: { email, password: PASSWORD } },
        logs: { action: 'user.signed_in', subject: `user ${id}`, summary: 'Signed in' },
        changes: [...changed('admin_users', id), ...added('admin_sessions')],
      }
    },
  },
  {
    route: '/admin/login',
    does: 'asks for the second step',
    unlogged: 'Nobody is signed in yet.',
    arrange: async ({ actor: { email } }) => ({
      ...{ path: '/admin/login', cookie: '', fields: { email, password: PASSWORD }, changes: [] },
    }),
  },
  {
    route: '/admin/login',
    does: 'refuses a wrong password',
    unlogged: 'Refusals are security events in the log of the program, which cannot fill the database.',
    arrange: async ({ actor: { email } }) => ({
      ...{ path: '/admin/login', cookie: '', fields: { email, password: 'wrong' }, status: 422 },
      changes: added('sign_in_failures'),
    }),
  },
  {
    route: '/admin/login/code',
    does: 'signs in with a recovery code, which is used up',
    async arrange({ app, actor: { id, email, recoveryCodes } }) {
      return {
        ...{ path: '/admin/login/code', cookie: await askForCode(app, email), by: { id, email } },
        fields: { code: recoveryCodes[0] as string },
        logs: { action: 'user.signed_in', subject: `user ${id}`, summary: 'Signed in' },
        changes: [
          ...changed('admin_users', id),
          ...added('admin_sessions'),
          ...removed('admin_recovery_codes', id),
        ],
      }
    },
  },
  {
    route: '/admin/login/passkey',
    does: 'refuses what no passkey signed',
    unlogged: 'Refusals are security events in the log of the program, which cannot fill the database.',
    arrange: async () => ({
      ...{ path: '/admin/login/passkey', cookie: '', fields: { passkey: '{}' }, status: 422, changes: [] },
    }),
  },
  {
    route: '/admin/login/passkey/options',
    does: 'makes no challenge at an IP address, where browsers have no passkeys',
    unlogged: 'A challenge changes nothing.',
    arrange: async () => ({ path: '/admin/login/passkey/options', cookie: '', status: 404, changes: [] }),
  },
  {
    route: '/admin/login/ended',
    does: 'shows again what was posted without a session',
    unlogged: 'Nothing is done with it.',
    arrange: async () => ({
      ...{ path: '/admin/login/ended?to=/admin/account', fields: { name: 'Ada' }, cookie: '', status: 401 },
      changes: [],
    }),
  },
  {
    route: '/admin/invitation/[token]',
    does: 'accepts an invitation',
    async arrange({ app, name }) {
      const { id, email, token } = await storeInvited(app, `${name}-invited`)
      return {
        ...{ path: `/admin/invitation/${token}`, cookie: '', by: { id, email } },
        fields: { password: 'a ladder in the fog' },
        logs: {
          action: 'user.invitation_accepted',
          subject: `user ${id}`,
          summary: 'Accepted the invitation',
        },
        changes: [
          ...changed('admin_users', id),
          ...removed('admin_invitations', id),
          ...added('admin_sessions'),
        ],
      }
    },
  },
  {
    route: '/admin/login/reset',
    does: 'asks for a link to a new password; without a mail server it leads to the sign-in',
    unlogged: 'Anyone can ask: the new password is logged.',
    arrange: async ({ actor: { email } }) => ({
      ...{ path: '/admin/login/reset', cookie: '', fields: { email }, changes: [] },
    }),
  },
  {
    route: '/admin/password-reset/[token]',
    does: 'sets a new password and ends every session',
    async arrange({ app, name }) {
      const { id, email, sessionIds } = await storeAccount(app, `${name}-forgetful`)
      const token = await makeReset(app.db, email, { now: new Date() })
      return {
        ...{ path: `/admin/password-reset/${token}`, cookie: '', by: { id, email } },
        fields: { password: 'a ladder in the fog' },
        logs: {
          ...{ action: 'user.password_reset', subject: `user ${id}` },
          summary: 'Set a new password with a reset link',
        },
        changes: [
          ...changed('admin_users', id),
          ...removed('admin_sessions', ...sessionIds),
          ...removed('admin_password_resets', id),
        ],
      }
    },
  },
  {
    route: '/admin/logout',
    does: 'signs out of this browser alone',
    arrange: async ({ actor: { sessionIds } }) => ({
      path: '/admin/logout',
      logs: { action: 'session.ended', subject: `session ${sessionIds[0]}`, summary: 'Signed out' },
      changes: removed('admin_sessions', sessionIds[0]),
    }),
  },
  {
    route: '/admin/password-check',
    does: 'confirms the password for this session',
    unlogged: 'What the password was asked for has an entry of its own.',
    arrange: async ({ actor: { sessionIds } }) => ({
      ...{ path: '/admin/password-check?next=/admin/users', fields: { password: PASSWORD } },
      changes: changed('admin_sessions', sessionIds[0]),
    }),
  },
  {
    route: '/admin/theme',
    does: 'chooses light or dark',
    unlogged: 'It sets a cookie of this browser.',
    arrange: async () => ({ path: '/admin/theme', fields: { theme: 'dark', next: '/admin' }, changes: [] }),
  },
]

async function askForCode({ config }: App, email: string): Promise<string> {
  const { siteUrl } = config
  const body = new URLSearchParams({ email, password: PASSWORD })
  const headers = { origin: siteUrl }
  const asked = await fetch(`${siteUrl}/admin/login`, { method: 'POST', headers, body, redirect: 'manual' })
  return asked.headers
    .getSetCookie()
    .map((cookie) => cookie.replace(/;.*/, ''))
    .join('; ')
}
