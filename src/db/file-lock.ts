import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { makeFolder } from '../lib/make-folder.ts'
import { fileProblem } from './connection-problem.ts'
import { makePrivateFile } from './private-file.ts'

const POLL_MS = 25
const MOMENT_MS = 300

/**
 * Takes a lock and returns a function that releases it; undefined while this process or another one holds it. The lock
 * is SQLite's own on an empty file; the operating system releases it when a process dies.
 */
export function tryFileLock(path: string): (() => void) | undefined {
  makeFolder(dirname(path))
  // Another user of the machine with read access could hold the lock forever.
  makePrivateFile(path)
  let lock: SqliteDatabase.Database | undefined
  try {
    lock = new SqliteDatabase(path, { timeout: 0 })
    // Writes nothing: on a full disk too, a backup to another one is possible.
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
    return lock.close.bind(lock)
  } catch (error) {
    lock?.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
    throw fileProblem(error, path)
  }
}

/** Runs `work` while nobody else holds the lock; undefined when someone holds it for longer than a moment. */
export function withFreeLock<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  // Checking the lock takes it for a moment.
  return withLock(path, work, MOMENT_MS)
}

/** Runs `work` while nobody else holds the lock; others wait for their turn. */
export function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  return withLock(path, work, Number.POSITIVE_INFINITY) as Promise<T>
}

async function withLock<T>(path: string, work: () => Promise<T>, withinMs: number): Promise<T | undefined> {
  const giveUpAt = performance.now() + withinMs
  let release = tryFileLock(path)
  while (!release && performance.now() < giveUpAt) {
    await delay(POLL_MS)
    release = tryFileLock(path)
  }
  if (!release) return undefined
  try {
    return await work()
  } finally {
    release()
  }
}
