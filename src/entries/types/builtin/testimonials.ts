import type { Db } from '#src/db/schema.ts'
import { reviewTexts } from '#src/messages/admin/entry-problems.ts'
import { type Entry, listWrittenEntries, updateEntry } from '../../entry-store.ts'
import { recordAround } from '../../history/record-entry.ts'
import { service } from '../../meanings/meanings.ts'
import { findContentType } from '../content-type-store.ts'
import { LOCATION_SERVICES, TESTIMONIALS } from './slugs.ts'
import type { TypeRules } from './type-rules.ts'

/** Testimonials have no pages of their own; they appear on the pages of the places in their terms. */
export const testimonials: TypeRules = {
  slug: TESTIMONIALS,
  noun: 'testimonial',
  meanings: { author: reviewTexts.author, place: reviewTexts.place, service },
  hasTerms: true,
  namedAfter: 'author',
  listedFields: ['author', 'place'],
  namedBy: listNaming,
  beforeRemoval: async (db, testimonial, clock) => {
    for (const entry of await listNaming(db, testimonial)) {
      const { local_testimonials: _, ...data } = entry.data
      const rest = idsOf(entry).filter((id) => id !== testimonial.id)
      const list = rest.length > 0 ? { local_testimonials: rest.join(',') } : {}
      const changed = { ...entry, data: { ...data, ...list } }
      await recordAround(db, entry, () => updateEntry(db, entry.id, changed, clock), clock)
    }
  },
}

async function listNaming(db: Db, { id }: Entry): Promise<Entry[]> {
  const type = await findContentType(db, LOCATION_SERVICES)
  const written = type ? await listWrittenEntries(db, type.id) : []
  return written.filter((one) => idsOf(one).includes(id))
}

function idsOf({ data: { local_testimonials: list } }: Entry): number[] {
  return typeof list === 'string' ? list.split(',').map(Number) : []
}
