import type { Db } from '../../db/schema.ts'
import type { Submission } from '../submission.ts'
import { listNamed, type Named } from './names-store.ts'

type Origin = Pick<Submission, 'serviceSlug' | 'locationName' | 'locationPath'>

/** The current names of a submission's service and places. */
export interface SubmissionNames {
  service: string | undefined
  /** The place, then its ancestors; deleted ones are left out. */
  places: string[]
}

/** Names the service and the places of submissions; both are looked up once for all of them. */
export async function nameSubmissions<T extends Origin>(
  db: Db,
  submissions: readonly T[],
): Promise<Map<T, SubmissionNames>> {
  const slugs = {
    places: [...new Set(submissions.flatMap(placesOf))],
    services: [...new Set(submissions.flatMap(({ serviceSlug }) => serviceSlug ?? []))],
  }
  const named = Map.groupBy(await listNamed(db, slugs), ({ kind }) => kind)
  const [places, services] = [namesBySlug(named.get('place')), namesBySlug(named.get('service'))]
  return new Map(
    submissions.map((submission) => {
      const { serviceSlug, locationName } = submission
      const [place, ...above] = placesOf(submission)
        .map((slug) => places.get(slug))
        .reverse()
      return [
        submission,
        {
          service: serviceSlug === null ? undefined : services.get(serviceSlug),
          places: [place ?? locationName ?? undefined, ...above].filter((name) => name !== undefined),
        },
      ]
    }),
  )
}

function placesOf({ locationPath }: Origin): string[] {
  return locationPath?.split('/') ?? []
}

// A slug of today goes before the same slug of another one's past.
function namesBySlug(named: readonly Named[] = []): Map<string, string> {
  const former = named.flatMap(({ name, slugs }) => slugs.slice(1).map((slug) => [slug, name] as const))
  const current = named.flatMap(({ name, slugs }) => slugs.slice(0, 1).map((slug) => [slug, name] as const))
  return new Map([...former, ...current])
}
