import { findFieldType } from '../../forms/field-types/field-types.ts'
import type { Locale } from '../../lib/locale/locale.ts'
import { toChoices } from '../../templates/choice-labels.ts'
import type { Answers } from '../../templates/meta.ts'

interface SampledField {
  name: string
  type: string
  options: readonly string[]
}

/** Sample answers to every field of a form, each of the type that a real answer has (contract §5). */
export function sampleAnswers(fields: readonly SampledField[], site: Pick<Locale, 'country'>): Answers {
  const choices = toChoices(fields)
  return Object.fromEntries(
    fields.map(({ name, type }) => {
      const [option] = choices.get(name)?.keys() ?? []
      return [name, findFieldType(type)?.sample(option, site) ?? 'Sample']
    }),
  )
}
