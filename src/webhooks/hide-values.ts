import { DOTS } from './redact-headers.ts'
import type { Attempt } from './send-attempt.ts'

const SHORTEST = 4
// A part of a secret may be an ordinary word.
const SHORTEST_PART = 8
const SCHEME = /^[\w-]+\s+/
const SIGNING_PREFIX = /^whsec_/

/** Each text that is hidden, and what stands in its place; the longest first, as one may be a part of another. */
export type Concealed = readonly (readonly [text: string, shown: string])[]

interface Secrets {
  /** What stands behind each `${NAME}`. */
  values: ReadonlyMap<string, string>
  /** Values of headers that are encrypted at rest, in clear. */
  sealed: readonly string[]
  signing: readonly string[]
}

/** What may not be kept of the answers to a webhook. A token counts without its `Bearer`, too. */
export function concealedTexts({ values, sealed, signing }: Secrets): Concealed {
  const headers = sealed.map((value) => value.trim())
  const tokens = headers.map((value) => value.replace(SCHEME, ''))
  const keys = signing.map((secret) => secret.replace(SIGNING_PREFIX, ''))
  const secrets = [
    ...[...headers, ...signing].filter((text) => text.length >= SHORTEST),
    ...[...tokens, ...keys].filter((text) => text.length >= SHORTEST_PART),
  ]
  const named = [...values].filter(([, value]) => value.length >= SHORTEST)
  const concealed = new Map([
    ...secrets.map((text) => [text, DOTS] as const),
    ...named.map(([name, value]) => [value, `\${${name}}`] as const),
  ])
  return [...concealed].sort(([one], [other]) => other.length - one.length)
}

/** The attempt without texts that nothing may keep: a receiver may have sent back what it got. */
export function hideValues(attempt: Attempt, concealed: Concealed): Attempt {
  if (concealed.length === 0) return attempt
  const hide = (text: string) =>
    concealed.reduce((hidden, [secret, shown]) => hidden.replaceAll(secret, () => shown), text)
  const { responseBody, responseHeaders: headers } = attempt
  return {
    ...attempt,
    ...(attempt.kind === 'failed' ? { message: hide(attempt.message) } : {}),
    responseBody: responseBody === null ? null : hide(responseBody),
    responseHeaders:
      headers && Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, hide(text)])),
  }
}
