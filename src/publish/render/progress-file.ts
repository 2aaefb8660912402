import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tryFileLock } from '../../db/file-lock.ts'
import type { Progress } from '../../lib/progress.ts'
import { publishLock } from '../publish-lock.ts'
import type { PublishPhase } from '../publish-progress.ts'
import { type PublishProgress, publishProgress } from '../publish-progress.ts'

const FILE = 'publish-progress.json'
const WRITE_INTERVAL_MS = 200

/** Progress that other processes can read, and that keeps its phases. */
export interface ProgressFile extends Progress {
  phases(): PublishPhase[]
}

export function createProgressFile(
  dataDir: string,
  { publishId, preview, now }: { publishId: number; preview?: string; now: () => Date },
): ProgressFile {
  const phases: PublishPhase[] = []
  let writtenAt = Number.NEGATIVE_INFINITY

  // Written under another name first, so that a reader never sees half a file.
  function write() {
    writtenAt = performance.now()
    mkdirSync(dataDir, { recursive: true })
    const text = JSON.stringify({ publishId, preview, updatedAt: now().toISOString(), phases })
    writeFileSync(join(dataDir, `${FILE}.tmp`), text)
    renameSync(join(dataDir, `${FILE}.tmp`), join(dataDir, FILE))
  }

  return {
    phase({ code }) {
      phases.push({ name: code, startedAt: now().toISOString(), done: 0, total: 0 })
      write()
    },
    update(done, total) {
      const current = phases.at(-1)
      if (current) Object.assign(current, { done, total })
      if (performance.now() - writtenAt >= WRITE_INTERVAL_MS) write()
    },
    finish: () => write(),
    phases: () => phases,
  }
}

/** Returns the progress of the running publish, in this process or another; undefined if none runs. */
export function readPublishProgress(dataDir: string): PublishProgress | undefined {
  const running = readRunning(dataDir)
  return running?.preview === undefined ? running : undefined
}

/** Returns the progress of a preview being made on this server; undefined if it waits its turn or is done. */
export function readPreviewProgress(dataDir: string, key: string): PublishProgress | undefined {
  const running = readRunning(dataDir)
  return running?.preview === key ? running : undefined
}

function readRunning(dataDir: string): PublishProgress | undefined {
  const unlock = tryFileLock(publishLock(dataDir))
  if (!unlock) return readLast(dataDir)
  unlock()
  return undefined
}

/** Returns the ID of the running or last publish, in this process or another; undefined before the first. */
export function findLastPublishId(dataDir: string): number | undefined {
  return readLast(dataDir)?.publishId
}

function readLast(dataDir: string): PublishProgress | undefined {
  try {
    return publishProgress.parse(JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')))
  } catch (error) {
    // The publish has just started, or a power failure left the file empty, because it isn't synced.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}
