import { setImmediate as nextTurn } from 'node:timers/promises'
import { EVERY_LEAD } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { listSubmissionsById } from '../submission-store.ts'
import { searchableWords } from './search-words.ts'
import { nameSubmissions } from './submission-names.ts'

/**
 * Returns the index words of each of these submissions, including its notes, in order of ID. Deleted ones are
 * missing.
 */
export async function describeSubmissions(
  db: Db,
  ids: readonly number[],
  notes: ReadonlyMap<number, readonly string[]> = new Map(),
): Promise<{ id: number; words: string }[]> {
  const submissions = await listSubmissionsById(db, ids, EVERY_LEAD)
  const names = await nameSubmissions(db, submissions)
  const described: { id: number; words: string }[] = []
  for (const submission of submissions.sort((a, b) => a.id - b.id)) {
    const { service, places = [], placeIds = [] } = names.get(submission) ?? {}
    const called = service ? [service.name, ...places] : places
    const surroundings = { names: called, placeIds, notes: notes.get(submission.id) ?? [] }
    described.push({ id: submission.id, words: searchableWords(submission, surroundings) })
    // The longest answers take 16 ms, so each submission gets its own turn of the event loop.
    await nextTurn()
  }
  return described
}
