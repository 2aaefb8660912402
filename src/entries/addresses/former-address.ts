import { decodedPath } from '../../lib/names/decoded-path.ts'
import type { Expectation } from '../../messages/files/rules/rule.ts'
import { isReservedPath } from '../types/route-pattern.ts'

const MAX_LENGTH = 500
/** The editor's limit per entry. */
export const MAX_FORMER_ADDRESSES = 1_000
const ADDRESS = /^(?:\/[\p{L}\p{M}\p{N}._~@+,:=!()*-]+)+$/u

/** Returns the rule that a redirecting address breaks; undefined when it is valid. */
export function checkFormerAddress(path: string): Expectation | undefined {
  const stored = normalizeFormerAddress(path)
  if (!ADDRESS.test(stored) || stored.length > MAX_LENGTH) return { code: 'former_address' }
  return isReservedPath(stored) ? { code: 'former_address_free' } : undefined
}

/** Returns the address in its stored form: decoded, in Unicode’s composed form, without a trailing slash. */
export function normalizeFormerAddress(path: string): string {
  return decodedPath(path).normalize('NFC').replace(/\/$/, '')
}

/** Returns a key that is equal for equal addresses: redirects ignore case. */
export function formerAddressKey(path: string): string {
  return normalizeFormerAddress(path).toLowerCase()
}
