import { hash } from 'node:crypto'
import type { Page } from './page.ts'

const HEX_DIGITS = 16
// Shorter texts are made again sooner than they are remembered.
const REMEMBERED_LENGTH = 1_024

export type Fingerprint = (page: Page) => string

/** The first 64 bits of a SHA-256, as hex: enough to see that something changed. */
export function shortHash(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex').slice(0, HEX_DIGITS)
}

/**
 * Gives a page's fingerprint: two pages with the same one have the same bytes. It covers the templates, the partial
 * and the view. Parts of views that many pages share (the layout, a service, the fields of a form) are hashed once each.
 */
export function createFingerprint(templateFingerprint: string): Fingerprint {
  const known = new WeakMap<object, string>()
  return ({ partial, view }) => {
    const { detail, ...rest } = view
    const parts = `${partsOf(rest, known, 1)}\n${partsOf(detail as object, known, 2)}`
    return shortHash(`${templateFingerprint}\n${partial}\n${parts}`)
  }
}

// Keys, with what stands below them: in full when it is short, and when it is long its hash.
function partsOf(value: object, known: WeakMap<object, string>, levels: number): string {
  let text = ''
  for (const [key, part] of Object.entries(value)) text += `${key} ${textOf(part, known, levels - 1)}\n`
  return text
}

function textOf(part: unknown, known: WeakMap<object, string>, levels: number): string {
  if (typeof part !== 'object' || part === null) return JSON.stringify(part) ?? ''
  const before = known.get(part)
  if (before) return before
  if (levels > 0 && !Array.isArray(part)) return `{${partsOf(part, known, levels)}}`
  const text = JSON.stringify(part)
  if (text.length < REMEMBERED_LENGTH) return text
  const short = shortHash(text)
  known.set(part, short)
  return short
}
