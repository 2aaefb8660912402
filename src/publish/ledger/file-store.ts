import type { PageSource } from '../../site/sources/page-sources.ts'
import type { Ledger } from './ledger-store.ts'

/** A file of the site that isn't a page, by its path below `site`. */
export interface FileRecord {
  file: string
  /** A hash of its bytes; empty if the file's name contains one. */
  hash: string
  /** Bytes. */
  size: number
}

export function listFiles(ledger: Ledger): FileRecord[] {
  return ledger.prepare<[], FileRecord>('select file, hash, size from files').all()
}

/** Lists the files without a hash in their name, such as those in a site's `public` folder. */
export function listNamedFiles(ledger: Ledger): string[] {
  return ledger.prepare("select file from files where hash <> ''").pluck().all() as string[]
}

/** Lists the paths with this prefix. */
export function listFilesBelow(ledger: Ledger, start: string): string[] {
  const files = ledger.prepare<[string, string]>('select file from files where file >= ? and file < ?')
  return files.pluck().all(start, `${start}\u{10ffff}`) as string[]
}

export function findFile(ledger: Ledger, file: string): FileRecord | undefined {
  return ledger.prepare<[string], FileRecord>('select file, hash, size from files where file = ?').get(file)
}

/** Time of the latest page change in a sitemap, by the sitemap's path. */
export function listSitemaps(ledger: Ledger): Map<string, string> {
  const rows = ledger.prepare<[], { path: string; at: string }>(
    'select path, modified_at as at from sitemaps',
  )
  return new Map(rows.all().map(({ path, at }) => [path, at]))
}

export function saveSitemaps(ledger: Ledger, sitemaps: ReadonlyMap<string, string>): void {
  const before = listSitemaps(ledger)
  const save = ledger.prepare(
    'insert into sitemaps values (?, ?) on conflict (path) do update set modified_at = excluded.modified_at',
  )
  for (const [path, at] of sitemaps) if (before.get(path) !== at) save.run(path, at)
  const forget = ledger.prepare('delete from sitemaps where path = ?')
  for (const path of before.keys()) if (!sitemaps.has(path)) forget.run(path)
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

/** Sources of the newest release, by key. */
export function listSources(ledger: Ledger): Map<string, PageSource> {
  const sources = ledger.prepare<[], PageSource>('select key, hash, label from sources').all()
  return new Map(sources.map((source) => [source.key, source]))
}

/** Returns a function that finds one source of the newest release by its key. */
export function openSources(ledger: Ledger): (key: string) => PageSource | undefined {
  const source = ledger.prepare<[string], PageSource>('select key, hash, label from sources where key = ?')
  return (key) => source.get(key)
}

/** The same for what the site's own pages read: a few of perhaps many thousands. */
export function listOwnSources(ledger: Ledger): Map<string, PageSource> {
  const sources = ledger
    .prepare<[], PageSource>(`select key, hash, label from sources where key >= 'own:' and key < 'own;'`)
    .all()
  return new Map(sources.map((source) => [source.key, source]))
}

/** Replaces the sources in the ledger; without `isWhole`, adds to them. */
export function saveSources(
  ledger: Ledger,
  sources: Iterable<PageSource>,
  { isWhole }: { isWhole: boolean },
): void {
  const find = openSources(ledger)
  const kept = new Set<string>()
  const save = ledger.prepare(
    `insert into sources values (?, ?, ?)
     on conflict (key) do update set hash = excluded.hash, label = excluded.label`,
  )
  for (const { key, hash, label } of sources) {
    const old = find(key)
    kept.add(key)
    if (old?.hash !== hash || old.label !== label) save.run(key, hash, label)
  }
  if (!isWhole) return
  const forget = ledger.prepare('delete from sources where key = ?')
  for (const key of listSources(ledger).keys()) if (!kept.has(key)) forget.run(key)
}
