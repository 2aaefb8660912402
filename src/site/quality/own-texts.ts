import type { Db } from '../../db/schema.ts'
import { type Entry, streamEntries } from '../../entries/entry-store.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { textOf } from '../pages/text-of.ts'
import { findOverlaps } from './overlap-index.ts'
import { sketchOf } from './sketch.ts'

/** The text of a location service, compared with the texts of the others. */
export interface OwnText {
  words: number
  /** From 0 to 1: how much of it another place says too. */
  copied: number
  /** Slug of the location service that says the most of it too. */
  twin: string | undefined
}

/**
 * The own texts of all location services shown at a moment, by entry id, those without any left out. Service text, which
 * all places of a service share, is not part of it.
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
  return isGenerated ? '' : `${textOf(data.intro) ?? ''}\n${body}`.trim()
}
