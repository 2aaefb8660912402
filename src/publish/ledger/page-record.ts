import type { PageAddress } from '../../site/pages/page.ts'

/** A page's record in the ledger. */
export interface PageRecord {
  path: string
  /** Subject of the page, independent of its address: see `page-key.ts`. */
  key: string
  /** Pages with the same fingerprint have the same bytes: 16 hex digits. */
  fingerprint: string
  /** Changes with the page's own entry: 16 hex digits. */
  own: string
  /** 16 hex digits that identify the file's content. */
  bytesHash: string
  /** Bytes. */
  size: number
  /** When the bytes last changed: UTC, to the second. */
  modifiedAt: string
  /** Changes with the facts about its quality: 8 hex digits. */
  quality: string
  /** True if search engines may list it. */
  isListed: boolean
  /** The addresses that redirect to it, as JSON; null if there are none. */
  former: string | null
  /** The path of its share picture. */
  picture: string | null
  /** The page's entry; null for lists and built-in pages. */
  entryId: number | null
  /** Changes with what other pages show of the entry: see `frameMark`. */
  frame: string | null
  /** Record of its own text, as JSON; null without one. */
  ownText: string | null
  /**
   * Keys that an own page of the site read, as JSON. For other pages, the components shown: see
   * `createShownComponents`.
   */
  reads: string | null
  /** Decides which sitemap it is in: 0 to 65,535, evenly spread. */
  part: number
}

/** Formats a time as UTC to the second, as in sitemaps: `2026-11-20T10:00:00Z`. */
export function toSeconds(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}

/** The addresses that redirect to a page, as JSON; null if there are none. */
export function formerOf({ formerPaths = [], impliedPaths = [] }: PageAddress): string | null {
  return formerPaths.length + impliedPaths.length === 0 ? null : JSON.stringify({ formerPaths, impliedPaths })
}
