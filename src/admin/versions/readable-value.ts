import { stringify } from 'yaml'

/** Formats a stored value for people: texts unchanged, a list of texts one per line, and anything else as YAML. */
export function readableValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value.join('\n')
    : stringify(value).trimEnd()
}
