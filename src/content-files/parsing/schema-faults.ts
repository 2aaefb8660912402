import type { z } from 'zod'
import type { FileFault } from '../../messages/files/mistakes.ts'
import { isExpectation, type Problem, type Rule } from '../../messages/files/rules/rule.ts'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'
import { findSchemaKeys } from './schema-keys.ts'

const SHOWN_LENGTH = 60
// A wrong value is shown, but never one that may hold a secret.
const SECRET_KEYS: readonly PropertyKey[] = ['url', 'headers', 'signing_secret']

/** What is wrong, and at which key of the file. */
export interface LocatedFault {
  at: readonly PropertyKey[]
  fault: FileFault
}

/** Returns what an issue says of a file that holds `root`: one fault for each unknown key. */
export function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType, root: unknown): LocatedFault[] {
  if (issue.code !== 'unrecognized_keys')
    return [{ at: issue.path, fault: faultOf(problemOf(issue), valueAt(root, issue.path)) }]
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

/** Quotes a value for a message and shortens a long one. */
function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
}

// YAML reads 12 and true as no text.
function withHint(rule: Rule, value: unknown): Rule {
  const isUnquoted = typeof value === 'number' || typeof value === 'boolean'
  if (rule.code !== 'type' || rule.params.type !== 'string' || !isUnquoted) return rule
  return { code: 'type', params: { type: 'string', isUnquoted } }
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
