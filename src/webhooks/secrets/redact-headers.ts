import { literalsOf } from '../../lib/environment-values.ts'

/** The text shown in place of a secret. */
export const DOTS = '••••'
const SECRET_NAME = /authorization|cookie|token|secret|password|credential|api-?key|(^|-)(auth|key)(-|$)/i
const SECRET_VALUE = /^((bearer|basic|token|digest)\s|(?=.*\d)[\w.~+/=:-]{20,}$)/i

/** Headers that Signpost itself sets: useful in a log and safe to show. */
const OPEN = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-signature',
]

/** Headers for a log: values that are secrets by name, or look like one, are shown as dots. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name, value) ? DOTS : value]),
  )
}

/** Returns whether a header is a secret by its name, or its value, or what is there beside `${NAME}`, looks like one. */
export function isSecretHeader(name: string, value: string): boolean {
  if (OPEN.includes(name.toLowerCase())) return false
  return (
    SECRET_NAME.test(name) || [value, ...literalsOf(value)].some((text) => SECRET_VALUE.test(text.trim()))
  )
}
