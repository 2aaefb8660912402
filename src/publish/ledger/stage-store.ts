import { hasExtension } from '../../site/own-pages/own-page.ts'
import type { SharePicture } from '../../site/pages/share-picture.ts'
import type { PageQuality } from '../../site/quality/page-quality.ts'
import { SameAddress } from '../addresses/same-address.ts'
import { nameSinglePage, type PlanCause, type SourceChange } from '../plan/plan-causes.ts'
import type { PageChange, ReleasePlan } from '../plan/plan-release.ts'
import type { BrokenLink } from '../release/verify-release.ts'
import type { RangeOutcome, StagedPage } from '../render/share-work.ts'
import type { Ledger, Statement } from './ledger-store.ts'
import { PAGE_COLUMNS } from './ledger-tables.ts'
import type { PageRecord } from './page-record.ts'

const QUALITIES_AT_ONCE = 2_000
const TEMPORARY = `
  create temp table staged (
    path text primary key, state text not null, is_written integer not null, ${PAGE_COLUMNS.slice(1).join()}
  ) without rowid;
  create temp table reasons (key text primary key, cause text not null) without rowid;
  create temp table page_reasons (key text, path text, primary key (path, key)) without rowid;
  create temp table links (target text primary key, page text not null) without rowid;
  create temp table qualities (id integer primary key, quality text not null);
  create temp table drawings (path text primary key, picture text not null) without rowid;`

/** Results of a comparison, collected range by range for the next release. They are discarded with the connection. */
export class Stage {
  readonly #ledger: Ledger
  readonly #touched: Statement
  readonly #reasons = new Set<string>()
  readonly #inserts = new Map<string, Statement>()

  constructor(ledger: Ledger) {
    ledger.exec(TEMPORARY)
    this.#ledger = ledger
    this.#touched = ledger.prepare(
      `select 1 from staged where path = ? and (is_written = 1 or state = 'removed')`,
    )
  }

  /**
   * Adds the results of a range. Throws `SameAddress` if one of its pages has the address of a page in another
   * range.
   */
  add(outcome: RangeOutcome): void {
    this.#ledger.transaction(() => this.#addRange(outcome))()
  }

  #addRange({ pages, links, qualities, pictures }: RangeOutcome) {
    this.#addPages(pages)
    const [addLink, addQuality] = [this.#insert('links', 2), this.#insert('qualities', 2)]
    for (const { target, page } of links) addLink(target, page)
    for (const one of qualities) addQuality(null, JSON.stringify(one))
    const addDrawing = this.#insert('drawings', 2)
    for (const picture of pictures) addDrawing(picture.path, JSON.stringify(picture))
  }

  #addPages(pages: readonly StagedPage[]) {
    const add = this.#insert('staged', PAGE_COLUMNS.length + 2)
    for (const { state, isWritten, causes, record } of pages) {
      const { path } = record
      if (add(path, state, isWritten ? 1 : 0, ...valuesOf(record)) === 0) throw new SameAddress(path)
      this.explain(path, causes)
    }
  }

  /** Records why a page differs. */
  explain(path: string, causes: readonly SourceChange[]): void {
    const [addReason, addTo] = [this.#insert('reasons', 2), this.#insert('page_reasons', 2)]
    for (const { key, cause } of causes) {
      if (!this.#reasons.has(key)) addReason(key, JSON.stringify(cause))
      this.#reasons.add(key)
      addTo(key, path)
    }
  }

  // Returns the number of rows added: none if there already is one with this key.
  #insert(table: string, columns: number): (...values: unknown[]) => number {
    const values = Array(columns).fill('?').join()
    const sql = `insert into ${table} values (${values}) on conflict do nothing`
    const statement = this.#inserts.get(table) ?? this.#ledger.prepare(sql)
    this.#inserts.set(table, statement)
    return (...row) => statement.run(row).changes
  }

  /** Finds the pages of the previous release that this one doesn't have. */
  findRemoved(): { path: string; key: string }[] {
    this.#ledger.exec(`
      insert into staged (path, state, is_written, key, is_listed, part)
      select path, 'removed', 0, key, 0, part from pages where path not in (select path from staged)`)
    return this.listRemoved()
  }

  listRemoved(): { path: string; key: string }[] {
    return this.#ledger
      .prepare<[], { path: string; key: string }>(
        `select path, key from staged where state = 'removed' order by path`,
      )
      .all()
  }

  /** Number of compared pages that are other kinds of files, such as feeds. */
  countOtherFiles(): number {
    const own = `select path from staged where state <> 'removed' and reads is not null and instr(path, '.') > 0`
    const paths = this.#ledger.prepare(own).pluck().all() as string[]
    return paths.filter(hasExtension).length
  }

  /** Number of compared pages of each kind, and their bytes. */
  count(): Pick<ReleasePlan, 'added' | 'changed' | 'removed' | 'unchanged' | 'renderedSame' | 'bytes'> {
    const sums = this.#ledger.prepare<[], { state: string; pages: number; bytes: number }>(
      'select state, count(*) as pages, coalesce(sum(size), 0) as bytes from staged group by state',
    )
    const byState = new Map(sums.all().map((one) => [one.state, one]))
    const pagesOf = (state: string) => byState.get(state)?.pages ?? 0
    return {
      ...{ added: pagesOf('added'), changed: pagesOf('changed'), removed: pagesOf('removed') },
      unchanged: pagesOf('unchanged') + pagesOf('same'),
      renderedSame: pagesOf('same'),
      bytes: [...byState.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    }
  }

  /** The compared pages as in the previous release. */
  countBefore(): Counts {
    // With `cross`, a few compared pages are looked up among all pages instead of the other way around.
    return this.#count(`select pages.size, pages.is_listed from staged cross join pages using (path)`)
  }

  /** The compared pages that exist now. */
  countNow(): Counts {
    return this.#count(`select size, is_listed from staged where state <> 'removed'`)
  }

  #count(pages: string): Counts {
    return this.#ledger
      .prepare<[], Counts>(
        `select count(*) as pages, coalesce(sum(size), 0) as bytes, coalesce(sum(is_listed), 0) as listed
         from (${pages})`,
      )
      .get() as Counts
  }

  /** The `part` of each page whose sitemap entry differs. */
  listMovedParts(): number[] {
    return this.#ledger
      .prepare(
        `select distinct staged.part from staged left join pages using (path)
         where (staged.is_listed, staged.modified_at) is not (pages.is_listed, pages.modified_at)`,
      )
      .pluck()
      .all() as number[]
  }

  /** Pictures that pages no longer use. */
  listLeftPictures(): string[] {
    return this.#ledger
      .prepare(
        `select distinct pages.picture from staged cross join pages using (path)
         where pages.picture is not null and staged.picture is not pages.picture`,
      )
      .pluck()
      .all() as string[]
  }

  /** Reasons for differences, most pages first. */
  listCauses(): PlanCause[] {
    type Row = { key: string; cause: string; pages: number; path: string; entryId: number | null }
    const causes = this.#ledger.prepare<[], Row>(`
      select found.*, coalesce(staged.entry, pages.entry) as entryId from (
        select key, cause, count(*) as pages, min(path) as path from reasons join page_reasons using (key)
        group by key) found
      left join staged using (path) left join pages using (path)
      order by found.pages desc, found.key`)
    return causes
      .all()
      .map(({ key, cause, pages, ...page }) => nameSinglePage({ key, cause: JSON.parse(cause), pages }, page))
  }

  /** Differing pages, sorted by address. */
  *listChanges(): Generator<PageChange> {
    const changes = this.#ledger.prepare<[], Omit<PageChange, 'causes'> & { causes: string | null }>(`
      select state as change, path, key, bytes_hash as bytesHash,
        (select group_concat(key, '|') from page_reasons where page_reasons.path = staged.path) as causes
      from staged where state <> 'unchanged' order by path`)
    for (const { causes, ...change } of changes.iterate())
      yield { ...change, causes: causes?.split('|') ?? [] }
  }

  /** Returns true if the page's file was written or must be removed. */
  isTouched(path: string): boolean {
    return this.#touched.get(path) !== undefined
  }

  /** Returns true if pages gained or lost an address or a redirect. */
  movesAddresses(): boolean {
    const moved = this.#ledger.prepare(
      `select 1 from staged left join pages on pages.path = staged.path
       where state in ('added', 'removed') or staged.key <> pages.key or staged.former is not pages.former limit 1`,
    )
    return moved.get() !== undefined
  }

  /** Returns true if pages belong to other entries than before, such as local pages that were created again. */
  movesEntries(): boolean {
    const moved = `select 1 from staged left join pages using (path)
      where state <> 'removed' and staged.entry is not pages.entry limit 1`
    return this.#ledger.prepare(moved).get() !== undefined
  }

  /** Distinct links of the rendered pages. The ledger is busy from the first one to the last. */
  *listLinks(): Generator<BrokenLink> {
    yield* this.#ledger.prepare<[], BrokenLink>('select page, target from links').iterate()
  }

  /** Location pages whose quality changed. */
  *listQualities(): Generator<PageQuality> {
    const query = this.#ledger.prepare<[number], { id: number; quality: string }>(
      `select id, quality from qualities where id > ? order by id limit ${QUALITIES_AT_ONCE}`,
    )
    let rows = query.all(0)
    while (rows.length > 0) {
      for (const { quality } of rows) yield JSON.parse(quality)
      rows = query.all(rows.at(-1)?.id ?? 0)
    }
  }

  /** Distinct share pictures of the compared pages. */
  listDrawings(): SharePicture[] {
    const texts = this.#ledger.prepare('select picture from drawings').pluck().all() as string[]
    return texts.map((text) => JSON.parse(text))
  }
}

/** Number of pages, of those search engines may list, and the bytes of all. */
interface Counts {
  pages: number
  listed: number
  bytes: number
}

function valuesOf(page: PageRecord): unknown[] {
  const { key, fingerprint, own, bytesHash, size, modifiedAt, quality, isListed, former, picture } = page
  const { entryId, frame, ownText, reads, part } = page
  return [
    ...[key, fingerprint, own, bytesHash, size, modifiedAt, quality, isListed ? 1 : 0, former, picture],
    ...[entryId, frame, ownText, reads, part],
  ]
}
