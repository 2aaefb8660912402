/** Record of a page in the ledger. */
export interface PageRecord {
  path: string
  /** Subject of the page, whatever its address: see `page-key.ts`. */
  key: string
  /** Pages with the same fingerprint have the same bytes: 16 hex digits. */
  fingerprint: string
  /** Changes when the page's own entry does: 16 hex digits. */
  own: string
  /** 16 hex digits that identify the file's content. */
  bytesHash: string
  /** Bytes. */
  size: number
  /** When the bytes last became others: UTC, to the second. */
  modifiedAt: string
  /** Changes when what is known of its quality does: 8 hex digits. */
  quality: string
  /** Search engines may list it. */
  isListed: boolean
  /** The addresses that lead to it, as JSON; null without any. */
  former: string | null
  /** The address of the picture that stands for it where it is shared. */
  picture: string | null
  /** The entry that the page is of; null for pages of the program and lists. */
  entryId: number | null
  /** Changes when other pages show something else of the entry: see `frameMark`. */
  frame: string | null
  /** Record of its own text, as JSON; null without one. */
  ownText: string | null
  /** Keys that the site's own page read, as JSON. Of another page, the components that it shows: see `createShownComponents`. */
  reads: string | null
  /** Decides which sitemap it is in: 0 to 65,535, evenly spread. */
  part: number
}

/** UTC to the second, as sitemaps have it: `2026-11-20T10:00:00Z`. */
export function toSeconds(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}
