import { type Selectable, sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db, Schema } from '../../db/schema.ts'

/** A user's action, for the log. */
export interface AuditEntry {
  /** Null if no user did it. */
  userId: number | null
  userEmail: string
  /** Subject and verb, such as `form.archived`. */
  action: string
  /** Object of the action, such as `form` and `7`. */
  subjectType?: string
  subjectId?: string | number
  /** One plain sentence without secrets, such as `Archived the form Quote`. */
  summary: string
  address: string
}

/** Blocks other appends until this transaction ends. SQLite allows only one writer at a time anyway. */
export async function lockAuditLog(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await sql`select pg_advisory_xact_lock(hashtext('signpost audit log'))`.execute(db)
}

/** The hash of the newest entry. */
export async function findLastHash(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select('chain_hash')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.chain_hash ?? undefined
}

export async function insertChainedEntry(
  db: Db,
  entry: AuditEntry & { happenedAt: string; chainHash: string },
): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      happened_at: entry.happenedAt,
      user_id: entry.userId,
      user_email: entry.userEmail,
      action: entry.action,
      subject_type: entry.subjectType ?? null,
      subject_id: entry.subjectId === undefined ? null : String(entry.subjectId),
      summary: entry.summary,
      address: entry.address,
      chain_hash: entry.chainHash,
    })
    .execute()
}

/** Replaces an entry's texts with redacted ones and marks it as redacted: its hash no longer matches. */
export async function updateRedacted(
  db: Db,
  id: number,
  texts: { summary?: string; subject_id?: string },
): Promise<void> {
  await db
    .updateTable('audit_log')
    .set({ ...texts, is_redacted: 1 })
    .where('id', '=', id)
    .execute()
}

/** The oldest entries after that ID, or from the start, each with its hash. */
export async function listChained(
  db: Db,
  { after, limit }: { after: number | undefined; limit: number },
): Promise<ChainedEntry[]> {
  const query = db.selectFrom('audit_log').selectAll().orderBy('id').limit(limit)
  // Forged entries may have IDs below the ones assigned here.
  const rows = await (after === undefined ? query : query.where('id', '>', after)).execute()
  return rows.map((row) => ({
    ...toEntry(row),
    chainHash: row.chain_hash,
    isRedacted: row.is_redacted === 1,
  }))
}

/** An entry in the form the chain hashes. */
export interface ChainedEntry extends WrittenEntry {
  chainHash: string | null
  isRedacted: boolean
}

/** A log entry as stored. */
export interface WrittenEntry extends AuditEntry {
  id: number
  happenedAt: string
}

export interface AuditFilter {
  userId?: number | undefined
  /** Only entries before this ID. */
  before?: number | undefined
  limit: number
}

/** Newest entries first. */
export async function listAuditEntries(
  db: Db,
  { userId, before, limit }: AuditFilter,
): Promise<WrittenEntry[]> {
  let query = db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(limit)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.execute()).map(toEntry)
}

function toEntry(row: Selectable<Schema['audit_log']>): WrittenEntry {
  return {
    id: row.id,
    happenedAt: row.happened_at,
    userId: row.user_id,
    userEmail: row.user_email,
    action: row.action,
    ...(row.subject_type !== null && { subjectType: row.subject_type }),
    ...(row.subject_id !== null && { subjectId: row.subject_id }),
    summary: row.summary,
    address: row.address,
  }
}

/** Returns the user who changed something last, according to the log. */
export interface LastEditor {
  email: string
  /** UTC text. */
  at: string
}

/** Returns who changed each of these subjects last, by key such as `entry:12`; unchanged ones are missing. */
export async function listLastEditors(
  db: Db,
  subjects: readonly { type: string; id: string }[],
): Promise<Map<string, LastEditor>> {
  if (subjects.length === 0) return new Map()
  const ids = [...Map.groupBy(subjects, ({ type }) => type)]
  const newest = db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max('id').as('id'))
    .where(({ or, and, eb }) =>
      or(
        ids.map(([type, some]) =>
          and([
            eb('subject_type', '=', type),
            eb(
              'subject_id',
              'in',
              some.map(({ id }) => id),
            ),
          ]),
        ),
      ),
    )
    .groupBy(['subject_type', 'subject_id'])
  const rows = await db
    .selectFrom('audit_log')
    .select(['subject_type', 'subject_id', 'user_email as email', 'happened_at as at'])
    .where('id', 'in', newest)
    .execute()
  return new Map(
    rows.map(({ subject_type, subject_id, ...editor }) => [`${subject_type}:${subject_id}`, editor]),
  )
}
