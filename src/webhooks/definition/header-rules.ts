import { z } from 'zod'
import type { Rule } from '../../messages/files/rules/rule.ts'
import { addProblem } from '../../messages/files/rules/schema-rule.ts'

export const MAX_HEADERS = 50
// Servers refuse longer ones: nginx and Node take 8 and 16 KiB for a whole request.
const MAX_VALUE_LENGTH = 8 * 1024
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers that frame the request or belong to the connection: setting them could smuggle a second request. */
const FRAMING = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
]
const OURS = [
  'x-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'content-type',
  'user-agent',
]

/** A webhook's own headers, name to value (§2.3). `Authorization` is allowed. */
export const webhookHeaders = z.record(z.string(), z.string()).superRefine((headers, context) => {
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const problem = problemWithName(name, seen) ?? problemWithValue(value)
    if (problem) addProblem(context, { ...problem, path: [name] })
    seen.add(name.toLowerCase())
  }
})

/** The same check for headers that a user or a file provides. Stored headers may be encrypted and have no limit. */
export const givenHeaders = webhookHeaders.superRefine((headers, context) => {
  const values = Object.entries(headers)
  if (values.length > MAX_HEADERS)
    addProblem(context, { path: [], code: 'max_headers', params: { max: MAX_HEADERS } })
  for (const [name, value] of values.filter(([, value]) => value.length > MAX_VALUE_LENGTH)) {
    const params = { max: MAX_VALUE_LENGTH, length: value.length }
    addProblem(context, { path: [name], code: 'max_header_length', params })
  }
})

function problemWithName(name: string, seen: ReadonlySet<string>): Rule | undefined {
  const lower = name.toLowerCase()
  if (!TOKEN.test(name)) return { code: 'header_name' }
  if (seen.has(lower)) return { code: 'header_repeated' }
  if (FRAMING.includes(lower) || lower.startsWith('proxy-')) return { code: 'header_framing' }
  if (OURS.includes(lower)) return { code: 'header_reserved' }
  return undefined
}

function problemWithValue(value: string): Rule | undefined {
  return VALUE.test(value) ? undefined : { code: 'header_value' }
}
