import { z } from 'zod'
import type { FileFault } from '../../messages/files/mistakes.ts'
import { isExpectation, type Problem, type Rule } from '../../messages/files/rules/rule.ts'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'

const SHOWN_LENGTH = 60
// Invalid values are shown, but never one that may contain a secret.
const SECRET_KEYS: readonly PropertyKey[] = ['url', 'headers', 'signing_secret']

const LOOK_NAME = /^[a-z][a-z0-9-]*$/

/** A mistake and its key in the file. */
export interface LocatedFault {
  at: readonly PropertyKey[]
  fault: FileFault
}

/** Converts an issue about a file that contains `root` to faults, one for each unknown key. */
export function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType, root: unknown): LocatedFault[] {
  if (issue.code !== 'unrecognized_keys') {
    const problem = problemOf(issue)
    return [{ at: problem.path, fault: faultOf(problem, valueAt(root, problem.path)) }]
  }
  const names = findSchemaKeys(schema, issue.path)
  const choices = names ? { names, isCut: false } : null
  return issue.keys.map((key) => {
    const at = [...issue.path, key]
    return { at, fault: { code: 'unknown_key', params: { name: nameOf(at), choices } } }
  })
}

function faultOf({ path, ...problem }: Problem, value: unknown): FileFault {
  const name = nameOf(path)
  const rule = withHint(problem, value)
  if (value === undefined) return { code: 'value_missing', params: { name, rule } }
  if (!isExpectation(rule)) return { code: 'value_faulty', params: { name, rule } }
  const shown = mayHoldSecret(path) ? null : show(value)
  return { code: 'value_wrong', params: { name, shown, rule } }
}

/** Quotes a value for a message and shortens long ones. */
function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
}

// Adds to a rule what only the value shows. YAML doesn't read 12 and true as text.
function withHint(rule: Rule, value: unknown): Rule {
  if (rule.code === 'installed_look' && typeof value === 'string' && LOOK_NAME.test(value))
    return { code: rule.code, params: { ...rule.params, name: value } }
  const isUnquoted = typeof value === 'number' || typeof value === 'boolean'
  if (rule.code !== 'type' || rule.params.type !== 'string' || !isUnquoted) return rule
  return { code: 'type', params: { type: 'string', isUnquoted } }
}

function mayHoldSecret(path: readonly PropertyKey[]): boolean {
  return path[0] === 'webhooks' && path.some((key) => SECRET_KEYS.includes(key))
}

/** Names a place in a file, such as `fields[2].options`. */
export function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((key) => (typeof key === 'number' ? `[${key + 1}]` : `.${String(key)}`)).join('')
  return name.replace(/^\./, '') || 'the file'
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value === null || value === undefined ? undefined : (value as never)[key]),
    root,
  )
}

/** Returns the keys that an object schema knows at a path inside `schema`; undefined if there is no object schema. */
function findSchemaKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] | undefined {
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

// Of several forms of a value, only one has keys.
function withoutWrappers(schema: unknown): unknown {
  let current = schema
  while (true) {
    if (current instanceof z.ZodPipe) current = current.in
    else if (current instanceof z.ZodUnion)
      current = current.options.find((option) => option instanceof z.ZodObject)
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
