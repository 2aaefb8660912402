import { type At, inGroups, prepareQuery } from '../../db/prepared-query.ts'
import type { Db } from '../../db/schema.ts'

/** The body that a delivery sends with every attempt. */
export interface DeliveryBody {
  deliveryId: number
  body: string
}

/** Keeps bodies that were rendered just now, before their first attempts. */
export async function insertBodies(db: Db, bodies: readonly DeliveryBody[]): Promise<void> {
  // In file order, so that most pages are written only once.
  const sorted = bodies.toSorted((one, other) => one.deliveryId - other.deliveryId)
  const rows = sorted.map(({ deliveryId, body }) => ({ delivery_id: deliveryId, body }))
  for (const group of inGroups(rows)) await insertRows(db, { rows: group })
}

const insertRows = prepareQuery((db, at: At<{ rows: { delivery_id: number; body: string }[] }>) =>
  db.insertInto('delivery_bodies').values(at('rows')).compile(),
)

/** Deletes bodies that were never sent. */
export async function deleteBodies(db: Db, deliveryIds: readonly number[]): Promise<void> {
  if (deliveryIds.length > 0)
    await db.deleteFrom('delivery_bodies').where('delivery_id', 'in', deliveryIds).execute()
}
