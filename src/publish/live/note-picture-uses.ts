import type { Db } from '../../db/schema.ts'
import { notePictureUses } from '../../pictures/picture-use-store.ts'
import { streamRows } from './content-row-store.ts'

// Faster than reading the values of entries that can't refer to any.
const MAY_NAME = /"picture"|\.[a-z0-9]{2,5}"/i

/** Records which pictures a copy's entries use, because its rows were inserted without that. */
export async function noteUsesOfCopy(copy: Db): Promise<void> {
  for await (const rows of streamRows(copy, 'content_entries')) {
    const entries = rows.map(({ id, body, data_json }) => ({
      id: Number(id),
      body: String(body),
      data: MAY_NAME.test(String(data_json)) ? JSON.parse(String(data_json)) : {},
    }))
    await notePictureUses(copy, entries, { isNew: false })
  }
}
