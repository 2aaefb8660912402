import { type Selectable, sql } from 'kysely'
import { containsBytes, engineOf } from '../db/dialects.ts'
import type { Db, Schema } from '../db/schema.ts'
import { type At, prepareQuery } from '../db/statements/prepared-query.ts'
import { packJson, readJson, type WrittenContent } from './packed-content.ts'
import type { Subject, Version } from './version.ts'

/** A version with its content. */
export interface StoredVersion {
  version: Version
  content: unknown
}

const COLUMNS = ['id', 'state', 'source', 'saved_by', 'saved_at', 'content_sha256'] as const

/** The versions of a subject, newest first; those before the version `before`, when it is given. */
export async function listVersions(
  db: Db,
  subject: Subject,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<Version[]> {
  const query = versionsOf(db, subject).select(COLUMNS).orderBy('id', 'desc').limit(limit)
  const rows = await (before === undefined ? query : query.where('id', '<', before)).execute()
  return rows.map(toVersion)
}

/** The same with their content; only in this state, if given. */
export async function listVersionContents(
  db: Db,
  subject: Subject,
  { limit, before, state }: { limit: number; before?: number | undefined; state?: Version['state'] },
): Promise<StoredVersion[]> {
  const all = versionsOf(db, subject).selectAll().orderBy('id', 'desc').limit(limit)
  const query = state === undefined ? all : all.where('state', '=', state)
  const rows = await (before === undefined ? query : query.where('id', '<', before)).execute()
  return rows.map(toStored)
}

/** Returns the number of a subject's versions. */
export async function countVersions(db: Db, subject: Subject): Promise<number> {
  const query = versionsOf(db, subject).select(({ fn }) => fn.countAll().as('count'))
  return Number((await query.executeTakeFirstOrThrow()).count)
}

/** Returns the newest saved version; with `until` (UTC text), the newest of those saved by then. */
export async function findNewestSaved(
  db: Db,
  subject: Subject,
  { until }: { until?: string | undefined } = {},
): Promise<Version | undefined> {
  const saved = versionsOf(db, subject).select(COLUMNS).where('state', '=', 'saved').orderBy('id', 'desc')
  const query = until === undefined ? saved : saved.where('saved_at', '<=', until)
  const row = await query.limit(1).executeTakeFirst()
  return row && toVersion(row)
}

/** The facts about a subject's versions that a save needs. */
export interface VersionHead {
  /** The hash of the newest one that was saved, drafts left out. */
  newestHash?: string | undefined
  /** UTC text. */
  newestSavedAt?: string | undefined
  draftId?: number | undefined
}

export async function findHead(db: Db, { kind, id }: Subject): Promise<VersionHead> {
  const { rows } = await selectHead(db, { kind, id })
  const [newestHash, newestSavedAt] = rows[0]?.newest?.split(' ') ?? []
  return { newestHash, newestSavedAt, draftId: rows[0]?.draftId ?? undefined }
}

// Each part reads one row of an index, however many versions there are.
const selectHead = prepareQuery((db, at: At<Subject>) => {
  const versions = db
    .selectFrom('content_versions')
    .where('subject_kind', '=', at('kind'))
    .where('subject_id', '=', at('id'))
  const newest = versions.where('state', '=', sql.lit('saved')).orderBy('id', 'desc').limit(1)
  const draft = versions.where('state', '=', sql.lit('draft'))
  return db
    .selectNoFrom([
      newest.select(sql<string>`content_sha256 || ' ' || saved_at`.as('newest')).as('newest'),
      draft.select('id').as('draftId'),
    ])
    .compile()
})

/** Returns who saved the newest version of each of these subjects, drafts left out, by key such as `entry:12`. */
export async function listLastSavers(
  db: Db,
  subjects: readonly Subject[],
): Promise<Map<string, { email: string | undefined; at: string }>> {
  if (subjects.length === 0) return new Map()
  const ids = [...Map.groupBy(subjects, ({ kind }) => kind)]
  const newest = db
    .selectFrom('content_versions')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('state', '=', 'saved')
    .where(({ or, and, eb }) =>
      or(
        ids.map(([kind, some]) =>
          and([
            eb('subject_kind', '=', kind),
            eb(
              'subject_id',
              'in',
              some.map(({ id }) => id),
            ),
          ]),
        ),
      ),
    )
    .groupBy(['subject_kind', 'subject_id'])
  const rows = await db
    .selectFrom('content_versions')
    .select(['subject_kind', 'subject_id', 'saved_by', 'saved_at'])
    .where('id', 'in', newest)
    .where('source', '<>', 'unknown')
    .execute()
  return new Map(
    rows.map(({ subject_kind, subject_id, saved_by, saved_at }) => [
      `${subject_kind}:${subject_id}`,
      { email: saved_by ?? undefined, at: saved_at },
    ]),
  )
}

/** One version of a subject with its content. */
export async function findVersion(db: Db, subject: Subject, id: number): Promise<StoredVersion | undefined> {
  const row = await versionsOf(db, subject).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toStored(row)
}

/** The draft of a subject with its content. */
export async function findDraft(db: Db, subject: Subject): Promise<StoredVersion | undefined> {
  const row = await versionsOf(db, subject).selectAll().where('state', '=', 'draft').executeTakeFirst()
  return row && toStored(row)
}

/** Lists the drafts (never packed) whose JSON contains a text, with the content of the version saved before each. */
export async function listDraftsWith(
  db: Db,
  kind: Subject['kind'],
  text: string,
): Promise<(StoredVersion & { subjectId: number; base: unknown })[]> {
  const isIn = containsBytes(engineOf(db), 'made.content', Buffer.from(text))
  const rows = await db
    .selectFrom('content_versions as made')
    .selectAll('made')
    .select(({ selectFrom }) =>
      selectFrom('content_versions as saved')
        .select('saved.content')
        .whereRef('saved.subject_kind', '=', 'made.subject_kind')
        .whereRef('saved.subject_id', '=', 'made.subject_id')
        .whereRef('saved.id', '<', 'made.id')
        .where('saved.state', '=', 'saved')
        .orderBy('saved.id', 'desc')
        .limit(1)
        .as('base'),
    )
    .where('made.subject_kind', '=', kind)
    .where('made.state', '=', sql.lit('draft'))
    .where(isIn)
    .execute()
  return rows.map(({ base, ...row }) => {
    const stored = { ...toStored(row), subjectId: row.subject_id }
    return { ...stored, base: base ? readJson(base) : undefined }
  })
}

/**
 * Stores a complete version of a subject, independent of other versions. With `isPacked` it takes half the space and
 * more time.
 */
export async function insertVersion(
  db: Db,
  subject: Subject,
  { json, ...version }: Omit<Version, 'id'> & WrittenContent,
  { isPacked }: { isPacked: boolean },
): Promise<void> {
  await insertRow(db, { ...subject, ...version, content: isPacked ? packJson(json) : Buffer.from(json) })
}

type InsertedVersion = Subject & Omit<Version, 'id'> & { content: Uint8Array }

const insertRow = prepareQuery((db, at: At<InsertedVersion>) =>
  db
    .insertInto('content_versions')
    .values({
      subject_kind: at('kind'),
      subject_id: at('id'),
      state: at('state'),
      source: at('source'),
      saved_by: at('savedBy'),
      saved_at: at('savedAt'),
      content_sha256: at('contentSha256'),
      content: at('content'),
    })
    .compile(),
)

/** Makes the draft of a subject a former one; false when there is none. */
export async function retireDraft(db: Db, { kind, id }: Subject): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('content_versions')
    .set({ state: 'former_draft' })
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .where('state', '=', 'draft')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Deletes every version of these subjects of a kind. */
export async function deleteVersions(db: Db, kind: Subject['kind'], ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('content_versions')
    .where('subject_kind', '=', kind)
    .where('subject_id', 'in', ids)
    .execute()
}

function versionsOf(db: Db, { kind, id }: Subject) {
  return db.selectFrom('content_versions').where('subject_kind', '=', kind).where('subject_id', '=', id)
}

function toStored(row: Selectable<Schema['content_versions']>): StoredVersion {
  return { version: toVersion(row), content: readJson(row.content) }
}

function toVersion(row: {
  id: number
  state: Version['state']
  source: Version['source']
  saved_by: string | null
  saved_at: string
  content_sha256: string
}): Version {
  return {
    id: row.id,
    state: row.state,
    source: row.source,
    savedBy: row.saved_by,
    savedAt: row.saved_at,
    contentSha256: row.content_sha256,
  }
}
