import type { Db } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import { notePictureUses } from '../../pictures/picture-use-store.ts'
import { type LogPosition, listLoggedAfter } from '../changes/change-store.ts'
import { listRows } from './content-row-store.ts'

// Faster than reading the values of entries that can't refer to any.
const MAY_NAME = /"picture"|\.[a-z0-9]{2,5}"/i

/**
 * Records which pictures the entries use that were added to a copy since a position in its log, because their rows were
 * inserted without that.
 */
export async function noteUsesSince(copy: Db, since: LogPosition): Promise<void> {
  const added = await listLoggedAfter(copy, since, { limit: Number.MAX_SAFE_INTEGER })
  const ids = added.flatMap(({ subject, subjectId }) => (subject === 'entry' ? [Number(subjectId)] : []))
  for (const some of chunksOf(ids)) {
    const entries = (await listRows(copy, 'content_entries', 'id', some)).map(({ id, body, data_json }) => ({
      id: Number(id),
      body: String(body),
      data: MAY_NAME.test(String(data_json)) ? JSON.parse(String(data_json)) : {},
    }))
    await notePictureUses(copy, entries, { isNew: false })
  }
}
