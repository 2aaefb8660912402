import { sha256Hex } from '../lib/canonical-json.ts'
import type { Page } from './page.ts'

export type Fingerprint = (page: Page) => string

/**
 * Gives a page's fingerprint: two pages with the same one have the same bytes. It covers the templates, the partial
 * and the view. Parts of views that many pages share (the layout, a service, a form) are hashed once each.
 */
export function createFingerprint(templateFingerprint: string): Fingerprint {
  const hashes = new WeakMap<object, string>()
  return ({ partial, view }) =>
    sha256Hex(
      `${templateFingerprint}\n${partial}\n${hashOfParts(view, hashes)}\n${hashOfParts(view.detail, hashes)}`,
    )
}

function hashOfParts(value: unknown, hashes: WeakMap<object, string>): string {
  return Object.entries(value as object)
    .filter(([key]) => key !== 'detail')
    .map(([key, part]) => `${key} ${hashOfPart(part, hashes)}`)
    .join('\n')
}

function hashOfPart(part: unknown, hashes: WeakMap<object, string>): string {
  if (typeof part !== 'object' || part === null) return JSON.stringify(part) ?? ''
  const known = hashes.get(part)
  if (known) return known
  const hash = sha256Hex(JSON.stringify(part))
  hashes.set(part, hash)
  return hash
}
