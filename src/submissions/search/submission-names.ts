import type { Db } from '../../db/schema.ts'
import type { Submission } from '../submission.ts'
import { type Called, listCalled, listPlacesBySlug } from './names-store.ts'

type Origin = Pick<Submission, 'serviceId' | 'locationId' | 'locationName' | 'locationPath'>

/** Current names of a submission's service and places. */
export interface SubmissionNames {
  /** Undefined if it was deleted. */
  service: Called | undefined
  /** The current place; undefined if it was deleted. */
  place: Called | undefined
  /** The place, then its ancestors. Deleted ones are missing. */
  places: string[]
  /** Their IDs, as far as known. */
  placeIds: number[]
}

/** Names the service and places of submissions, with one lookup for all of them. */
export async function nameSubmissions<T extends Origin>(
  db: Db,
  submissions: readonly T[],
): Promise<Map<T, SubmissionNames>> {
  const { lines, services } = await listCalled(db, {
    places: idsOf(submissions.map(({ locationId }) => locationId)),
    services: idsOf(submissions.map(({ serviceId }) => serviceId)),
  })
  const gone = submissions.filter(({ locationId }) => !lines.has(locationId ?? 0))
  const above = await listPlacesBySlug(db, [...new Set(gone.flatMap(slugsAbove))])
  return new Map(
    submissions.map((submission) => {
      const { serviceId, locationId, locationName } = submission
      const line = lines.get(locationId ?? 0) ?? []
      const known = line.length > 0 ? line : slugsAbove(submission).flatMap((slug) => above.get(slug) ?? [])
      const former = line.length === 0 && locationName !== null ? [locationName] : []
      return [
        submission,
        {
          service: services.get(serviceId ?? 0),
          place: line[0],
          places: [...former, ...known.map(({ name }) => name)],
          placeIds: idsOf([locationId, ...known.map(({ id }) => id)]),
        },
      ]
    }),
  )
}

// The places above a deleted one are known only by slug.
function slugsAbove({ locationPath }: Pick<Origin, 'locationPath'>): string[] {
  return locationPath?.split('/').slice(0, -1).reverse() ?? []
}

function idsOf(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null && id > 0))] as number[]
}
