import type { ContentTypeDefinition } from '../../entries/types/content-type-definition.ts'
import { listPlaceholders } from '../../entries/types/route-pattern.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { EntryDocument } from '../document.ts'

/** Whether an entry that was read by one definition of its type is right by the stored one too. */
export function fitsType(
  { fields }: EntryDocument,
  { stored, read }: { stored: ContentTypeDefinition; read: ContentTypeDefinition },
): boolean {
  const [known, given] = [stored, read].map(
    ({ schema }) => new Map(schema.fields.map((field) => [field.key, canonicalJson(field)])),
  )
  const hasSameFields = Object.keys(fields).every(
    (key) => known?.get(key) === (given?.get(key) ?? known?.get(key)),
  )
  const hasKnownFields = Object.keys(fields).every((key) => known?.has(key))
  const hasRequired = stored.schema.fields.every(
    ({ key, required }) => !required || Object.hasOwn(fields, key),
  )
  return hasKnownFields && hasSameFields && hasRequired && countParts(stored) === countParts(read)
}

function countParts({ route_pattern: pattern }: ContentTypeDefinition): number {
  return pattern === null ? 1 : listPlaceholders(pattern).length
}
