import { z } from 'zod'
import type { Json } from '../lib/canonical-json.ts'
import type { Answers } from './delivery-meta.ts'
import { jsonColumn } from './json-column.ts'

const optionsColumn = jsonColumn(z.array(z.string()))

const SAMPLES: Readonly<Record<string, Json>> = {
  email: 'sample@example.com',
  phone: '+1 512 555 0100',
  url: 'https://www.example.com',
  number: 42,
  date: '2026-01-31',
  file: { name: 'sample.pdf', size: 1024, type: 'application/pdf', upload_id: 0 },
}

interface SampledField {
  name: string
  type: string
  options_json: string | null
}

/** Made-up answers to every field of a form, each of the type that real ones have (contract §5). */
export function sampleAnswers(fields: readonly SampledField[]): Answers {
  return Object.fromEntries(fields.map((field) => [field.name, sampleAnswer(field)]))
}

function sampleAnswer({ type, options_json: options }: SampledField): Json {
  const first = firstOptionOf(options)
  if (type === 'checkbox') return first === undefined ? true : [first]
  return SAMPLES[type] ?? first ?? 'Sample'
}

// An option is "label/value", split at the last slash, or both in one (contract §3).
function firstOptionOf(options: string | null): string | undefined {
  const [first] = (options === null ? undefined : optionsColumn.safeDecode(options).data) ?? []
  return first?.slice(first.lastIndexOf('/') + 1).trim()
}
