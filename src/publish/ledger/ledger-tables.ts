/** The tables of the ledger with their columns, key first. `former` records the values that a release changes. */
export const COLUMNS = {
  pages: [
    ...['path', 'key', 'fingerprint', 'own', 'bytes_hash', 'size', 'modified_at', 'quality', 'is_listed'],
    ...['former', 'picture', 'entry', 'frame', 'own_text', 'reads', 'part'],
  ],
  files: ['file', 'hash', 'size'],
  sources: ['key', 'hash', 'label'],
  sitemaps: ['path', 'modified_at'],
}

export type Table = keyof typeof COLUMNS
export const TABLES = Object.keys(COLUMNS) as Table[]

/** The columns of a page, in the order of its table. */
export const PAGE_COLUMNS = COLUMNS.pages
