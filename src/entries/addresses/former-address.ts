import type { Expectation } from '../../messages/files/rules/rule.ts'
import { isReservedPath } from '../types/route-pattern.ts'

const MAX_LENGTH = 500
/** The editor's limit per entry. */
export const MAX_FORMER_ADDRESSES = 1_000
const ADDRESS = /^(?:\/[A-Za-z0-9._~@+,:=!()*-]+)+\/?$/

/** Returns the rule that a redirecting address breaks; undefined when it is valid. */
export function checkFormerAddress(path: string): Expectation | undefined {
  if (!ADDRESS.test(path) || path.length > MAX_LENGTH) return { code: 'former_address' }
  return isReservedPath(path) ? { code: 'former_address_free' } : undefined
}

/** Returns the address in its stored form: without a trailing slash. */
export function normalizeFormerAddress(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** Returns a key that is equal for equal addresses: redirects ignore case. */
export function formerAddressKey(path: string): string {
  return normalizeFormerAddress(path).toLowerCase()
}
