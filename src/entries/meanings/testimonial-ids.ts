import { listEntriesById } from '../entry-lookup-store.ts'
import type { Entry } from '../entry-store.ts'
import { TESTIMONIALS } from '../types/builtin/slugs.ts'
import { findContentType } from '../types/content-type-store.ts'
import { entriesOf, type FieldMeaning } from './meaning.ts'

/** Testimonials by their IDs between commas, in files a list of slugs. */
export const testimonialIds: FieldMeaning = {
  named: (slug) => ({ to: 'entry', type: TESTIMONIALS, slug }),
  isList: true,
  inFiles: 'slugs',
  idsOf: TESTIMONIALS,
  posted: 'ids',
  resolve: async (db, list) => {
    const type = await findContentType(db, TESTIMONIALS)
    const ids = [...new Set(String(list).split(',').map(Number))]
    const known = type
      ? await listEntriesById(db, ids.filter(Number.isSafeInteger))
      : new Map<number, Entry>()
    if (ids.every((id) => known.get(id)?.typeId === type?.id)) return { value: ids.join(',') }
    return { error: 'One of the testimonials is gone. Choose again.' }
  },
  choices: async (db, types) =>
    (await entriesOf(db, TESTIMONIALS, types)).map(({ id, title, data }) => ({
      value: String(id),
      label: [title, data.author, data.place].filter(Boolean).join(', '),
    })),
  control: 'apart',
}
