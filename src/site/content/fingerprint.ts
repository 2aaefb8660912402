import { hash } from 'node:crypto'
import type { Page } from '../pages/page.ts'

const HEX_DIGITS = 16
// Shorter texts are faster to convert again than to cache.
const REMEMBERED_LENGTH = 1_000

export type Fingerprint = (page: Page) => string

/** The first 64 bits of a SHA-256, in hex: enough to detect changes. */
export function shortHash(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex').slice(0, HEX_DIGITS)
}

/**
 * Computes a page's fingerprint: pages with the same fingerprint have the same bytes. Covers the templates, the
 * partial, and the view. Parts of views that many pages share (the layout, a service, a form's fields) are read once
 * each.
 */
export function createFingerprint(
  templateFingerprint: string,
  parts: Readonly<Record<string, string>> = {},
): Fingerprint {
  const read = createReader()
  return ({ partial, view }) => {
    let text = `${templateFingerprint}\n${partial}\n${sectionsOfPage(parts, view).join()}\n`
    for (const key in view) {
      const part = view[key as keyof typeof view]
      text += `${key} ${read(part, key === 'detail' ? 2 : 1)}\n`
    }
    return shortHash(text)
  }
}

function sectionsOfPage(
  parts: Readonly<Record<string, string>>,
  { detail }: Pick<Page['view'], 'detail'>,
): string[] {
  const own = typeof detail === 'object' && detail && 'ownSections' in detail ? detail.ownSections : {}
  return Object.keys(own ?? {}).map((name) => parts[`section:${name}`] ?? '')
}

/**
 * Converts values to texts that differ whenever the values do. Objects are hashed by their parts down to this many
 * levels, because pages may share their parts even if not the objects; long texts are replaced by cached hashes.
 */
function createReader() {
  const known = new WeakMap<object, string>()

  function read(value: unknown, levels: number): string {
    if (typeof value === 'string') return `${value.length}:${value}`
    if (typeof value !== 'object' || value === null) return String(value)
    const before = known.get(value)
    if (before !== undefined) return before
    return levels > 0 && !Array.isArray(value) ? readParts(value, levels) : readWhole(value)
  }

  function readParts(value: object, levels: number): string {
    let text = '{'
    for (const key in value) text += `${key} ${read(value[key as keyof typeof value], levels - 1)}\n`
    return `${text}}`
  }

  function readWhole(value: object): string {
    const text = JSON.stringify(value)
    if (text.length < REMEMBERED_LENGTH) return text
    const short = shortHash(text)
    known.set(value, short)
    return short
  }

  return read
}
