import type { z } from 'zod'
import { findSchemaKeys } from './schema-keys.ts'

const SHOWN_LENGTH = 60
const ZODS_OWN_MESSAGE = /^(Invalid |Too (small|big)|Unrecognized key)/
// A wrong value is shown, but never one that may hold a secret.
const SECRET_KEYS: readonly PropertyKey[] = ['url', 'headers', 'signing_secret']

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
}

export interface DescribedIssue {
  path: PropertyKey[]
  message: string
}

/** What is wrong and what was expected, for a person who edits the file. One for each unknown key. */
export function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType, root: unknown): DescribedIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const expected = expectedKeys(findSchemaKeys(schema, issue.path))
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: `unknown key ${nameOf([...issue.path, key])}, ${expected}`,
    }))
  }
  return [{ path: issue.path, message: describeValue(issue, valueAt(root, issue.path)) }]
}

/** A value as it stands in a message: cut when it is long. */
function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
}

function describeValue(issue: z.core.$ZodIssue, value: unknown): string {
  const name = nameOf(issue.path)
  const expected = expectation(issue, value)
  if (value === undefined) return `${name} is missing, ${expected}`
  if (!expected.startsWith('expected ')) return `${name}: ${expected}`
  return `${name} is ${mayHoldSecret(issue.path) ? 'not usable' : show(value)}, ${expected}`
}

function expectation(issue: z.core.$ZodIssue, value: unknown): string {
  if (!ZODS_OWN_MESSAGE.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${TYPE_NAMES[issue.expected] ?? issue.expected}${hintAt(issue.expected, value)}`
    case 'invalid_value':
      return `expected ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      return value === '' ? 'expected text' : `expected at least ${issue.minimum}`
    case 'too_big':
      return `expected at most ${issue.maximum}`
    default:
      return 'expected another form, see README.md in the content folder'
  }
}

function hintAt(expected: string, value: unknown): string {
  if (expected !== 'string') return ''
  return typeof value === 'number' || typeof value === 'boolean' ? ' (put it in quotes)' : ''
}

function expectedKeys(keys: readonly string[] | undefined): string {
  return keys ? `expected one of: ${keys.join(', ')}` : 'expected another key'
}

function mayHoldSecret(path: readonly PropertyKey[]): boolean {
  return path[0] === 'webhooks' && path.some((key) => SECRET_KEYS.includes(key))
}

function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((key) => (typeof key === 'number' ? `[${key + 1}]` : `.${String(key)}`)).join('')
  return name.replace(/^\./, '') || 'the file'
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value === null || value === undefined ? undefined : (value as never)[key]),
    root,
  )
}
