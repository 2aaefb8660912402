import { SERVICES } from '../types/builtin/slugs.ts'
import { entriesOf, type FieldMeaning, findEntryOf } from './meaning.ts'

/** A service, by its slug. */
export const service: FieldMeaning = {
  named: (slug) => ({ to: 'entry', type: SERVICES, slug }),
  resolve: async (db, slug) =>
    (await findEntryOf(db, SERVICES, String(slug)))
      ? { value: slug }
      : { error: `There is no service "${slug}".` },
  choices: async (db, types) =>
    (await entriesOf(db, SERVICES, types)).map(({ slug, title }) => ({ value: slug, label: title })),
  control: 'menu',
  nothing: 'None',
}
