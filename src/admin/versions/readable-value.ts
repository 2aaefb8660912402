import { stringify } from 'yaml'

/** Returns a stored value as people read it: texts as they are, a list of texts by line, and the rest as YAML. */
export function readableValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value.join('\n')
    : stringify(value).trimEnd()
}
