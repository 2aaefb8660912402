import { withoutSectionFields } from '../../entries/sections/fields-of-type.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import type { ContentTypeDefinition } from '../../entries/types/content-type-definition.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { countPlaceholders } from '../../entries/types/route-pattern.ts'
import type { LocatedYaml } from './located-yaml.ts'
import type { Mistake } from './mistake.ts'
import { rawValue } from './parsed-file.ts'

interface TypeFile {
  path: string
  yaml: LocatedYaml
}

/** Lists mistakes in the file of a built-in type. Without this check, all its entries would be reported instead. */
export function checkBuiltinType(
  type: ContentType,
  definition: ContentTypeDefinition,
  { path, yaml }: TypeFile,
): Mistake[] {
  return [
    ...keepsRoute(type, definition, { path, yaml }),
    ...keepsFieldTypes(type, definition, { path, yaml }),
  ]
}

/** Returns the definition, with the type's existing fields if its file leaves out the schema. */
export function withFieldsOf(
  type: ContentType,
  definition: ContentTypeDefinition,
  yaml: LocatedYaml,
): ContentTypeDefinition {
  if (rawValue(yaml.value, 'schema') !== undefined) return definition
  return { ...definition, schema: { fields: withoutSectionFields(type.fields) } }
}

function keepsRoute(
  type: ContentType,
  { route_pattern: pattern }: ContentTypeDefinition,
  { path, yaml }: TypeFile,
): Mistake[] {
  const { route } = rulesOf(type.slug)
  if (route === undefined) return []
  if (rawValue(yaml.value, 'is_routable') === undefined) {
    const params = { type: type.name, route }
    return [{ path, line: 1, fault: { code: 'type_not_routable', params } }]
  }
  const [count, expected] = [countPlaceholders(pattern ?? route), countPlaceholders(route)]
  if (count === expected) return []
  const params = { type: type.name, count, expected }
  return [{ path, line: yaml.lineOf(['route_pattern']), fault: { code: 'route_parts', params } }]
}

// The program's own templates read these fields.
function keepsFieldTypes(
  type: ContentType,
  { schema }: ContentTypeDefinition,
  { path, yaml }: TypeFile,
): Mistake[] {
  const types = new Map(type.fields.map(({ key, type, fields }) => [key, fields ? 'list of parts' : type]))
  return schema.fields.flatMap(({ key, type: kind, fields }, index): Mistake[] => {
    const expected = types.get(key)
    const given = fields ? 'list of parts' : kind
    if (expected === undefined || expected === given) return []
    const line = yaml.lineOf(['schema', 'fields', index, 'type'])
    const params = { key, given, expected, type: type.name }
    return [{ path, line, fault: { code: 'field_type_changed', params } }]
  })
}
