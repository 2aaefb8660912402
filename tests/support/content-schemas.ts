import { Ajv, type ValidateFunction } from 'ajv'
import { parse } from 'yaml'
import { readProject } from './documentation.ts'

/** The YAML files of a content folder, by the names of their schemas. */
export type ContentKind = 'site' | 'taxonomy' | 'form' | 'content-type'

// Formats aren't needed: an email address has a pattern too.
const ajv = new Ajv({ strict: false, validateFormats: false })
const validators = new Map<ContentKind, ValidateFunction>()

/** Returns the faults of a text according to its schema, each with its key. */
export function schemaFaults(kind: ContentKind, text: string): string[] {
  const known = validators.get(kind)
  const validate = known ?? ajv.compile(JSON.parse(readProject(`docs/schemas/${kind}.schema.json`)))
  validators.set(kind, validate)
  validate(parse(text))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
