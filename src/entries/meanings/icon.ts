import { SERVICE_ICONS } from '../types/service-icons.ts'
import type { FieldMeaning } from './meaning.ts'

/** A drawing of the program, by its name. */
export const icon: FieldMeaning = {
  named: (name) => ({ to: 'one_of', noun: 'icon', name, names: SERVICE_ICONS }),
  resolve: async (_db, name) =>
    SERVICE_ICONS.includes(String(name))
      ? { value: name }
      : { error: `There is no drawing "${name}". Choose one of: ${SERVICE_ICONS.join(', ')}.` },
  choices: async () => SERVICE_ICONS.map((name) => ({ value: name, label: name })),
  control: 'menu',
}
