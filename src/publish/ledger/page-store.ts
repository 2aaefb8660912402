import type { Ledger } from './ledger-store.ts'
import { PAGE_COLUMNS } from './ledger-tables.ts'
import type { PageRecord } from './page-record.ts'

const RECORD = `path, key, fingerprint, own, bytes_hash as bytesHash, size, modified_at as modifiedAt, quality,
  is_listed as isListed, former, picture, entry as entryId, frame, own_text as ownText, reads, part`

type Row = Omit<PageRecord, 'isListed'> & { isListed: number }

/** Looks pages up. */
export type KnownPages = ReturnType<typeof openKnownPages>

export function openKnownPages(ledger: Ledger) {
  const page = ledger.prepare<[string], Row>(`select ${RECORD} from pages where path = ?`)
  const ofEntry = ledger.prepare<[number], Row>(`select ${RECORD} from pages where entry = ?`)
  // A first publish asks for every page.
  const isEmpty = ledger.prepare('select 1 from pages limit 1').get() === undefined
  return {
    find(path: string): PageRecord | undefined {
      const row = isEmpty ? undefined : page.get(path)
      return row && toRecord(row)
    },
    /** The page of an entry. */
    findOf(entryId: number): PageRecord | undefined {
      const row = ofEntry.get(entryId)
      return row && toRecord(row)
    },
  }
}

function toRecord(row: Row): PageRecord {
  return { ...row, isListed: row.isListed === 1 }
}

/** The pages of the newest release, sorted by address. */
export function* listPages(ledger: Ledger): Generator<PageRecord> {
  for (const row of ledger.prepare<[], Row>(`select ${RECORD} from pages order by path`).iterate())
    yield toRecord(row)
}

/** Lists up to `limit` IDs of the entries with pages, from this one up. */
export function listEntriesFrom(ledger: Ledger, { from, limit }: { from: number; limit: number }): number[] {
  return ledger
    .prepare('select entry from pages where entry >= ? limit ?')
    .pluck()
    .all(from, limit) as number[]
}

/** Records of the entries' own texts, by entry ID. */
export function listOwnTexts(ledger: Ledger): Map<number, string> {
  const rows = ledger.prepare<[], { id: number; text: string }>(
    'select entry as id, own_text as text from pages where entry is not null and own_text is not null',
  )
  return new Map(rows.all().map(({ id, text }) => [id, text]))
}

/** The pages of a sitemap: those with a `part` from `from` up to `to`. */
export function listListed(
  ledger: Ledger,
  { from, to }: { from: number; to: number },
): Pick<PageRecord, 'path' | 'modifiedAt'>[] {
  return ledger
    .prepare<[number, number], Pick<PageRecord, 'path' | 'modifiedAt'>>(
      `select path, modified_at as modifiedAt from pages
       where is_listed = 1 and part >= ? and part < ? order by path`,
    )
    .all(from, to)
}

/** Returns those of these pictures that no page uses. */
export function listUnusedPictures(ledger: Ledger, paths: readonly string[]): string[] {
  const used = ledger.prepare('select 1 from pages where picture = ?')
  return paths.filter((path) => used.get(path) === undefined)
}

/** The share pictures of all pages. */
export function listPicturePaths(ledger: Ledger): string[] {
  return ledger
    .prepare('select distinct picture from pages where picture is not null')
    .pluck()
    .all() as string[]
}

const VALUES = PAGE_COLUMNS.slice(1)
const SET = VALUES.map((column) => `${column} = excluded.${column}`).join()

/** Replaces the pages in the ledger with those collected by a `Stage`. */
export function savePages(ledger: Ledger): void {
  ledger.exec(`
    savepoint saving_pages;
    delete from pages where path in (select path from staged where state = 'removed');
    insert into pages (${PAGE_COLUMNS.join()})
      select ${PAGE_COLUMNS.map((column) => `staged.${column}`).join()}
      from staged left join pages on pages.path = staged.path
      where staged.state <> 'removed' and (pages.path is null or staged.is_written = 1
        or (${VALUES.map((column) => `staged.${column}`)}) is not (${VALUES.map((column) => `pages.${column}`)}))
      on conflict (path) do update set ${SET};
    release saving_pages;`)
}
