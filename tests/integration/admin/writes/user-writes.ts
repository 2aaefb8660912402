import { updateDisabled } from '#src/auth/administrator-store.ts'
import { REQUIREMENT_KEY, updateTwoStepRequired } from '#src/auth/two-factor-settings-store.ts'
import { storeAccount, storeInvited } from '#tests/support/stored/accounts.ts'
import { added, changed, removed, type Scene, type Write } from './write.ts'

const storeColleague = ({ app, name }: Scene) => storeAccount(app, `${name}-colleague`)

export const USER_WRITES: Write[] = [
  {
    route: '/admin/users/new',
    does: 'invites a user',
    arrange: async ({ name }) => ({
      ...{
        path: '/admin/users/new',
        fields: { email: `${name}-new@example.com`, name: 'Bob', role: 'viewer' },
      },
      logs: {
        action: 'user.invited',
        subject: 'user new',
        summary: `Invited ${name}-new@example.com as Viewer`,
      },
      changes: [...added('admin_users'), ...added('admin_invitations')],
    }),
  },
  {
    route: '/admin/users/[id]/access',
    does: 'gives a user another role, and ends their sessions',
    async arrange(scene) {
      const { id, email, sessionIds } = await storeColleague(scene)
      return {
        ...{ path: `/admin/users/${id}/access`, fields: { role: 'office' } },
        logs: {
          ...{ action: 'user.access_changed', subject: `user ${id}` },
          summary: `Changed access for ${email} to Office`,
        },
        changes: [...changed('admin_users', id), ...removed('admin_sessions', ...sessionIds)],
      }
    },
  },
  {
    route: '/admin/users/[id]/invitation',
    does: 'renews an invitation',
    async arrange({ app, name }) {
      const { id, email } = await storeInvited(app, `${name}-invited`)
      return {
        path: `/admin/users/${id}/invitation`,
        logs: {
          ...{ action: 'user.invitation_renewed', subject: `user ${id}` },
          summary: `Renewed the invitation for ${email}`,
        },
        changes: changed('admin_invitations', id),
      }
    },
  },
  {
    route: '/admin/users/[id]/removal',
    does: 'removes a user, whose part of the audit log stays',
    async arrange(scene) {
      const { id, email, sessionIds, entryId } = await storeColleague(scene)
      return {
        path: `/admin/users/${id}/removal`,
        logs: { action: 'user.removed', subject: `user ${id}`, summary: `Removed the user ${email}` },
        changes: [
          ...removed('admin_users', id),
          ...removed('admin_sessions', ...sessionIds),
          ...removed('admin_recovery_codes', id, id),
          ...changed('audit_log', entryId),
        ],
      }
    },
  },
  {
    route: '/admin/users/[id]/suspension',
    does: 'switches a user off',
    async arrange(scene) {
      const { id, email, sessionIds } = await storeColleague(scene)
      return {
        path: `/admin/users/${id}/suspension`,
        logs: {
          action: 'user.switched_off',
          subject: `user ${id}`,
          summary: `Disabled the user ${email}`,
        },
        changes: [...changed('admin_users', id), ...removed('admin_sessions', ...sessionIds)],
      }
    },
  },
  {
    route: '/admin/users/[id]/suspension',
    does: 'switches a user on again',
    async arrange(scene) {
      const { id, email } = await storeColleague(scene)
      await updateDisabled(scene.app.db, id, '2026-11-20T10:00:00.000Z')
      return {
        path: `/admin/users/${id}/suspension`,
        logs: { action: 'user.switched_on', subject: `user ${id}`, summary: `Enabled the user ${email}` },
        changes: changed('admin_users', id),
      }
    },
  },
  {
    route: '/admin/users/[id]/sessions/removal',
    does: 'signs a user out everywhere',
    async arrange(scene) {
      const { id, email, sessionIds } = await storeColleague(scene)
      return {
        path: `/admin/users/${id}/sessions/removal`,
        logs: { action: 'user.signed_out', subject: `user ${id}`, summary: `Signed ${email} out everywhere` },
        changes: removed('admin_sessions', ...sessionIds),
      }
    },
  },
  {
    route: '/admin/users/[id]/two-factors/removal',
    does: 'resets the two-step sign-in of a user',
    async arrange(scene) {
      const { id, email, sessionIds } = await storeColleague(scene)
      return {
        path: `/admin/users/${id}/two-factors/removal`,
        logs: {
          ...{ action: 'user.two_factors_reset', subject: `user ${id}` },
          summary: `Reset two-step sign-in for ${email}`,
        },
        changes: [
          ...changed('admin_users', id),
          ...removed('admin_recovery_codes', id, id),
          ...removed('admin_sessions', ...sessionIds),
        ],
      }
    },
  },
  {
    route: '/admin/users/sessions/removal',
    does: 'signs everyone out but this browser',
    async arrange({ app, actor }) {
      const sessions = await app.db.selectFrom('admin_sessions').select('id').execute()
      const others = sessions.map(({ id }) => id).filter((id) => id !== actor.sessionIds[0])
      return {
        path: '/admin/users/sessions/removal',
        logs: { action: 'users.signed_out', subject: null, summary: 'Signed everyone out' },
        changes: removed('admin_sessions', ...others),
      }
    },
  },
  {
    route: '/admin/users/two-factors',
    does: 'requires two-step sign-in of everyone',
    arrange: async ({ app }) => ({
      ...{ path: '/admin/users/two-factors', fields: { require: 'yes' } },
      logs: {
        ...{ action: 'users.two_factors_required', subject: null },
        summary: 'Required two-step sign-in for everyone',
      },
      changes: added('settings'),
      undo: () => updateTwoStepRequired(app.db, false),
    }),
  },
  {
    route: '/admin/users/two-factors',
    does: 'makes two-step sign-in optional',
    async arrange({ app }) {
      await updateTwoStepRequired(app.db, true)
      return {
        ...{ path: '/admin/users/two-factors', fields: { require: 'no' } },
        logs: {
          ...{ action: 'users.two_factors_optional', subject: null },
          summary: 'Made two-step sign-in optional',
        },
        changes: removed('settings', REQUIREMENT_KEY),
        undo: () => updateTwoStepRequired(app.db, false),
      }
    },
  },
]
