import { Secret, TOTP } from 'otpauth'
import type { Administrator } from '#src/auth/administrator.ts'
import { findAdministrator } from '#src/auth/administrator-store.ts'
import { insertPasskey } from '#src/auth/passkeys/passkey-store.ts'
import { prepareTwoFactors } from '#src/auth/two-factors.ts'
import { reportMailTexts } from '#src/messages/admin/measuring/reports.ts'
import { PASSWORD, storeAccount } from '#tests/support/stored/accounts.ts'
import { added, changed, removed, type Write } from './write.ts'

const NEW_CODES = 10

export const ACCOUNT_WRITES: Write[] = [
  {
    route: '/admin/account',
    does: 'changes the own name',
    arrange: async ({ actor: { id } }) => ({
      ...{ path: '/admin/account', fields: { name: 'Ada' } },
      logs: { action: 'user.renamed', subject: `user ${id}`, summary: 'Changed their name' },
      changes: changed('admin_users', id),
    }),
  },
  {
    route: '/admin/account/password',
    does: 'changes the own password and ends the other sessions',
    arrange: async ({ actor: { id, sessionIds } }) => ({
      path: '/admin/account/password',
      fields: { current: PASSWORD, password: 'a ladder in the fog' },
      logs: { action: 'user.password_changed', subject: `user ${id}`, summary: 'Changed their password' },
      changes: [
        ...changed('admin_users', id),
        ...changed('admin_sessions', sessionIds[0]),
        ...removed('admin_sessions', sessionIds[1]),
      ],
    }),
  },
  ...['confirmation', 'options'].map((name) => ({
    route: `/admin/account/passkeys/${name}`,
    does: 'makes no challenge at an IP address, where browsers have no passkeys',
    unlogged: 'A challenge changes nothing.',
    arrange: async () => ({ path: `/admin/account/passkeys/${name}`, status: 404, changes: [] }),
  })),
  {
    route: '/admin/account/passkeys/new',
    does: 'leads back at an IP address; tests/e2e/admin/passkeys.test.ts adds one',
    unlogged: 'Nothing is done.',
    arrange: async () => ({ path: '/admin/account/passkeys/new', fields: { name: 'Key' }, changes: [] }),
  },
  {
    route: '/admin/account/passkeys/[id]/removal',
    does: 'removes a passkey of its own and ends the other sessions',
    async arrange({ app, actor: { id, sessionIds } }) {
      const passkeyId = await insertPasskey(app.db, {
        ...{ userId: id, credentialId: `key-${id}`, publicKey: 'AA', signCount: 0, transports: [] },
        ...{ host: 'localhost', name: 'Key', createdAt: new Date().toISOString() },
      })
      return {
        path: `/admin/account/passkeys/${passkeyId}/removal`,
        logs: {
          action: 'user.passkey_removed',
          subject: `user ${id}`,
          summary: 'Removed the passkey Key',
        },
        changes: [...removed('admin_passkeys', passkeyId), ...removed('admin_sessions', sessionIds[1])],
      }
    },
  },
  {
    route: '/admin/account/report',
    does: 'chooses the monthly report',
    arrange: async ({ actor: { id } }) => ({
      ...{ path: '/admin/account/report', fields: { report: 'off' } },
      logs: { action: 'user.report_chosen', subject: `user ${id}`, summary: reportMailTexts.chosen(false) },
      changes: changed('admin_users', id),
    }),
  },
  {
    route: '/admin/account/recovery-codes',
    does: 'replaces the own recovery codes and ends the other sessions',
    arrange: async ({ actor: { id, sessionIds } }) => ({
      path: '/admin/account/recovery-codes',
      logs: {
        ...{ action: 'user.recovery_codes_renewed', subject: `user ${id}` },
        summary: 'Created new recovery codes',
      },
      changes: [
        ...removed('admin_recovery_codes', id, id),
        ...added('admin_recovery_codes', NEW_CODES),
        ...removed('admin_sessions', sessionIds[1]),
      ],
    }),
  },
  {
    route: '/admin/account/sessions/[id]/end',
    does: 'ends one of the own sessions',
    arrange: async ({ actor: { sessionIds } }) => ({
      path: `/admin/account/sessions/${sessionIds[1]}/end`,
      logs: { action: 'session.ended', subject: `session ${sessionIds[1]}`, summary: 'Signed out a browser' },
      changes: removed('admin_sessions', sessionIds[1]),
    }),
  },
  {
    route: '/admin/account/sessions/removal',
    does: 'ends the other own sessions',
    arrange: async ({ actor: { id, sessionIds } }) => ({
      path: '/admin/account/sessions/removal',
      logs: { action: 'session.ended', subject: `user ${id}`, summary: 'Signed out all other browsers' },
      changes: removed('admin_sessions', sessionIds[1]),
    }),
  },
  {
    route: '/admin/account/two-factors',
    does: 'switches the own two-step sign-in on and ends the other sessions',
    async arrange({ app, name }) {
      const { id, email, cookie, sessionIds } = await storeAccount(app, `${name}-one-step`, {
        hasTwoFactors: false,
      })
      const user = (await findAdministrator(app.db, id)) as Administrator
      const { secret } = await prepareTwoFactors(app, user)
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
      return {
        ...{ path: '/admin/account/two-factors', cookie, by: { id, email }, fields: { code } },
        logs: {
          action: 'user.two_factors_on',
          subject: `user ${id}`,
          summary: 'Turned on two-step sign-in',
        },
        changes: [
          ...changed('admin_users', id),
          ...added('admin_recovery_codes', NEW_CODES),
          ...changed('admin_sessions', sessionIds[0]),
          ...removed('admin_sessions', sessionIds[1]),
        ],
      }
    },
  },
  {
    route: '/admin/account/two-factors/removal',
    does: 'switches the own two-step sign-in off and ends the other sessions',
    arrange: async ({ actor: { id, sessionIds } }) => ({
      path: '/admin/account/two-factors/removal',
      logs: {
        action: 'user.two_factors_off',
        subject: `user ${id}`,
        summary: 'Turned off two-step sign-in',
      },
      changes: [
        ...changed('admin_users', id),
        ...removed('admin_recovery_codes', id, id),
        ...removed('admin_sessions', sessionIds[1]),
      ],
    }),
  },
]
