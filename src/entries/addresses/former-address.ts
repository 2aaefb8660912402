import type { Expectation } from '../../messages/files/rules/rule.ts'
import { isReservedPath } from '../types/route-pattern.ts'

const MAX_LENGTH = 500
/** The limit for one entry in the editor. */
export const MAX_FORMER_ADDRESSES = 1_000
const ADDRESS = /^(?:\/[A-Za-z0-9._~@+,:=!()*-]+)+\/?$/

/** Returns the rule that a redirecting address breaks; undefined when it is valid. */
export function checkFormerAddress(path: string): Expectation | undefined {
  if (!ADDRESS.test(path) || path.length > MAX_LENGTH) return { code: 'former_address' }
  return isReservedPath(path) ? { code: 'former_address_free' } : undefined
}

/** The address as it is kept: without a slash at the end. */
export function normalizeFormerAddress(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** The same text for the same address: visitors are led on in whatever case they ask. */
export function formerAddressKey(path: string): string {
  return normalizeFormerAddress(path).toLowerCase()
}
