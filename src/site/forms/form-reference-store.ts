import type { Db } from '../../db/schema.ts'

/** Texts and fields of the entries that have one of these texts somewhere; entries without anything of their own do not. */
export async function listEntryTextsWith(db: Db, texts: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('content_entries')
    .select(['body', 'data_json'])
    // The types lead to the index of entries by kind, which leaves out the generated ones.
    .where('type_id', 'in', (eb) => eb.selectFrom('content_types').select('id'))
    .where('is_generated', '=', 0)
    .where((eb) =>
      eb.or(texts.flatMap((text) => [eb('body', 'like', `%${text}%`), eb('data_json', 'like', `%${text}%`)])),
    )
    .execute()
  return rows.flatMap((row) => [row.body, row.data_json])
}

/** Whether a content file stands for what is at that path. */
export async function hasContentFile(db: Db, path: string): Promise<boolean> {
  const row = await db.selectFrom('content_files').select('path').where('path', '=', path).executeTakeFirst()
  return row !== undefined
}
