import { closeSync, openSync, readSync } from 'node:fs'

const CHUNK_BYTES = 1024 * 1024
const FIELDS = 9

/** What a release keeps of each of its pages: one line of `pages.tsv`. */
export interface PageRecord {
  path: string
  /** What the page is about, whatever its address: see `page-key.ts`. */
  key: string
  /** Pages with the same fingerprint have the same bytes: 16 hex digits. */
  fingerprint: string
  /** Changes when the page's own entry does: 16 hex digits. */
  own: string
  /** Of the file: 16 hex digits. */
  bytesHash: string
  /** Bytes. */
  size: number
  /** When the bytes last became others: UTC, to the second. */
  modifiedAt: string
  /** Changes when what is known of its quality does: 8 hex digits. */
  quality: string
  /** Search engines may list it. */
  isListed: boolean
}

export function formatRecord(record: PageRecord): string {
  const { path, key, fingerprint, own, bytesHash, size, modifiedAt, quality, isListed } = record
  return `${path}\t${key}\t${fingerprint}\t${own}\t${bytesHash}\t${size}\t${modifiedAt}\t${quality}\t${isListed ? 1 : 0}\n`
}

/** The records of a `pages.tsv`, in its order, a piece of the file at a time, up to where it was cut short. */
export function* readRecords(file: string): Generator<PageRecord> {
  for (const line of linesOf(file)) {
    const record = parseRecord(line)
    if (!record) return
    yield record
  }
}

/** Undefined for a line that was cut short. */
export function parseRecord(line: string): PageRecord | undefined {
  const fields = line.split('\t')
  if (fields.length < FIELDS) return undefined
  const [path = '', key = '', fingerprint = '', own = '', bytesHash = '', ...rest] = fields
  const [size, modifiedAt = '', quality = '', isListed] = rest
  const ofFile = { fingerprint, own, bytesHash, size: Number(size), modifiedAt }
  return { path, key, ...ofFile, quality, isListed: isListed === '1' }
}

/** The lines of a text file without their ends, a piece of the file at a time. */
export function* linesOf(file: string): Generator<string> {
  const descriptor = openSync(file, 'r')
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const decoder = new TextDecoder()
  try {
    let rest = ''
    for (let bytes = readSync(descriptor, chunk); bytes > 0; bytes = readSync(descriptor, chunk)) {
      const lines = (rest + decoder.decode(chunk.subarray(0, bytes), { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  } finally {
    closeSync(descriptor)
  }
}
