import type { Person, PersonPhone } from './person.ts'

/** Replaces a person. */
const ERASED = '[erased]'

/** Characters allowed between the digits of a phone number, including in a URL. */
// The store strips the same characters.
const BETWEEN = String.raw`(?:[ \-.()/\u00a0\u2011\u2013]|%20|\+){0,3}`
/** An answer with more text than this around the person is about something else. */
const MOST_AROUND = 40

/** Recognizes a person in texts. */
export interface PersonPattern {
  /**
   * Letters and digits that every text with the person contains: one list must match completely. For database
   * queries.
   */
  probes: readonly Probe[]
  isIn(text: string): boolean
  /** Returns true if the person is the answer, and not only mentioned in a longer one. */
  isAnswer(text: string): boolean
  /** Returns the text with `[erased]` in place of the person. */
  redact(text: string): string
  /** Does the same in JSON by decoding its strings; other texts are handled like in `redact`. */
  redactJson(text: string): string
}

/** First filter on a column: a word, ignoring case, or digits with any characters between them. */
export type Probe = { kind: 'word'; word: string } | { kind: 'digits'; digits: string } | { kind: 'any' }

export function createPersonPattern(person: Person): PersonPattern {
  const { email, phone, text } = person
  const sources = [
    ...(email ? [emailSource(email)] : []),
    ...(phone ? [phoneSource(phone)] : []),
    ...(text ? [textSource(text)] : []),
  ]
  const source = sources.join('|')
  const found = new RegExp(source, 'iu')
  const every = new RegExp(source, 'giu')
  const redact = (one: string) => one.replace(every, ERASED)
  return {
    probes: probesOf(person),
    isIn: (one) => found.test(one),
    isAnswer(one) {
      const [match] = found.exec(one) ?? []
      return match !== undefined && one.trim().length <= match.length + MOST_AROUND
    },
    redact,
    redactJson: (one) => redactJson(one, redact),
  }
}

function probesOf({ email, phone, text }: Person): Probe[] {
  return [
    ...(email ? [wordProbe(email.split('@')[0] ?? '')] : []),
    ...(phone ? [{ kind: 'digits', digits: phone.digits.slice(-6) } as const] : []),
    ...(text ? [wordProbe(text)] : []),
  ]
}

// The engines treat case and encoding of letters beyond ASCII differently.
function wordProbe(text: string): Probe {
  const [word] = (text.normalize('NFC').match(/[a-z0-9]+/gi) ?? []).sort((a, b) => b.length - a.length)
  return word === undefined ? { kind: 'any' } : { kind: 'word', word: word.toLowerCase() }
}

const FILE_TYPES = 'jpe?g|png|webp|heic|gif|pdf|docx?|xlsx?|txt|csv|zip'

// `ann@example.com` doesn't match `mary.ann@example.com`, but does match `?email=ann%40example.com`.
function emailSource(email: string): string {
  const before = String.raw`(?:(?<![\p{L}\p{N}._+\-])|(?<=%[0-9a-f]{2})|(?<=\\[nrt]))`
  // A file extension isn't part of the domain: `ann@example.com.pdf`.
  const after = String.raw`(?![\p{L}\p{N}\-]|\.(?!(?:${FILE_TYPES})(?![\p{L}\p{N}]))[\p{L}\p{N}])`
  return `${before}${wordSource(email)}${after}`
}

// A sign in either case, as itself, as its bytes in an address, or escaped in JSON.
function signSource(sign: string): string {
  if (/[a-z0-9]/i.test(sign)) return sign
  const forms = [...new Set([sign, sign.toLowerCase(), sign.toUpperCase()])]
  return `(?:${forms.flatMap((form) => [RegExp.escape(form), bytesOf(form), unitsOf(form)]).join('|')})`
}

function bytesOf(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => `%${hex(byte, 2)}`).join('')
}

function unitsOf(text: string): string {
  return text
    .split('')
    .map((unit) => String.raw`\\u${hex(unit.charCodeAt(0), 4)}`)
    .join('')
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

function phoneSource({ countryCode, digits }: PersonPhone): string {
  const spaced = (text: string) => [...text].join(BETWEEN)
  const country = countryCode && String.raw`(?:(?:\+|00|%2b)?${BETWEEN}${spaced(countryCode)}${BETWEEN})?`
  return String.raw`(?<!\d)${country}(?:\(?0\)?${BETWEEN})?${spaced(digits)}(?!\d)`
}

/** Between two words, including in a URL. */
const SPACE = String.raw`(?:\s|\+|%20|%09|%0[ad]|%c2%a0)+`

function textSource(text: string): string {
  const forms = new Set([text.normalize('NFC'), text.normalize('NFD')])
  const sources = [...forms].map((form) => form.split(/\s+/u).map(wordSource).join(SPACE))
  const before = String.raw`(?:(?<![\p{L}\p{N}])|(?<=%[0-9a-f]{2})|(?<=\\[nrt]))`
  return String.raw`${before}(?:${sources.join('|')})(?![\p{L}\p{N}])`
}

function wordSource(word: string): string {
  return [...word].map(signSource).join('')
}

function redactJson(text: string, redact: (one: string) => string): string {
  const plain = redact(text)
  try {
    const value: unknown = JSON.parse(text)
    const redacted = redactValue(value, redact)
    // Unchanged text keeps its bytes.
    return JSON.stringify(redacted) === JSON.stringify(value) ? text : JSON.stringify(redacted)
  } catch {
    return plain
  }
}

function redactValue(value: unknown, redact: (one: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'number') return redact(String(value)) === String(value) ? value : ERASED
  if (Array.isArray(value)) return value.map((one) => redactValue(one, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [redact(key), redactValue(one, redact)]),
  )
}
