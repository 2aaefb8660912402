import { isDamage, openSqliteFile } from '../../db/sqlite/open-sqlite-file.ts'
import type { MovedAddress } from './page-addresses.ts'

/** Returns the bytes of a database file with these addresses. */
export function packMoved(moved: readonly MovedAddress[]): Buffer {
  const file = openSqliteFile(':memory:')
  file.exec('create table moved (path text primary key, target text) strict, without rowid; begin')
  const insert = file.prepare('insert into moved values (?, ?)')
  for (const { path, to } of moved) insert.run(path, to)
  file.exec('commit')
  const bytes = file.serialize()
  file.close()
  return bytes
}

export interface OpenMoved {
  /** Returns the new address for this key: null if the page is gone, undefined if the file doesn't contain it. */
  find: (key: string) => string | null | undefined
  close: () => void
}

/** Finds addresses in such a file; see `MovedAddresses`. A damaged file counts as empty. */
export function openMoved(path: string): OpenMoved {
  const file = whole(() => openSqliteFile(path, { isReadOnly: true }))
  const target = whole(() =>
    file?.prepare<[string], string | null>('select target from moved where path = ?').pluck(),
  )
  return {
    find: (key: string) => whole(() => target?.get(key) as string | null | undefined),
    close: () => void file?.close(),
  }
}

// On an unreadable file, "page not found" serves visitors better than an error.
function whole<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}
