import type { App } from '#src/app.ts'
import type { Schema } from '#src/db/schema.ts'
import type { StoredAccount } from '#tests/support/stored/accounts.ts'

export interface Scene {
  app: App
  /** Who writes: an administrator that no other write has. */
  actor: StoredAccount
  /** Begins every name that the write gives, so that no two writes meet. */
  name: string
}

/** An entry of the audit log. */
interface Logged {
  action: string
  /** Such as `form 7`, or `form new` for the one that was added; null when it is about no single thing. */
  subject: string | null
  summary: string
}

/** A request and all that it does. */
export interface Arranged {
  path: string
  /** A list is sent under `name[]`. */
  fields?: Record<string, string | readonly string[]>
  /** Sent with the fields, as `multipart/form-data`; by input name. */
  files?: Record<string, Buffer>
  /** Of the answer, when it is not a success. */
  status?: number
  /** Empty for a visitor who is not signed in; the actor's without it. */
  cookie?: string
  /** Whom the log names; the actor without it. */
  by?: { id: number | 'new'; email: string }
  logs?: Logged
  /** Every row that differs afterwards, besides the new entry of the audit log. */
  changes: string[]
  /** Takes back what would reach other writes. */
  undo?: () => Promise<unknown>
}

export interface Write {
  /** As in ROUTES. */
  route: string
  does: string
  method?: 'GET' | 'POST'
  /** Why the audit log gets no entry. */
  unlogged?: string
  arrange(scene: Scene): Promise<Arranged>
}

type Table = keyof Schema | 'files'
// One that is undefined names no row, so that the test fails.
type Key = string | number | undefined

export const added = (table: Table, count = 1) => Array<string>(count).fill(`${table} added`)
export const changed = (table: Table, ...keys: Key[]) => keys.map((key) => `${table} ${key} changed`)
export const removed = (table: Table, ...keys: Key[]) => keys.map((key) => `${table} ${key} removed`)
