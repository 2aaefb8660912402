import { isOnlyNames } from '../../lib/environment-values.ts'
import { openSecret, type SecretBox } from '../../lib/secret-box.ts'
import type { Webhook } from '../definition/webhook.ts'
import { bindSecret } from './bound-secret.ts'
import { DOTS, isSecretHeader } from './redact-headers.ts'
import { isSameOrigin, originOf, type SecretOwner } from './webhook-origin.ts'

const SEALED = 'sealed:'
const SCHEME = /^[a-z-]+\s+(?=\$\{)/i

type Headers = Readonly<Record<string, string>>

interface Sealing extends SecretOwner {
  secretBox: SecretBox
}

/**
 * Returns the headers for a row: a literal secret is encrypted for its webhook, the origin of its URL, and its name. A
 * value already encrypted in `stored` under the same name stays unchanged.
 */
export function sealHeaders(
  headers: Headers | null,
  stored: Headers | null,
  sealing: Sealing,
): Record<string, string> | null {
  return mapHeaders(headers, (value, name) => {
    const kept = findHeader(stored, name)
    if (kept !== undefined && isSealed(kept) && [kept, openOrKeep(kept, name, sealing)].includes(value))
      return kept
    if (!isLiteralSecret(name, value)) return value
    return `${SEALED}${sealing.secretBox.seal(value, placeOf(name, sealing))}`
  })
}

/** Returns a webhook with its headers decrypted for sending; see `openHeaders`. */
export function withOpenHeaders(webhook: Webhook, { secretBox }: Pick<Sealing, 'secretBox'>): Webhook {
  const { id, url } = webhook
  return { ...webhook, headers: openHeaders(webhook.headers, { id, url, secretBox }) }
}

/** Headers as they are sent, with `${NAME}` in place. What this key cannot open stays sealed; see `isSealed`. */
export function openHeaders(headers: Headers | null, sealing: Sealing): Record<string, string> | null {
  return mapHeaders(headers, (value, name) => openOrKeep(value, name, sealing))
}

/**
 * Returns a webhook with the stored value, decrypted, in place of dots. Dots stay where nothing is stored, or only for
 * another origin.
 */
export function fillDots<Given extends Pick<Webhook, 'url' | 'headers'>>(
  webhook: Given,
  stored: Webhook | undefined,
  { secretBox }: Pick<Sealing, 'secretBox'>,
): Given {
  const isHere = stored && isSameOrigin(stored.url, webhook.url)
  const opened = isHere ? withOpenHeaders(stored, { secretBox }).headers : null
  const fill = (value: string, name: string) => (value === DOTS ? (findHeader(opened, name) ?? value) : value)
  return { ...webhook, headers: mapHeaders(webhook.headers, fill) }
}

/** Headers without those that stand for a value of `stored`: dots, and what is sealed there. */
export function withoutStoredHeaders(
  headers: Headers | null,
  stored: Headers | null,
): Record<string, string> | null {
  if (headers === null) return null
  const isOwn = ([name, value]: [string, string]) =>
    value !== DOTS && !(isSealed(value) && value === findHeader(stored, name))
  return Object.fromEntries(Object.entries(headers).filter(isOwn))
}

/** The value of a header: names differ in case only for people. */
export function findHeader(headers: Headers | null, name: string): string | undefined {
  const lower = name.toLowerCase()
  return Object.entries(headers ?? {}).find(([candidate]) => candidate.toLowerCase() === lower)?.[1]
}

/** Returns whether a header holds a secret itself: more than names of the environment, with or without `Bearer` before them. */
export function isLiteralSecret(name: string, value: string): boolean {
  return isSecretHeader(name, value) && !isOnlyNames(value.replace(SCHEME, ''))
}

/** Returns whether a value of a header is encrypted. */
export function isSealed(value: string): boolean {
  return value.startsWith(SEALED)
}

/** Encrypts headers again for the webhook and its origin; before, they were encrypted for the webhook alone. */
export function bindHeaders(headers: Headers | null, sealing: Sealing): Record<string, string> | null {
  return mapHeaders(headers, (value, name) => {
    if (!isSealed(value)) return value
    const places = { place: placeOf(name, sealing), unbound: unboundPlaceOf(name, sealing) }
    return `${SEALED}${bindSecret(value.slice(SEALED.length), places, sealing)}`
  })
}

function openOrKeep(value: string, name: string, sealing: Sealing): string {
  if (!isSealed(value)) return value
  return openSecret(value.slice(SEALED.length), placeOf(name, sealing), sealing) ?? value
}

function placeOf(name: string, owner: SecretOwner): string {
  return `${unboundPlaceOf(name, owner)} ${originOf(owner.url)}`
}

// Returns the place of one header, however its name is written.
function unboundPlaceOf(name: string, { id }: SecretOwner): string {
  return `form_webhooks.headers_json.${id}.${name.toLowerCase()}`
}

/** Headers with other values; null where there are none. */
export function mapHeaders(headers: Headers | null, change: (value: string, name: string) => string) {
  if (headers === null) return null
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value, name)]))
}
