import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath } from '../lib/sync-path.ts'
import type { FileStore } from './file-store.ts'

const READ_PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Files of a folder; a key is a path in it. */
export function openDiskFiles(root: string): FileStore {
  return {
    localFolder: root,
    async keepFolder(folder, key) {
      const names = await readdir(folder)
      for (const name of names) await syncPath(join(folder, name))
      await syncPath(folder)
      const kept = join(root, key)
      await rename(folder, kept)
      await syncPath(dirname(kept))
    },
    async write(key, content) {
      const kept = join(root, key)
      const made = await mkdir(dirname(kept), { recursive: true, mode: 0o700 })
      const unfinished = `${kept}.${crypto.randomUUID()}.tmp`
      try {
        await writeFile(unfinished, content.stream(), { mode: 0o600 })
        await syncPath(unfinished)
        await rename(unfinished, kept)
      } finally {
        await rm(unfinished, { force: true })
      }
      for (let folder = dirname(kept); ; folder = dirname(folder)) {
        await syncPath(folder)
        if (made === undefined || folder === dirname(made) || folder === root) return
      }
    },
    async open(key) {
      const handle = await open(join(root, key), READ_PLAIN_FILE).catch(unlessPlain)
      const found = await handle?.stat()
      if (handle && found?.isFile()) return { size: found.size, stream: handle.createReadStream() }
      await handle?.close()
      return undefined
    },
    remove: (key) => rm(join(root, key), { recursive: true, force: true }),
    async *list(key) {
      const found = await readdir(join(root, key), { recursive: true, withFileTypes: true }).catch(ifThere)
      for (const entry of found) {
        if (!entry.isFile() || entry.name.endsWith('.tmp')) continue
        const path = join(entry.parentPath, entry.name)
        const stats = await stat(path).catch(() => undefined)
        if (stats) yield { key: path.slice(root.length + 1), size: stats.size, writtenAt: stats.mtime }
      }
    },
  }
}

// Signpost stores no symbolic links here, and a socket can't be opened.
function unlessPlain(error: NodeJS.ErrnoException): undefined {
  if (!/^(ENOENT|ENOTDIR|ELOOP|ENXIO)$/.test(error.code ?? '')) throw error
}

function ifThere(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}
