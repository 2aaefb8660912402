import { fillFromEnvironment, literalsOf } from '../../lib/environment-values.ts'
import type { Attempt } from '../sending/send-attempt.ts'
import { DOTS } from './redact-headers.ts'

const SHORTEST = 4
// A part of a secret, or another spelling of it, may be an ordinary word.
const SHORTEST_PART = 8
// The kept part of an answer (4 KiB) has more characters, if anything was cut off.
const LONGEST_WHOLE = 1_000
const SCHEME = /^[\w-]+\s+/
const SIGNING_PREFIX = /^whsec_/

/**
 * Each hidden text, in every spelling that a receiver may return, with its replacement; longest first, because one may
 * be part of another.
 */
export type Concealed = readonly (readonly [spelling: string, shown: string])[]

interface Secrets {
  /** Value of each `${NAME}`. */
  values: ReadonlyMap<string, string>
  /** Values of headers that are encrypted at rest, in clear text, with `${NAME}` in place. */
  sealed: readonly string[]
  signing: readonly string[]
}

/**
 * Returns the texts that must not be stored from a webhook's responses. A token also counts without `Bearer` and
 * without names.
 */
export function concealedTexts({ values, sealed, signing }: Secrets): Concealed {
  const environment = Object.fromEntries(values)
  const fill = (text: string) => fillFromEnvironment(text, environment) ?? text
  const headers = sealed.map((value) => value.trim())
  const tokens = headers.map((value) => value.replace(SCHEME, ''))
  const keys = signing.map((secret) => secret.replace(SIGNING_PREFIX, ''))
  const secrets = [
    ...[...headers.map(fill), ...signing].filter((text) => text.length >= SHORTEST),
    ...[...tokens.map(fill), ...tokens.flatMap(literalsOf), ...keys].filter(
      (text) => text.length >= SHORTEST_PART,
    ),
  ]
  const named = [...values].filter(([, value]) => value.length >= SHORTEST)
  const concealed = new Map([
    ...secrets.flatMap((text) => spellingsOf(text).map((spelling) => [spelling, DOTS] as const)),
    ...named.flatMap(([name, text]) => spellingsOf(text).map((one) => [one, `\${${name}}`] as const)),
  ])
  return [...concealed].sort(([one], [other]) => other.length - one.length)
}

/**
 * The attempt without texts that must not be stored: a receiver may have echoed the request. Most attempts are
 * unchanged.
 */
export function hideValues(attempt: Attempt, concealed: Concealed): Attempt {
  const { responseBody: body, responseHeaders: headers } = attempt
  const message = attempt.kind === 'failed' ? attempt.message : ''
  const texts = [message, body ?? '', ...Object.values(headers ?? {})]
  const found = concealed.filter(([spelling]) => texts.some((text) => text.includes(spelling)))
  if (found.length === 0 && (body ?? '').length <= LONGEST_WHOLE) return attempt
  const hide = (text: string) =>
    found.reduce((rest, [spelling, shown]) => rest.replaceAll(spelling, () => shown), text)
  return {
    ...attempt,
    ...(attempt.kind === 'failed' ? { message: hide(message) } : {}),
    responseBody: body && hideCutEnd(hide(body), concealed),
    responseHeaders:
      headers && Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, hide(text)])),
  }
}

// The stored part of an answer may end within a secret, so that no spelling matches as a whole.
function hideCutEnd(text: string, concealed: Concealed): string {
  if (text.length <= LONGEST_WHOLE) return text
  let hidden = text
  for (const [spelling, shown] of concealed) {
    const at = startOfCut(hidden, spelling)
    if (at !== undefined) hidden = hidden.slice(0, at) + shown
  }
  return hidden
}

function startOfCut(text: string, spelling: string): number | undefined {
  const head = spelling.slice(0, SHORTEST)
  let at = text.indexOf(head, text.length - spelling.length)
  while (at >= 0 && !spelling.startsWith(text.slice(at))) at = text.indexOf(head, at + 1)
  return at < 0 ? undefined : at
}

// As it is, in JSON, in an address, and in base64.
function spellingsOf(text: string): string[] {
  if (text.length < SHORTEST_PART) return [text]
  const json = JSON.stringify(text).slice(1, -1)
  const wellFormed = text.toWellFormed()
  const inAddress = [encodeURI(wellFormed), encodeURIComponent(wellFormed)].flatMap((escaped) => [
    escaped,
    escaped.replaceAll('%20', '+'),
    escaped.replace(/%../g, (byte) => byte.toLowerCase()),
  ])
  return [...new Set([text, json, json.replaceAll('/', '\\/'), ...inAddress, ...base64Of(text)])]
}

// Three base64 characters hold four bytes less two bits; which bits depends on where the secret starts. The bits at
// both ends belong to its neighbors.
function base64Of(text: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const own = (encoded: string) =>
      encoded.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
    return [own(bytes.toString('base64')), own(bytes.toString('base64url'))]
  })
}
