import { z } from 'zod'

export const MAX_HEADERS = 50
// Servers refuse longer ones: nginx and Node take 8 and 16 KiB for a whole request.
const MAX_VALUE_LENGTH = 8 * 1024
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers that frame the request or belong to the connection: whoever sets them can smuggle a second request. */
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
    if (problem) context.addIssue({ code: 'custom', message: problem, path: [name] })
    seen.add(name.toLowerCase())
  }
})

/** The same where a person or a file gives them. What is stored, and may be sealed, has no limit. */
export const givenHeaders = webhookHeaders.superRefine((headers, context) => {
  const values = Object.entries(headers)
  if (values.length > MAX_HEADERS)
    context.addIssue({ code: 'custom', message: `expected at most ${MAX_HEADERS} headers` })
  for (const [name, value] of values.filter(([, value]) => value.length > MAX_VALUE_LENGTH)) {
    const message = `expected at most ${MAX_VALUE_LENGTH} characters, and it has ${value.length}`
    context.addIssue({ code: 'custom', message, path: [name] })
  }
})

function problemWithName(name: string, seen: ReadonlySet<string>): string | undefined {
  const lower = name.toLowerCase()
  if (!TOKEN.test(name)) return 'expected a header name of letters, digits and hyphens'
  if (seen.has(lower)) return 'this header is there twice'
  if (FRAMING.includes(lower) || lower.startsWith('proxy-'))
    return 'this header frames the request, leave it out'
  if (OURS.includes(lower)) return 'Signpost sets this header itself, leave it out'
  return undefined
}

function problemWithValue(value: string): string | undefined {
  return VALUE.test(value) ? undefined : 'expected a value on one line, of Latin-1 characters'
}
