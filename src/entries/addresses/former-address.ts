import { isReservedPath } from '../types/route-pattern.ts'

const MAX_LENGTH = 500
const ADDRESS = /^(?:\/[A-Za-z0-9._~@+,:=!()*-]+)+\/?$/

/** What is wrong with an address that is to lead to a page, as an expectation; undefined when nothing is. */
export function checkFormerAddress(path: string): string | undefined {
  if (!ADDRESS.test(path) || path.length > MAX_LENGTH)
    return 'expected a path such as /old-page, without the site’s name and without ? or #'
  return isReservedPath(path) ? 'expected another one, because this belongs to the program' : undefined
}

/** The address as it is kept: without a slash at the end. */
export function normalizeFormerAddress(path: string): string {
  return path.replace(/\/$/, '')
}

/** The same text for the same address: visitors are led on in whatever case they ask. */
export function formerAddressKey(path: string): string {
  return normalizeFormerAddress(path).toLowerCase()
}
