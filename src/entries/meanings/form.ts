import { findForm, listForms } from '../../forms/form-store.ts'
import type { FieldMeaning } from './meaning.ts'

/** A form, by its slug. */
export const form: FieldMeaning = {
  named: (slug) => ({ to: 'form', slug }),
  resolve: async (db, slug) =>
    (await findForm(db, String(slug))) ? { value: slug } : { error: `There is no form "${slug}".` },
  choices: async (db) => (await listForms(db)).map(({ slug, name }) => ({ value: slug, label: name })),
  control: 'menu',
}
