import type { Insertable, Selectable } from 'kysely'
import { type At, prepareQuery } from '../db/prepared-query.ts'
import type { Db, Schema } from '../db/schema.ts'
import { packContent, unpackContent } from './packed-content.ts'
import type { Subject, Version } from './version.ts'

/** A version with what it says. */
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

/** The same with what they say. */
export async function listVersionContents(
  db: Db,
  subject: Subject,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<StoredVersion[]> {
  const query = versionsOf(db, subject).selectAll().orderBy('id', 'desc').limit(limit)
  const rows = await (before === undefined ? query : query.where('id', '<', before)).execute()
  return rows.map(toStored)
}

/** The facts about a subject's versions that a save needs. */
export interface VersionHead {
  /** The hash of the newest one that was saved, drafts left out. */
  newestHash?: string | undefined
  draftId?: number | undefined
}

export async function findHead(db: Db, { kind, id }: Subject): Promise<VersionHead> {
  const { rows } = await selectHead(db, { kind, id })
  const newest = rows.find(({ state }) => state === 'saved')
  const draft = rows.find(({ state }) => state === 'draft')
  return { newestHash: newest?.content_sha256, draftId: draft?.id }
}

const selectHead = prepareQuery((db, at: At<Subject>) =>
  db
    .selectFrom('content_versions')
    .select(['id', 'state', 'content_sha256'])
    .where('subject_kind', '=', at('kind'))
    .where('subject_id', '=', at('id'))
    .where(({ or, eb }) =>
      or([
        eb('state', '=', 'draft'),
        eb('id', '=', (row) =>
          row
            .selectFrom('content_versions as saved')
            .select(({ fn }) => fn.max('saved.id').as('id'))
            .where('saved.subject_kind', '=', at('kind'))
            .where('saved.subject_id', '=', at('id'))
            .where('saved.state', '=', 'saved'),
        ),
      ]),
    )
    .compile(),
)

/** One version of a subject with what it says. */
export async function findVersion(db: Db, subject: Subject, id: number): Promise<StoredVersion | undefined> {
  const row = await versionsOf(db, subject).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toStored(row)
}

/** The draft of a subject with what it says. */
export async function findDraft(db: Db, subject: Subject): Promise<StoredVersion | undefined> {
  const row = await versionsOf(db, subject).selectAll().where('state', '=', 'draft').executeTakeFirst()
  return row && toStored(row)
}

export async function insertVersion(
  db: Db,
  { kind, id }: Subject,
  { content, ...version }: Omit<Version, 'id'> & { content: unknown },
): Promise<number> {
  const row = {
    subject_kind: kind,
    subject_id: id,
    state: version.state,
    source: version.source,
    saved_by: version.savedBy,
    saved_at: version.savedAt,
    content_sha256: version.contentSha256,
    content: packContent(content),
  }
  const { rows } = await insertRow(db, { rows: [row] })
  return rows[0]?.id ?? 0
}

const insertRow = prepareQuery((db, at: At<{ rows: Insertable<Schema['content_versions']>[] }>) =>
  db.insertInto('content_versions').values(at('rows')).returning('id').compile(),
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
  return { version: toVersion(row), content: unpackContent(row.content) }
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
