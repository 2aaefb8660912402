import type { Json } from '../../lib/canonical-json.ts'
import type { Locale } from '../../lib/locale/locale.ts'
import { phoneExample } from '../../lib/locale/phone-number.ts'
import { type Choices, toChoices } from './choice-labels.ts'
import type { Answers } from './delivery-meta.ts'

const SAMPLES: Readonly<Record<string, Json>> = {
  email: 'sample@example.com',
  url: 'https://www.example.com',
  number: 42,
  date: '2026-01-31',
  file: { name: 'sample.pdf', size: 1024, type: 'application/pdf', upload_id: 0 },
}

interface SampledField {
  name: string
  type: string
  options: readonly string[]
}

/** Made-up answers to every field of a form, each of the type that real ones have (contract §5). */
export function sampleAnswers(fields: readonly SampledField[], site: Pick<Locale, 'country'>): Answers {
  const known = { choices: toChoices(fields), ...site }
  return Object.fromEntries(fields.map((field) => [field.name, sampleAnswer(field, known)]))
}

function sampleAnswer(
  { name, type }: SampledField,
  { choices, country }: Pick<Locale, 'country'> & { choices: Choices },
): Json {
  const [first] = choices.get(name)?.keys() ?? []
  if (type === 'checkbox') return first === undefined ? true : [first]
  if (type === 'phone') return phoneExample(country)
  return SAMPLES[type] ?? first ?? 'Sample'
}
