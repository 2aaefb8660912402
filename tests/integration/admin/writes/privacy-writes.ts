import { PASSWORD } from '#tests/support/stored/accounts.ts'
import { rowsOfDelivery, rowsOfLead, storeFormWithLeads } from '#tests/support/stored/leads.ts'
import { added, changed, type Scene, type Write } from './write.ts'

export const PRIVACY_WRITES: Write[] = [
  {
    route: '/admin/privacy',
    does: 'finds a person, so that the address has no names in it',
    unlogged: 'It shows what is stored: nothing changes.',
    arrange: async () => ({ path: '/admin/privacy', fields: { email: 'ada@example.com' }, changes: [] }),
  },
  {
    route: '/admin/privacy/export',
    does: 'exports a person',
    async arrange(scene) {
      const { email } = await storeVisitor(scene)
      return {
        ...{ path: '/admin/privacy/export', fields: { email } },
        logs: {
          action: 'privacy.exported',
          subject: null,
          summary: 'Exported a person’s data: 1 lead, 1 file',
        },
        changes: [],
      }
    },
  },
  {
    route: '/admin/privacy/erasure',
    does: 'erases a person',
    async arrange(scene) {
      const { email, lead, pending } = await storeVisitor(scene)
      const { id } = await scene.app.db
        .selectFrom('privacy_erasures')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirstOrThrow()
      const gone = [...rowsOfLead(lead), ...pending.flatMap(rowsOfDelivery)].map((row) => `${row} removed`)
      return {
        path: '/admin/privacy/erasure',
        fields: { email, confirmed: 'yes', confirmation: email, password: PASSWORD },
        logs: {
          ...{ action: 'privacy.erased', subject: `privacy_erasure ${Number(id ?? 0) + 1}` },
          summary: 'Erased a person’s data: 1 lead, 1 file, 0 other items',
        },
        // A confirmed password renews the session.
        changes: [
          ...gone,
          ...added('privacy_erasures'),
          ...changed('admin_sessions', scene.actor.sessionIds[0]),
        ],
      }
    },
  },
]

async function storeVisitor({ app, name }: Scene) {
  const { leads, pending } = await storeFormWithLeads(app, name)
  const [lead] = leads
  const email = `${name}@visitor.example`
  await app.db
    .updateTable('form_submissions')
    .set({ email: null, data_json: JSON.stringify({ email, photo: uploadOf(lead.uploadId) }) })
    .where('id', '=', lead.id)
    .execute()
  return { email, lead, pending }
}

function uploadOf(upload_id: number) {
  return { name: 'roof.jpg', size: 7, type: 'image/jpeg', upload_id }
}
