import type { PageSource } from '../../site/pages/page-sources.ts'
import type { Ledger } from './ledger-store.ts'

/** A file of the site other than a page, by its path below `site`. */
export interface FileRecord {
  file: string
  /** Of its bytes; empty where its name says what is in it. */
  hash: string
  /** Bytes. */
  size: number
}

export function listFiles(ledger: Ledger): FileRecord[] {
  return ledger.prepare<[], FileRecord>('select file, hash, size from files').all()
}

export function saveFiles(
  ledger: Ledger,
  { written, removed }: { written: Iterable<FileRecord>; removed: Iterable<string> },
): void {
  const save = ledger.prepare(
    `insert into files values (?, ?, ?)
     on conflict (file) do update set hash = excluded.hash, size = excluded.size`,
  )
  const forget = ledger.prepare('delete from files where file = ?')
  for (const { file, hash, size } of written) save.run(file, hash, size)
  for (const file of removed) forget.run(file)
}

/** What the newest release was made of, by key. */
export function listSources(ledger: Ledger): Map<string, PageSource> {
  const sources = ledger.prepare<[], PageSource>('select key, hash, label from sources').all()
  return new Map(sources.map((source) => [source.key, source]))
}

export function saveSources(ledger: Ledger, sources: Iterable<PageSource>): void {
  const before = listSources(ledger)
  const save = ledger.prepare(
    `insert into sources values (?, ?, ?)
     on conflict (key) do update set hash = excluded.hash, label = excluded.label`,
  )
  for (const { key, hash, label } of sources) {
    const old = before.get(key)
    before.delete(key)
    if (old?.hash !== hash || old.label !== label) save.run(key, hash, label)
  }
  const forget = ledger.prepare('delete from sources where key = ?')
  for (const key of before.keys()) forget.run(key)
}
