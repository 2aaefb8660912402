import { hasPicture, listPictureNames } from '../entry-lookup-store.ts'
import type { FieldMeaning } from './meaning.ts'

/** A file of `pictures/`, by its name. */
export const picture: FieldMeaning = {
  named: (name) => ({ to: 'picture', name: name.normalize('NFC') }),
  resolve: async (db, name) =>
    (await hasPicture(db, String(name)))
      ? { value: name }
      : { error: `There is no picture "${name}". Choose one of the folder pictures/.` },
  choices: async (db) => [...(await listPictureNames(db))].map((name) => ({ value: name, label: name })),
  control: 'menu',
  nothing: 'No picture',
  help: 'A file of pictures/ in the content folder.',
}
