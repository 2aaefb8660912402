import { z } from 'zod'

/** The keys that an object schema knows at a path inside `schema`; undefined when there is no object schema. */
export function findSchemaKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] | undefined {
  let current: unknown = withoutWrappers(schema)
  for (const key of path) {
    if (current instanceof z.ZodObject) current = current.shape[String(key)]
    else if (current instanceof z.ZodArray) current = current.element
    else if (current instanceof z.ZodRecord) current = current.valueType
    else return undefined
    current = withoutWrappers(current)
  }
  return current instanceof z.ZodObject ? Object.keys(current.shape) : undefined
}

function withoutWrappers(schema: unknown): unknown {
  let current = schema
  while (true) {
    if (current instanceof z.ZodPipe) current = current.in
    else if (isWrapper(current)) current = current.unwrap()
    else return current
  }
}

function isWrapper(schema: unknown): schema is { unwrap(): unknown } {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodLazy
  )
}
