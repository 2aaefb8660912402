import { listNames } from '../lib/environment-values.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { isSecretHeader } from './redact-headers.ts'

const SEALED = 'sealed:'

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
    const kept = stored?.[name]
    if (
      kept !== undefined &&
      isSealed(kept) &&
      [kept, openOrKeep(kept, name, { id, secretBox })].includes(value)
    )
      return kept
    if (!isSecretHeader(name, value) || listNames(value).length > 0) return value
    return `${SEALED}${secretBox.seal(value, placeOf(id, name))}`
  })
}

/** Headers as they are sent. What this key cannot open stays sealed; see `isSealed`. */
export function openHeaders(headers: Headers | null, sealing: Sealing): Record<string, string> | null {
  return mapHeaders(headers, (value, name) => openOrKeep(value, name, sealing))
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

// Names differ in case only for people.
function placeOf(id: number, name: string): string {
  return `form_webhooks.headers_json.${id}.${name.toLowerCase()}`
}

function mapHeaders(headers: Headers | null, change: (value: string, name: string) => string) {
  if (headers === null) return null
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value, name)]))
}
