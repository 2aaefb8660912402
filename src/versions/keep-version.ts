import type { Db } from '../db/schema.ts'
import { hashContent } from './packed-content.ts'
import type { Saving, Subject } from './version.ts'
import { findHead, insertVersion, retireDraft, type VersionHead } from './version-store.ts'

/** The content of a subject before a save, and its time. */
export interface Former {
  content: unknown
  savedAt: string
}

interface Sides {
  before: Former | undefined
  after: unknown
  /** Versions that the transaction knows already. */
  head?: VersionHead | undefined
}

/**
 * Keeps what was saved as a version. What it said before becomes one too unless it is the newest: saved before there
 * were versions, or changed along with something else. To be called in the transaction of the save.
 */
export async function keepVersion(
  db: Db,
  subject: Subject,
  { before, after, head }: Sides,
  saving: Saving,
): Promise<void> {
  const newestHash = await keepFormer(db, subject, { before, head })
  const contentSha256 = hashContent(after)
  if (contentSha256 === newestHash) return
  await insertVersion(db, subject, {
    ...savedBy(saving),
    state: 'saved',
    contentSha256,
    content: after,
  })
}

/** Stores a draft beside the live content, replacing the previous draft. Returns the ID of its version. */
export async function keepDraft(
  db: Db,
  subject: Subject,
  { before, after, head }: Sides,
  saving: Saving,
): Promise<number> {
  await keepFormer(db, subject, { before, head })
  await retireDraft(db, subject)
  const contentSha256 = hashContent(after)
  return insertVersion(db, subject, {
    ...savedBy(saving),
    state: 'draft',
    contentSha256,
    content: after,
  })
}

// Returns the hash of what is stored.
async function keepFormer(
  db: Db,
  subject: Subject,
  { before, head }: Pick<Sides, 'before' | 'head'>,
): Promise<string | undefined> {
  const { newestHash } = head ?? (await findHead(db, subject))
  if (!before) return newestHash
  const contentSha256 = hashContent(before.content)
  if (contentSha256 === newestHash) return newestHash
  await insertVersion(db, subject, {
    ...{ state: 'saved', source: 'unknown', savedBy: null, savedAt: before.savedAt },
    contentSha256,
    content: before.content,
  })
  return contentSha256
}

function savedBy({ now, by }: Saving) {
  return { source: by?.source ?? ('admin' as const), savedBy: by?.email ?? null, savedAt: now }
}
