import { findEntryById } from '../entry-lookup-store.ts'
import { SERVICES } from '../types/builtin/slugs.ts'
import { findContentType } from '../types/content-type-store.ts'
import { entriesOf, type FieldMeaning } from './meaning.ts'

/** The service of a location service, by its ID. */
export const serviceId: FieldMeaning = {
  inFiles: 'path',
  resolve: async (db, id) => {
    const type = await findContentType(db, SERVICES)
    const entry = Number.isSafeInteger(id) ? await findEntryById(db, Number(id)) : undefined
    const isService = type !== undefined && entry?.typeId === type.id
    return isService ? { value: id } : { error: 'Choose one of the services.' }
  },
  choices: async (db, types) =>
    (await entriesOf(db, SERVICES, types)).map(({ id, title }) => ({ value: String(id), label: title })),
  control: 'apart',
}
