import { storeFormWithLeads } from '#tests/support/stored/leads.ts'
import { added, changed, type Scene, type Write } from './write.ts'

export const DELIVERY_WRITES: Write[] = [
  {
    route: '/admin/deliveries/[id]/cancellation',
    does: 'cancels a pending delivery',
    async arrange(scene) {
      const { pending } = await storeFormWithLeads(scene.app, scene.name)
      const [{ id }] = pending
      return {
        path: `/admin/deliveries/${id}/cancellation`,
        logs: {
          action: 'delivery.cancelled',
          subject: `delivery ${id}`,
          summary: `Canceled delivery ${id}`,
        },
        changes: changed('webhook_deliveries', id),
      }
    },
  },
  {
    route: '/admin/deliveries/[id]/replay',
    does: 'sends a failed delivery again',
    async arrange(scene) {
      const { failed } = await storeFormWithLeads(scene.app, scene.name)
      const [{ id }] = failed
      const newId = await nextDeliveryId(scene)
      return {
        ...{ path: `/admin/deliveries/${id}/replay`, fields: { mode: 'same_bytes' } },
        logs: {
          ...{ action: 'delivery.replayed', subject: `delivery ${id}` },
          summary: `Resent delivery ${id} as ${newId}`,
        },
        changes: [...added('webhook_deliveries'), ...added('delivery_bodies')],
      }
    },
  },
]

// The newest delivery is one that this write has just stored.
async function nextDeliveryId({ app }: Scene): Promise<number> {
  const { id } = await app.db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return id + 1
}
