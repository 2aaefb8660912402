import type { Db } from '../../db/schema.ts'
import type { EntrySnapshot } from '../../entries/history/entry-snapshot.ts'
import { offeredIn } from '../../entries/offers/offer-service.ts'
import { readPattern } from '../../entries/offers/offered-in.ts'
import { pendingTexts } from '../../messages/admin/history/pending.ts'
import type { PendingChange } from '../../publish/pending/pending-changes.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import { listTermsById } from '../../taxonomies/term-lookup-store.ts'

const MOST_NAMED = 8

/** Names the services that are offered in a new place. */
export function describeServices(names: readonly string[]): string {
  return names.length === 0
    ? pendingTexts.noneOffered
    : pendingTexts.offered(pendingTexts.names(names, MOST_NAMED))
}

/** Returns an entry's content without patterns that exclude new places: the live site never offered it there. */
export function withoutExclusions(content: unknown, newPlaces: ReadonlySet<string>): unknown {
  const { data } = content as Partial<Pick<EntrySnapshot, 'data'>>
  if (data?.offered_in === undefined) return content
  const patterns = offeredIn({ data }).filter((pattern) => {
    const read = readPattern(pattern)
    return !(read?.isExcept && newPlaces.has(read.slug))
  })
  return { ...(content as EntrySnapshot), data: { ...data, offered_in: patterns } }
}

/** Lists the slugs of new places. */
export async function listNewPlaces(db: Db, changes: readonly PendingChange[]): Promise<ReadonlySet<string>> {
  const ids = changes.filter(isNewPlace).map(({ subjectId }) => Number(subjectId))
  return new Set([...(await listTermsById(db, ids)).values()].map(({ slug }) => slug))
}

function isNewPlace({ subject, change, ofSlug }: PendingChange): boolean {
  return subject === 'term' && change === 'added' && ofSlug === LOCATIONS
}
