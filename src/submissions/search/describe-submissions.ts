import type { Db } from '../../db/schema.ts'
import { listSubmissionsById } from '../submission-store.ts'
import { searchableWords } from './search-words.ts'
import { nameSubmissions } from './submission-names.ts'

/** The words that each of these submissions can be found by, with its notes; those that are gone are left out. */
export async function describeSubmissions(
  db: Db,
  ids: readonly number[],
  notes: ReadonlyMap<number, readonly string[]> = new Map(),
): Promise<{ id: number; words: string }[]> {
  const submissions = await listSubmissionsById(db, ids)
  const names = await nameSubmissions(db, submissions)
  return submissions.map((submission) => {
    const { service, places = [] } = names.get(submission) ?? {}
    const texts = { names: service ? [service, ...places] : places, notes: notes.get(submission.id) ?? [] }
    return { id: submission.id, words: searchableWords(submission, texts) }
  })
}
