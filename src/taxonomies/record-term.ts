import type { Db } from '../db/schema.ts'
import { keepVersion } from '../versions/keep-version.ts'
import type { Saving, Subject } from '../versions/version.ts'
import { findHead } from '../versions/version-store.ts'
import type { Term } from './taxonomy-store.ts'
import { findCreatedAt } from './term-lookup-store.ts'

/** All that a version says of a term. Its position among its neighbors belongs to the list. */
export type TermSnapshot = Pick<Term, 'name' | 'slug' | 'description' | 'parentId' | 'kind'>

/** The term with this ID as what versions are of. */
export function termSubject(id: number): Subject {
  return { kind: 'term', id }
}

/** Returns the version of a term as it is. */
export function toTermSnapshot({ name, slug, description, parentId, kind }: TermSnapshot): TermSnapshot {
  return { name, slug, description, parentId, kind }
}

/** Keeps what a changed term says as a version; only what a version says counts. Call it in the transaction of the save. */
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
  // The row has no time of its last change.
  const savedAt = head.newestHash === undefined ? await findCreatedAt(db, id) : saving.now
  await keepVersion(db, subject, { before: { content: former, savedAt }, after: next, head }, saving)
}

/** Keeps what new terms say as their first versions, by ID. Call it in the transaction that adds them. */
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
