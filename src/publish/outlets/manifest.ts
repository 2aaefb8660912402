import { text } from 'node:stream/consumers'
import type { FileStore } from '../../files/file-store.ts'
import { sha256Hex } from '../../lib/canonical-json.ts'

const FIRST_LINE = '# Objects of a published site with their hashes'

/** The hash of an object that was about to be written or removed: the next upload does it again. */
export const UNFINISHED = '?'
/** An asset that the site no longer has, kept for pages that are still open somewhere; the next upload removes it. */
export const LEFT = '-'
/** The hash of an object whose name contains one: it never differs. */
export const NAMED = '='

/** Hashes of what a bucket or a CDN has of the site, by key; undefined before the first upload. */
export interface Manifest {
  read(): Promise<Map<string, string> | undefined>
  write(hashes: ReadonlyMap<string, string>): Promise<void>
}

/** The manifest of a target, among the files that all servers share. */
export function openManifest(files: FileStore, target: string): Manifest {
  const key = `outlets/${sha256Hex(target).slice(0, 16)}.tsv`
  return {
    async read() {
      const file = await files.open(key)
      if (!file) return undefined
      const [first, ...lines] = (await text(file.stream)).trimEnd().split('\n')
      if (first !== FIRST_LINE) return undefined
      return new Map(lines.map((line) => line.split('\t') as [string, string]))
    },
    write: (hashes) =>
      files.write(key, new Blob([[FIRST_LINE, ...[...hashes].map((one) => one.join('\t'))].join('\n')])),
  }
}
