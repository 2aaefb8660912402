import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { termAndBelow } from '../../entries/entry-list-store.ts'
import { isShownAt } from '../../entries/entry-schedule-store.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import type { PageQuality, QualityFacts } from './page-quality.ts'

/** A page's quality as of a publish. Its address may have changed since. */
export type RecordedQuality = Omit<PageQuality, 'path'>

type Row = Selectable<Schema['page_quality']>

const factsColumn: z.ZodType<QualityFacts> = z.object({
  ownWords: z.int(),
  copied: z.number(),
  twinPath: z.string().nullable(),
  pageWords: z.int(),
  placeWords: z.int(),
  hasAddress: z.boolean(),
  hasPhone: z.boolean(),
  hasMap: z.boolean(),
  testimonial: z.enum(['service', 'other']).nullable(),
  placesBelow: z.int(),
})

/** Replaces the stored quality of these location pages. */
export async function savePageQuality(db: Db, pages: readonly RecordedQuality[]): Promise<void> {
  const rows = pages.map(toRow)
  for (const chunk of chunksOf(rows)) {
    await db
      .insertInto('page_quality')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column('entry_id').doUpdateSet((row) => ({
          score: row.ref('excluded.score'),
          is_listed: row.ref('excluded.is_listed'),
          facts_json: row.ref('excluded.facts_json'),
        })),
      )
      .execute()
  }
}

/** Deletes the quality of entries that the site doesn't show at this time: themselves, or their service. */
export async function deleteQualityOfHidden(db: Db, shownAt: Date): Promise<void> {
  await db
    .deleteFrom('page_quality')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('content_entries')
            .select('id')
            .whereRef('content_entries.id', '=', 'page_quality.entry_id')
            .where((entry) => isShownAt(entry as never, shownAt))
            .where((entry) =>
              entry.or([
                entry('service_entry_id', 'is', null),
                entry.exists(
                  entry
                    .selectFrom('content_entries as service')
                    .select('service.id')
                    .whereRef('service.id', '=', 'content_entries.service_entry_id')
                    .where((service) => isShownAt(service as never, shownAt)),
                ),
              ]),
            ),
        ),
      ),
    )
    .execute()
}

/** A page kept out of search engines. */
export interface UnlistedPage extends RecordedQuality {
  slug: string
  serviceTitle: string
  placeName: string
}

/** Position after the last page of a list. */
export type QualityCursor = Pick<RecordedQuality, 'score' | 'entryId'>

interface UnlistedQuestion {
  /** Entry id of a service. */
  serviceId?: number | undefined
  /** A place, including the places below it. */
  placeId?: number | undefined
  after?: QualityCursor | undefined
  limit: number
}

/** Lists pages kept out of search engines, best first. */
export async function listUnlistedPages(
  db: Db,
  { serviceId, placeId, after, limit }: UnlistedQuestion,
): Promise<UnlistedPage[]> {
  const rows = await db
    .selectFrom('page_quality')
    .innerJoin('content_entries as page', 'page.id', 'page_quality.entry_id')
    .innerJoin('content_entries as service', 'service.id', 'page.service_entry_id')
    .innerJoin('taxonomy_terms as place', 'place.id', 'page.location_term_id')
    .selectAll('page_quality')
    .select(['page.slug', 'service.title as serviceTitle', 'place.name as placeName'])
    .where('is_listed', '=', 0)
    .$if(serviceId !== undefined, (query) => query.where('page.service_entry_id', '=', serviceId ?? 0))
    .$if(placeId !== undefined, (query) =>
      query.where('page.location_term_id', 'in', termAndBelow(placeId ?? 0)),
    )
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('score', 'entry_id'), '<', tuple(after?.score ?? 0, after?.entryId ?? 0)),
      ),
    )
    .orderBy('score', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ slug, serviceTitle, placeName, ...row }) => ({
    ...toPageQuality(row),
    slug,
    serviceTitle,
    placeName,
  }))
}

function toRow({ entryId, score, isListed, facts }: RecordedQuality): Row {
  return { entry_id: entryId, score, is_listed: isListed ? 1 : 0, facts_json: JSON.stringify(facts) }
}

function toPageQuality(row: Row): RecordedQuality {
  return {
    entryId: row.entry_id,
    score: row.score,
    isListed: row.is_listed === 1,
    facts: factsColumn.parse(JSON.parse(row.facts_json)),
  }
}

/** Returns the score of each of these location services, by entry ID. */
export async function listScores(db: Db, entryIds: readonly number[]): Promise<Map<number, number>> {
  if (entryIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('page_quality')
    .select(['entry_id', 'score'])
    .where('entry_id', 'in', entryIds)
    .execute()
  return new Map(rows.map(({ entry_id, score }) => [entry_id, score]))
}
