import type { Db } from '../db/schema.ts'
import { keepVersion } from '../versions/keep-version.ts'
import type { Saving, Subject } from '../versions/version.ts'
import { findHead } from '../versions/version-store.ts'
import type { Term } from './taxonomy-store.ts'
import { findCreatedAt } from './term-lookup-store.ts'

/** The content of a term version. Its position among its siblings belongs to the list. */
export type TermSnapshot = Pick<Term, 'name' | 'slug' | 'description' | 'parentId' | 'kind'>

/** The term with this ID as the subject of versions. */
export function termSubject(id: number): Subject & { kind: 'term' } {
  return { kind: 'term', id }
}

/** Returns a term's current content as a version. */
export function toTermSnapshot({ name, slug, description, parentId, kind }: TermSnapshot): TermSnapshot {
  return { name, slug, description, parentId, kind }
}

/** Records a changed term as a version; only changes to version content count. Call it in the save's transaction. */
export async function recordTerm(
  db: Db,
  id: number,
  { before, after }: { before: TermSnapshot; after: TermSnapshot },
  saving: Saving,
): Promise<void> {
  const [former, next] = [toTermSnapshot(before), toTermSnapshot(after)]
  if (Object.entries(next).every(([key, value]) => Reflect.get(former, key) === value)) return
  const subject = termSubject(id)
  const head = await findHead(db, subject)
  // The row doesn't store the time of its last change.
  const savedAt = head.newestHash === undefined ? await findCreatedAt(db, id) : saving.now
  await keepVersion(db, subject, { before: { content: former, savedAt }, after: next, head }, saving)
}

/** Records new terms as their first versions, by ID. Call it in the transaction that adds them. */
export async function recordNewTerms(
  db: Db,
  terms: ReadonlyMap<number, TermSnapshot>,
  saving: Saving,
): Promise<void> {
  for (const [id, term] of terms) {
    const sides = { before: undefined, after: toTermSnapshot(term), head: {} }
    await keepVersion(db, termSubject(id), sides, saving)
  }
}
