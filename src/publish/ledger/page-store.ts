import type { PageRange } from '../../site/pages/list-pages.ts'
import type { QualitySummary } from '../quality-summary.ts'
import { type Ledger, PAGE_COLUMNS } from './ledger-store.ts'
import type { PageRecord } from './page-record.ts'

const RECORD = `path, key, fingerprint, own, bytes_hash as bytesHash, size, modified_at as modifiedAt, quality,
  is_listed as isListed, former, picture`

type Row = Omit<PageRecord, 'isListed'> & { isListed: number }

/** What the ledger knows of a range of pages. */
export interface KnownRange {
  id: number
  mark: string | null
  pages: number
  bytes: number
  quality: Pick<QualitySummary, 'pages' | 'unlisted'>
}

/** Looks pages and ranges up: see `PageRange`. */
export type KnownPages = ReturnType<typeof openKnownPages>

export function openKnownPages(ledger: Ledger) {
  const page = ledger.prepare<[string], Row>(`select ${RECORD} from pages where path = ?`)
  const range = ledger.prepare<[string], Omit<KnownRange, 'quality'> & { judged: number; unlisted: number }>(
    'select id, mark, pages, bytes, judged, unlisted from ranges where name = ?',
  )
  const ofRange = ledger.prepare<[number], Pick<PageRecord, 'path' | 'size'>>(
    'select path, size from pages where range = ?',
  )
  return {
    find(path: string): PageRecord | undefined {
      const row = page.get(path)
      return row && toRecord(row)
    },
    findRange(name: PageRange): KnownRange | undefined {
      const row = range.get(JSON.stringify(name))
      if (!row) return undefined
      const { judged, unlisted, ...rest } = row
      return { ...rest, quality: { pages: judged, unlisted } }
    },
    listFiles: ({ id }: KnownRange) => ofRange.all(id),
  }
}

function toRecord(row: Row): PageRecord {
  return { ...row, isListed: row.isListed === 1 }
}

/** The pages of the newest release in the order of their addresses. */
export function* listPages(ledger: Ledger): Generator<PageRecord> {
  for (const row of ledger.prepare<[], Row>(`select ${RECORD} from pages order by path`).iterate())
    yield toRecord(row)
}

/** The pages of the sitemap. */
export function listListed(ledger: Ledger): Pick<PageRecord, 'path' | 'modifiedAt'>[] {
  return ledger
    .prepare<[], Pick<PageRecord, 'path' | 'modifiedAt'>>(
      'select path, modified_at as modifiedAt from pages where is_listed = 1 order by path',
    )
    .all()
}

/** The pictures that stand for pages where they are shared. */
export function listPicturePaths(ledger: Ledger): string[] {
  return ledger
    .prepare('select distinct picture from pages where picture is not null')
    .pluck()
    .all() as string[]
}

const VALUES = PAGE_COLUMNS.slice(1)
const SET = VALUES.map((column) => `${column} = excluded.${column}`).join()

/** Makes the pages and ranges of the ledger those that `openStage` collected. */
export function savePages(ledger: Ledger): void {
  ledger.exec(`
    savepoint saving_pages;
    delete from pages where path in (select path from staged where state = 'removed');
    insert into pages (${PAGE_COLUMNS.join()}, range)
      select ${PAGE_COLUMNS.map((column) => `staged.${column}`).join()}, staged.range
      from staged left join pages on pages.path = staged.path
      where staged.state <> 'removed' and (pages.path is null or staged.is_written = 1
        or (${VALUES.map((column) => `staged.${column}`)}) is not (${VALUES.map((column) => `pages.${column}`)}))
      on conflict (path) do update set ${SET};
    update pages set range = staged.range from staged where staged.path = pages.path and pages.range <> staged.range;
    delete from ranges where id > 0 and id not in (select id from kept_ranges);
    insert into ranges select one.id, one.name, one.mark, coalesce(sums.pages, 0), coalesce(sums.bytes, 0), one.judged, one.unlisted
      from staged_ranges one left join
        (select range, count(*) as pages, sum(size) as bytes from staged group by range) sums on sums.range = one.id;
    release saving_pages;`)
}
