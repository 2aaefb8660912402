import type { Db } from '../../db/schema.ts'
import { insertAll } from '../../db/statements/insert-rows.ts'

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
  await insertAll(db, 'delivery_bodies', rows)
}

/** Deletes bodies that were never sent. */
export async function deleteBodies(db: Db, deliveryIds: readonly number[]): Promise<void> {
  if (deliveryIds.length > 0)
    await db.deleteFrom('delivery_bodies').where('delivery_id', 'in', deliveryIds).execute()
}
