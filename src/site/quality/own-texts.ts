import type { Db } from '../../db/schema.ts'
import { type Entry, streamEntries } from '../../entries/entry-store.ts'
import { withoutServiceText } from '../../entries/offers/service-text.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { textOf } from '../pages/text-of.ts'
import { findOverlaps } from './overlap-index.ts'
import { sketchOf } from './sketch.ts'

/** A location service's text, compared with the others. */
export interface OwnText {
  words: number
  /** Share of it that another place's text contains too, from 0 to 1. */
  copied: number
  /** Slug of the location service that shares the most of it. */
  twin: string | undefined
}

/**
 * Compares the local texts of all location services shown at a time, by entry ID, leaving out empty ones. The
 * service's text, which all its places share, isn't included.
 */
export async function loadOwnTexts(
  db: Db,
  type: ContentType | undefined,
  shownAt: Date,
): Promise<Map<number, OwnText>> {
  if (!type?.isRoutable) return new Map()
  const texts: (ReturnType<typeof sketchOf> & Pick<Entry, 'id' | 'slug'>)[] = []
  for await (const batch of streamEntries(db, type.id, { shownAt, isGenerated: false })) {
    for (const entry of batch) {
      const sketch = sketchOf(ownTextOf(entry))
      if (sketch.words > 0) texts.push({ id: entry.id, slug: entry.slug, ...sketch })
    }
  }
  const overlaps = findOverlaps(texts.map(({ hashes }) => hashes))
  return new Map(
    overlaps.map(({ share, twin }, number) => {
      const { id, words } = texts[number] as (typeof texts)[number]
      return [id, { words, copied: share, twin: twin === undefined ? undefined : texts[twin]?.slug }]
    }),
  )
}

/** Returns the text that belongs to the location service alone. */
export function ownTextOf({ data, body, isGenerated }: Pick<Entry, 'data' | 'body' | 'isGenerated'>): string {
  return isGenerated ? '' : `${textOf(data.intro) ?? ''}\n${withoutServiceText(body)}`.trim()
}
