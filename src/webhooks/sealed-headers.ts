import { isOnlyNames } from '../lib/environment-values.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { DOTS, isSecretHeader } from './redact-headers.ts'
import type { Webhook } from './webhook.ts'

const SEALED = 'sealed:'
const SCHEME = /^[a-z-]+\s+(?=\$\{)/i

type Headers = Readonly<Record<string, string>>

interface Sealing {
  /** Of the webhook. */
  id: number
  secretBox: SecretBox
}

/**
 * Headers as a row holds them: a secret that stands there literally is encrypted for its webhook and name. A value
 * that is sealed in `stored` already, by the same name, stays as it is.
 */
export function sealHeaders(
  headers: Headers | null,
  stored: Headers | null,
  { id, secretBox }: Sealing,
): Record<string, string> | null {
  return mapHeaders(headers, (value, name) => {
    const kept = findHeader(stored, name)
    if (
      kept !== undefined &&
      isSealed(kept) &&
      [kept, openOrKeep(kept, name, { id, secretBox })].includes(value)
    )
      return kept
    if (!isLiteralSecret(name, value)) return value
    return `${SEALED}${secretBox.seal(value, placeOf(id, name))}`
  })
}

/** A webhook with its headers as they are sent; see `openHeaders`. */
export function withOpenHeaders(webhook: Webhook, { secretBox }: Pick<Sealing, 'secretBox'>): Webhook {
  return { ...webhook, headers: openHeaders(webhook.headers, { id: webhook.id, secretBox }) }
}

/** Headers as they are sent, with `${NAME}` in place. What this key cannot open stays sealed; see `isSealed`. */
export function openHeaders(headers: Headers | null, sealing: Sealing): Record<string, string> | null {
  return mapHeaders(headers, (value, name) => openOrKeep(value, name, sealing))
}

/** A webhook with the stored value, in clear, where dots stand for a header. They stay where none is stored. */
export function fillDots<Given extends { headers: Record<string, string> | null }>(
  webhook: Given,
  stored: Webhook | undefined,
  { secretBox }: Pick<Sealing, 'secretBox'>,
): Given {
  const opened = stored ? withOpenHeaders(stored, { secretBox }).headers : null
  const fill = (value: string, name: string) => (value === DOTS ? (findHeader(opened, name) ?? value) : value)
  return { ...webhook, headers: mapHeaders(webhook.headers, fill) }
}

/** The value of a header: names differ in case only for people. */
export function findHeader(headers: Headers | null, name: string): string | undefined {
  const lower = name.toLowerCase()
  return Object.entries(headers ?? {}).find(([candidate]) => candidate.toLowerCase() === lower)?.[1]
}

/** Whether a header holds a secret itself: more than names of the environment, with or without `Bearer` before them. */
export function isLiteralSecret(name: string, value: string): boolean {
  return isSecretHeader(name, value) && !isOnlyNames(value.replace(SCHEME, ''))
}

/** Whether a value of a header is encrypted. */
export function isSealed(value: string): boolean {
  return value.startsWith(SEALED)
}

function openOrKeep(value: string, name: string, { id, secretBox }: Sealing): string {
  if (!isSealed(value)) return value
  try {
    return secretBox.open(value.slice(SEALED.length), placeOf(id, name))
  } catch {
    return value
  }
}

// Of one header, however its name is written.
function placeOf(id: number, name: string): string {
  return `form_webhooks.headers_json.${id}.${name.toLowerCase()}`
}

function mapHeaders(headers: Headers | null, change: (value: string, name: string) => string) {
  if (headers === null) return null
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value, name)]))
}
