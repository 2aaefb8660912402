import type { Db } from '../../db/schema.ts'
import { sha256Hex } from '../../lib/canonical-json.ts'
import {
  type AuditEntry,
  type ChainedEntry,
  findLastHash,
  insertChainedEntry,
  listChained,
  lockAuditLog,
  updateRedacted,
} from './audit-store.ts'

const BATCH = 1_000

/**
 * An entry with the fields its hash covers. The user's ID is left out, because deleting the account sets it
 * to null.
 */
interface HashedEntry extends Omit<AuditEntry, 'userId'> {
  happenedAt: string
}

/**
 * Appends an entry to the audit log and returns its hash, which covers the previous entry's hash. Appends run
 * one after another, also across servers. Inside a caller's transaction, the entry is part of it.
 */
export function appendAuditEntry(db: Db, entry: AuditEntry, { now }: { now: Date }): Promise<string> {
  const append = async (trx: Db) => {
    await lockAuditLog(trx)
    const happenedAt = now.toISOString()
    const chainHash = hashEntry({ ...entry, happenedAt }, (await findLastHash(trx)) ?? '')
    await insertChainedEntry(trx, { ...entry, happenedAt, chainHash })
    return chainHash
  }
  return db.isTransaction ? append(db) : db.transaction().execute(append)
}

/**
 * Removes a person from an entry's texts and appends an entry that records the redaction, in a transaction.
 * The redacted entry keeps its hash, so later entries still verify; `verifyAuditChain` accepts that only if
 * the record of the redaction follows.
 */
export async function redactAuditEntry(
  db: Db,
  { id, texts, entry }: { id: number; texts: { summary?: string; subject_id?: string }; entry: AuditEntry },
  { now }: { now: Date },
): Promise<void> {
  await appendAuditEntry(db, { ...entry, subjectType: REDACTED, subjectId: id }, { now })
  await updateRedacted(db, id, texts)
}

/** The subject of an entry that records a redaction. */
const REDACTED = 'audit_entry'

/** SHA-256 of the previous entry's hash and this entry's text, in hex. */
function hashEntry(entry: HashedEntry, previous: string): string {
  const { happenedAt, userEmail, action, subjectType, subjectId, summary, address } = entry
  const subject = subjectId === undefined ? null : String(subjectId)
  const text = JSON.stringify([happenedAt, userEmail, action, subjectType ?? null, subject, summary, address])
  return sha256Hex(`${previous}\n${text}`)
}

/** `intact` with the newest entry's hash, or `broken` with the first entry that doesn't match the ones before. */
export type ChainState =
  | { kind: 'intact'; entries: number; head: string }
  | { kind: 'broken'; id: number; happenedAt: string }
  | { kind: 'head_missing' }

/**
 * Verifies the whole audit log. Pass a `head` that was noted earlier to check that it is still there:
 * otherwise a log that was truncated or completely rewritten looks intact.
 */
export async function verifyAuditChain(
  db: Db,
  { head }: { head?: string | undefined } = {},
): Promise<ChainState> {
  const check = createChainCheck(head)
  for (let after: number | undefined; ; ) {
    const chained = await listChained(db, { after, limit: BATCH })
    for (const entry of chained) if (!check.follows(entry)) return brokenAt(entry)
    after = chained.at(-1)?.id ?? after
    if (chained.length < BATCH) return check.end()
  }
}

function createChainCheck(head: string | undefined) {
  let previous = ''
  let entries = 0
  let isHeadFound = head === undefined
  // Holds until the record of the redaction follows.
  const redacted = new Map<string, ChainedEntry>()
  return {
    /** Returns true if the next entry matches the ones before. */
    follows(chained: ChainedEntry): boolean {
      const { id, chainHash, isRedacted, ...entry } = chained
      // Its hash covers the removed text.
      previous = isRedacted && chainHash ? chainHash : hashEntry(entry, previous)
      if (isRedacted) redacted.set(String(id), chained)
      else if (entry.subjectType === REDACTED) redacted.delete(String(entry.subjectId))
      isHeadFound ||= previous === head
      entries += 1
      return chainHash === previous
    },
    end(): ChainState {
      const [unsaid] = redacted.values()
      if (unsaid) return brokenAt(unsaid)
      return isHeadFound ? { kind: 'intact', entries, head: previous } : { kind: 'head_missing' }
    },
  }
}

function brokenAt({ id, happenedAt }: ChainedEntry): ChainState {
  return { kind: 'broken', id, happenedAt }
}
