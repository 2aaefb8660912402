import { Secret, TOTP } from 'otpauth'
import type { Administrator } from '#src/auth/administrator.ts'
import { findAdministrator } from '#src/auth/administrator-store.ts'
import { prepareTwoFactors } from '#src/auth/two-factors.ts'
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
