import { pictureName } from '../../pictures/picture.ts'
import type { SchemaField } from './schema-field.ts'

type Values = Readonly<Record<string, unknown>>

/** A picture named in a field, and the path of its name: `['gallery', 0]`. */
export interface FieldPicture {
  path: PropertyKey[]
  name: string
}

/**
 * Lists the pictures named in fields of type `picture` and `pictures`, including those in lists; ignores everything
 * else.
 */
export function picturesInFields(fields: readonly SchemaField[], values: unknown): FieldPicture[] {
  if (!isRecord(values)) return []
  return fields.flatMap((field) => {
    const found = picturesInField(field, Object.hasOwn(values, field.key) ? values[field.key] : undefined)
    return found.map(({ path, name }) => ({ path: [field.key, ...path], name }))
  })
}

function picturesInField({ type, fields }: SchemaField, value: unknown): FieldPicture[] {
  if (type === 'picture') return typeof value === 'string' && value !== '' ? [{ path: [], name: value }] : []
  if (!Array.isArray(value)) return []
  return value.flatMap((item, index): FieldPicture[] => {
    if (type === 'pictures') return typeof item === 'string' ? [{ path: [index], name: item }] : []
    return picturesInFields(fields ?? [], item).map(({ path, name }) => ({ path: [index, ...path], name }))
  })
}

/** Returns the values with picture names normalized. */
export function withPictureNames(fields: readonly SchemaField[], values: Values): Record<string, unknown> {
  const changed = fields.flatMap((field) =>
    Object.hasOwn(values, field.key) ? [[field.key, namedValue(field, values[field.key])]] : [],
  )
  return { ...values, ...Object.fromEntries(changed) }
}

function namedValue({ type, fields }: SchemaField, value: unknown): unknown {
  if (type === 'picture') return nameIn(value)
  if (!Array.isArray(value)) return value
  if (type === 'pictures') return value.map(nameIn)
  return fields ? value.map((item) => (isRecord(item) ? withPictureNames(fields, item) : item)) : value
}

function nameIn(value: unknown): unknown {
  return typeof value === 'string' ? pictureName(value) : value
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
