import type { Db } from '../db/schema.ts'
import { isShownAt } from './entry-schedule-store.ts'

const ROWS_AT_ONCE = 10_000

/** Which service is sold in which place, of every location service that the site shows at a moment; a batch at a time. */
export async function* streamPlacePairs(
  db: Db,
  typeId: number,
  shownAt: Date,
): AsyncGenerator<{ serviceId: number; locationId: number }[]> {
  const query = db
    .selectFrom('content_entries')
    .select(['id', 'service_entry_id as serviceId', 'location_term_id as locationId'])
    .where('type_id', '=', typeId)
    .where((row) => isShownAt(row, shownAt))
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
  let rows = await query.execute()
  while (rows.length > 0) {
    yield rows.flatMap(({ serviceId, locationId }) =>
      serviceId === null || locationId === null ? [] : [{ serviceId, locationId }],
    )
    rows = await query.where('id', '>', rows.at(-1)?.id ?? 0).execute()
  }
}

/** Those of one service and those in one place: what the pages of that pair link to. */
export async function listPlacePairsNear(
  db: Db,
  { serviceId, locationId }: { serviceId: number; locationId: number },
  shownAt: Date,
): Promise<{ serviceId: number; locationId: number }[]> {
  const rows = await db
    .selectFrom('content_entries')
    .select(['service_entry_id', 'location_term_id'])
    .where(({ eb, or }) =>
      or([eb('service_entry_id', '=', serviceId), eb('location_term_id', '=', locationId)]),
    )
    .where((row) => isShownAt(row, shownAt))
    .execute()
  return rows.flatMap(({ service_entry_id, location_term_id }) =>
    service_entry_id === null || location_term_id === null
      ? []
      : [{ serviceId: service_entry_id, locationId: location_term_id }],
  )
}
