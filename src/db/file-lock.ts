import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'

const POLL_MS = 25

/**
 * Runs `work` while nobody else, in this process or another, holds the lock; others wait for their turn. The lock is
 * SQLite's own on an empty file, which the system takes back when a process dies: nothing is ever left locked.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true })
  const lock = new SqliteDatabase(path, { timeout: 0 })
  try {
    while (!tryLock(lock)) await delay(POLL_MS)
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: SqliteDatabase.Database): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false
    throw error
  }
}
