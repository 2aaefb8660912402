import { isDamage, openSqliteFile } from '../../db/sqlite/open-sqlite-file.ts'
import type { MovedAddress } from './page-addresses.ts'

/** The bytes of a database file with these addresses. */
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
  /** The address that the one of this key moved to, null when it is gone, undefined when the file does not have it. */
  find: (key: string) => string | null | undefined
  close: () => void
}

/** Finds addresses in such a file; see `MovedAddresses`. A file that is damaged has none. */
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

// For an unknown address, "page not found" serves visitors better than an error.
function whole<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}
