import type { UnreadableReason } from '../../messages/visitor/posts.ts'

/** Maximum number of values in a post; each list element counts. */
export const MAX_VALUES = 500

type FormValue = string | number | boolean | null | string[]

/** Names and values as sent. The object has no prototype, so it contains only keys that were sent. */
export type FormBody = Record<string, FormValue>

export type ReadBody =
  | { kind: 'body'; body: FormBody }
  | { kind: 'unreadable'; reason: UnreadableReason }
  | { kind: 'too_many_values' }
  | { kind: 'unsupported_type' }

/**
 * Reads a form post by its `Content-Type`: urlencoded or a flat JSON object, in UTF-8 (contract §5). A repeated name
 * becomes an array. The caller limits the number of bytes.
 */
export function readFormBody(bytes: Uint8Array, contentType: string | undefined): ReadBody {
  const read = readerFor(contentType ?? '')
  if (!read) return { kind: 'unsupported_type' }
  const text = decodeUtf8(bytes)
  return text === undefined ? unreadable({ code: 'not_utf8' }) : read(text)
}

function readerFor(contentType: string) {
  const [mediaType = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map((part) => /^\s*charset="?([^"\s]*)"?\s*$/.exec(part)?.[1]).find(Boolean)
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return undefined
  if (mediaType.trim() === 'application/x-www-form-urlencoded') return readUrlencoded
  return mediaType.trim() === 'application/json' ? readJson : undefined
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function readUrlencoded(text: string): ReadBody {
  const pairs = text.split('&').filter((pair) => pair !== '')
  if (pairs.length > MAX_VALUES) return { kind: 'too_many_values' }
  const body = emptyBody()
  for (const pair of pairs) {
    const [, name, value] = /^([^=]*)=?(.*)$/s.exec(pair) as unknown as [string, string, string]
    const decoded = { name: decodeComponent(name), value: decodeComponent(value) }
    if (decoded.name === undefined || decoded.value === undefined) {
      return unreadable({ code: 'not_utf8' })
    }
    addValue(body, decoded.name, decoded.value)
  }
  return { kind: 'body', body }
}

// A percent sign not followed by two hex digits stands for itself (WHATWG URL, "percent-decode").
function decodeComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    return undefined
  }
}

/** Adds a text; a repeated name becomes an array. */
export function addValue(body: FormBody, name: string, value: string) {
  if (name === '__proto__') return
  const before = body[name]
  if (before === undefined) body[name] = value
  else if (Array.isArray(before)) before.push(value)
  else body[name] = [String(before), value]
}

function readJson(text: string): ReadBody {
  const parsed = parseJson(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return unreadable({ code: 'not_a_json_object' })
  }
  const entries = Object.entries(parsed)
  const values = Object.values(parsed).flatMap((value) =>
    Array.isArray(value) && value.length > 0 ? value : [value],
  )
  if (values.length > MAX_VALUES) return { kind: 'too_many_values' }
  const body = emptyBody()
  for (const [name, value] of entries) {
    if (!isFormValue(value)) {
      return unreadable({ code: 'value_of_other_type', params: { name: name.slice(0, 64) } })
    }
    if (name !== '__proto__') body[name] = value
  }
  return { kind: 'body', body }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isFormValue(value: unknown): value is FormValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string')
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

export function emptyBody(): FormBody {
  return Object.create(null)
}

function unreadable(reason: UnreadableReason): ReadBody {
  return { kind: 'unreadable', reason }
}
