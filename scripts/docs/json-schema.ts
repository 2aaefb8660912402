/** The parts of JSON Schema (draft 7) that the schemas of content files use. */
export interface JsonSchema {
  $schema?: string
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  propertyNames?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  required?: string[]
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  not?: JsonSchema
  if?: JsonSchema
  then?: JsonSchema
  definitions?: Record<string, JsonSchema>
}

/** Resolves a reference inside the schema; other schemas are returned unchanged. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = schema.$ref?.replace('#/definitions/', '')
  return (name === undefined ? undefined : root.definitions?.[name]) ?? schema
}

/** The branches of a schema that may hold keys or items: itself, or each alternative. */
export function branchesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const resolved = resolve(schema, root)
  return resolved.anyOf ? resolved.anyOf.flatMap((one) => branchesOf(one, root)) : [resolved]
}
