import type { Db } from '../../db/schema.ts'
import type { Submission } from '../submission.ts'
import { listSubmissionsById } from '../submission-store.ts'
import { listNamed, type Named } from './names-store.ts'
import { searchableWords } from './search-words.ts'

/** The words that each of these submissions can be found by, with its notes; those that are gone are left out. */
export async function describeSubmissions(
  db: Db,
  ids: readonly number[],
  notes: ReadonlyMap<number, readonly string[]> = new Map(),
): Promise<{ id: number; words: string }[]> {
  const submissions = await listSubmissionsById(db, ids)
  const slugs = { places: slugsOf(submissions, placesOf), services: slugsOf(submissions, servicesOf) }
  const named = Map.groupBy(await listNamed(db, slugs), ({ kind }) => kind)
  const places = namesBySlug(named.get('place') ?? [])
  const services = namesBySlug(named.get('service') ?? [])
  return submissions.map((submission) => ({
    id: submission.id,
    words: searchableWords(submission, {
      names: [
        ...placesOf(submission).map((slug) => places.get(slug)),
        ...servicesOf(submission).map((slug) => services.get(slug)),
      ].filter((name) => name !== undefined),
      notes: notes.get(submission.id) ?? [],
    }),
  }))
}

function slugsOf(submissions: readonly Submission[], of: (submission: Submission) => string[]): string[] {
  return [...new Set(submissions.flatMap(of))]
}

function placesOf({ locationPath }: Submission): string[] {
  return locationPath?.split('/') ?? []
}

function servicesOf({ serviceSlug }: Submission): string[] {
  return serviceSlug === null ? [] : [serviceSlug]
}

// A slug of today goes before the same slug of another one's past.
function namesBySlug(named: readonly Named[]): Map<string, string> {
  const former = named.flatMap(({ name, slugs }) => slugs.slice(1).map((slug) => [slug, name] as const))
  const current = named.flatMap(({ name, slugs }) => slugs.slice(0, 1).map((slug) => [slug, name] as const))
  return new Map([...former, ...current])
}
