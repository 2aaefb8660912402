import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 50

/**
 * Runs `work` while this process alone holds the lock file; others wait for their turn. A lock whose process is gone
 * (it was killed) is taken over.
 */
export async function withProcessLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true })
  while (!(await tryLock(path))) await delay(POLL_MS)
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await removeIfAbandoned(path)
    return false
  }
}

async function removeIfAbandoned(path: string) {
  const holder = Number(await readFile(path, 'utf8').catch(() => ''))
  if (holder > 0 && !isRunning(holder)) await rm(path, { force: true })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
