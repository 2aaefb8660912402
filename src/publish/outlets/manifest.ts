import { text } from 'node:stream/consumers'
import type { FileStore } from '../../files/file-store.ts'
import { sha256Hex } from '../../lib/canonical-json.ts'

const FIRST_LINE = '# Objects of a published site with their hashes'

/** Marks an object that was about to be written or removed: the next upload does it again. */
export const UNFINISHED = '?'
/** Marks an asset that the site no longer has, kept for pages still open in a browser; the next upload removes it. */
export const LEFT = '-'
/** Marks an object whose name contains a hash: its content never changes. */
export const NAMED = '='

/** Hashes of what a bucket or CDN has of the site, by key; undefined before the first upload. */
export interface Manifest {
  read(): Promise<Map<string, string> | undefined>
  write(hashes: ReadonlyMap<string, string>): Promise<void>
}

/** The manifest of a target, stored with the files that all servers share. */
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
