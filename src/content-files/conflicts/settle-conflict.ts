import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FilePlace } from '../../files/file-store.ts'
import type { Preference } from '../syncing/plan-sync.ts'

const SCRIPT = fileURLToPath(new URL('./settle-process.ts', import.meta.url))

/** A person's decision about a conflict between a file and its row. */
export interface SettleQuestion {
  contentDir: string
  dataDir: string
  databaseUrl: string
  /** Store that several servers share. */
  sharedPlace?: FilePlace | undefined
  /** Newest first; used for encrypting. */
  secretKeys: readonly Uint8Array[]
  path: string
  /** Undefined if fields are chosen one by one. */
  prefer: Preference | undefined
  /** Keys of an entry or of the settings that take the file's value. */
  fields?: readonly string[] | undefined
  /** The two sides that the person saw. */
  version: string
}

export type SettleAnswer =
  | { kind: 'settled'; isSiteChanged: boolean }
  /** The file or the row changed after the person saw them. */
  | { kind: 'outdated' }
  | { kind: 'refused'; reasons: string[] }

/**
 * Resolves one conflict and syncs what depended on it, in a separate process. Throws if the process ends without an
 * answer.
 */
export async function settleConflict(question: SettleQuestion): Promise<SettleAnswer> {
  const child = fork(SCRIPT, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const closed = once(child, 'close')
  const answered = once(child, 'message')
  child.send(question)
  const [answer] = (await Promise.race([answered, closed.then(() => [])])) as [SettleAnswer?]
  if (!answer) throw new Error('The process that settles conflicts ended without an answer')
  return answer
}
