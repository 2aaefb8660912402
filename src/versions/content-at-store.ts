import type { Db } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'
import { readJson } from './packed-content.ts'
import type { Subject } from './version.ts'

/** Maximum number of times in a statement. */
const TIMES_PER_STATEMENT = 50

/** Returns the saved content of a subject at a time; without a time, the newest. Undefined if there was none. */
export type FindContentAt = (id: number, time?: string) => unknown

/** Loads the contents that these subjects had at these times (UTC text), and the newest, in one query. */
export async function loadContentsAt(
  db: Db,
  kind: Subject['kind'],
  { ids, times }: { ids: readonly number[]; times: readonly string[] },
): Promise<FindContentAt> {
  if (ids.length === 0) return () => undefined
  const newest = db
    .selectFrom('content_versions')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('subject_kind', '=', kind)
    .where('subject_id', 'in', ids)
    .where('state', '=', 'saved')
    .groupBy('subject_id')
  const found = new Map<number, { subjectId: number; savedAt: string; content: Uint8Array }>()
  for (const chunk of chunksOf(new Set(times), TIMES_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('content_versions')
      .select(['id', 'subject_id as subjectId', 'saved_at as savedAt', 'content'])
      .where(({ or, eb }) =>
        or([
          eb('id', 'in', newest),
          ...chunk.map((time) => eb('id', 'in', newest.where('saved_at', '<=', time))),
        ]),
      )
      .execute()
    for (const { id, ...version } of rows) found.set(id, version)
  }
  const versions = [...found].toSorted(([a], [b]) => a - b).map(([, version]) => version)
  const bySubject = Map.groupBy(versions, ({ subjectId }) => subjectId)
  return (id, time) => {
    const version = bySubject.get(id)?.findLast(({ savedAt }) => time === undefined || savedAt <= time)
    return version && readJson(version.content)
  }
}
