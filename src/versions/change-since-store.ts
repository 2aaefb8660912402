import type { Db } from '../db/schema.ts'
import { readJson } from './packed-content.ts'
import type { Subject } from './version.ts'

/** Returns the newest saved content of each of these subjects, and the one from before a time (UTC text), by ID. */
export async function listContentsSince(
  db: Db,
  kind: Subject['kind'],
  { ids, since }: { ids: readonly number[]; since: string },
): Promise<Map<number, { now: unknown; before: unknown }>> {
  const newest = db
    .selectFrom('content_versions')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('subject_kind', '=', kind)
    .where('subject_id', 'in', ids)
    .where('state', '=', 'saved')
    .groupBy('subject_id')
  const rows = await db
    .selectFrom('content_versions')
    .select(['subject_id', 'saved_at', 'content'])
    .where(({ or, eb }) =>
      or([eb('id', 'in', newest), eb('id', 'in', newest.where('saved_at', '<=', since))]),
    )
    .orderBy('id')
    .execute()
  const contents = new Map<number, { now: unknown; before: unknown }>()
  for (const { subject_id, saved_at, content } of rows) {
    const now = readJson(content)
    const before = saved_at <= since ? now : contents.get(subject_id)?.before
    contents.set(subject_id, { now, before })
  }
  return contents
}
