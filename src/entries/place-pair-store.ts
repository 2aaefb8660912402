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
