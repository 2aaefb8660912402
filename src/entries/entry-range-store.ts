import type { Db } from '../db/schema.ts'
import { isShownAt } from './entry-schedule-store.ts'

/** The slugs after `after` up to and including `through`, in database order; null means no bound. */
export interface SlugRange {
  after: string | null
  through: string | null
}

/** Divides the entries of a type that the site shows at a time into ranges of about this size. */
export async function listSlugRanges(
  db: Db,
  typeId: number,
  { shownAt, size }: { shownAt: Date; size: number },
): Promise<SlugRange[]> {
  const query = db
    .selectFrom('content_entries')
    .select('slug')
    .where('type_id', '=', typeId)
    .where((row) => isShownAt(row, shownAt))
    .orderBy('slug')
    .offset(size - 1)
    .limit(1)
  const ranges: SlugRange[] = []
  let after: string | null = null
  for (;;) {
    const last: { slug: string } | undefined = await (after === null
      ? query
      : query.where('slug', '>', after)
    ).executeTakeFirst()
    ranges.push({ after, through: last?.slug ?? null })
    if (!last) return ranges
    after = last.slug
  }
}
