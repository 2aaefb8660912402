import type { Db } from '../db/schema.ts'
import { writeContent } from './packed-content.ts'
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
 * Keeps what was saved as a version. The state before becomes one too unless it is the newest: it came
 * from a content file, or changed along with something else. Call it in the transaction of the save.
 */
export async function keepVersion(
  db: Db,
  subject: Subject,
  { before, after, head }: Sides,
  saving: Saving,
): Promise<void> {
  const newestHash = await keepFormer(db, subject, { before, head }, saving)
  const written = writeContent(after)
  if (written.contentSha256 === newestHash) return
  await insertVersion(db, subject, { ...savedBy(saving), state: 'saved', ...written }, packing(saving))
}

/** Stores a draft beside the live content, replacing the previous draft. */
export async function keepDraft(
  db: Db,
  subject: Subject,
  { before, after, head }: Sides,
  saving: Saving,
): Promise<void> {
  await keepFormer(db, subject, { before, head }, saving)
  await retireDraft(db, subject)
  const draft = { ...savedBy(saving), state: 'draft' as const, ...writeContent(after) }
  await insertVersion(db, subject, draft, packing(saving))
}

// Returns the hash of what is stored.
async function keepFormer(
  db: Db,
  subject: Subject,
  { before, head }: Pick<Sides, 'before' | 'head'>,
  saving: Saving,
): Promise<string | undefined> {
  const { newestHash, newestSavedAt } = head ?? (await findHead(db, subject))
  // Nothing else changed it since that save.
  if (!before || before.savedAt === newestSavedAt) return newestHash
  const written = writeContent(before.content)
  if (written.contentSha256 === newestHash) return newestHash
  // Every save in the admin is a version, so content without one came from a file. Settings were saved without versions.
  const source = newestHash === undefined && subject.kind !== 'settings' ? 'file' : 'unknown'
  const former = { source, savedBy: null, savedAt: before.savedAt, ...written } as const
  await insertVersion(db, subject, { ...former, state: 'saved' }, packing(saving))
  return written.contentSha256
}

// Content files change thousands at a time, and people one.
function packing({ by }: Saving): { isPacked: boolean } {
  return { isPacked: by?.source === 'file' }
}

function savedBy({ now, by }: Saving) {
  return { source: by?.source ?? ('admin' as const), savedBy: by?.email ?? null, savedAt: now }
}
