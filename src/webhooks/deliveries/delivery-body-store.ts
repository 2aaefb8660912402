import { inGroups, prepareQuery } from '../../db/prepared-query.ts'
import type { Db } from '../../db/schema.ts'

/** What a delivery sends with every attempt. */
export interface DeliveryBody {
  deliveryId: number
  body: string
}

/** Keeps bodies that were rendered just now, before their first attempts. */
export async function insertBodies(db: Db, bodies: readonly DeliveryBody[]): Promise<void> {
  // In their order in the file: most pages are written once then.
  for (const group of inGroups(bodies.toSorted((one, other) => one.deliveryId - other.deliveryId))) {
    const parameters = group.flatMap(({ deliveryId, body }) => [deliveryId, body])
    await insertRows(db, parameters, group.length)
  }
}

const insertRows = prepareQuery((db, rows) =>
  db
    .insertInto('delivery_bodies')
    .values(Array.from({ length: rows }, () => ({ delivery_id: 0, body: '' })))
    .compile(),
)

/** Forgets bodies of which nothing was sent. */
export async function deleteBodies(db: Db, deliveryIds: readonly number[]): Promise<void> {
  if (deliveryIds.length > 0)
    await db.deleteFrom('delivery_bodies').where('delivery_id', 'in', deliveryIds).execute()
}
