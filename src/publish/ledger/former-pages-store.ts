import type { Ledger } from './ledger-store.ts'
import { PAGE_COLUMNS } from './ledger-tables.ts'

const ENTRY = PAGE_COLUMNS.indexOf('entry')
const SOURCES = ['service', 'testimonial'] as const

/**
 * Looks up what a kept release shows of entries, even if there are newer ones: the first change of a row after the
 * release holds its old value.
 */
export function openFormerPages(ledger: Ledger, number: number) {
  const after = ledger.prepare<[string, string, number], { row: string | null }>(
    'select row from former where source = ? and key = ? and number > ? order by number limit 1',
  )
  const pathsOf = ledger.prepare<[number], string>('select path from pages where entry = ?').pluck()
  const source = ledger.prepare<[string]>('select 1 from sources where key = ?')
  const isNewest =
    ledger.prepare<[number]>('select 1 from former where number > ? limit 1').get(number) === undefined
  const wasAt = (table: string, key: string) => (isNewest ? undefined : after.get(table, key, number))

  function hasPage(id: number): boolean {
    return pathsOf.all(id).some((path) => {
      const former = wasAt('pages', path)
      return former === undefined || (former.row !== null && JSON.parse(former.row)[ENTRY] === id)
    })
  }

  function hasPart(id: number): boolean {
    return SOURCES.some((kind) => {
      const key = `${kind}:${id}`
      const former = wasAt('sources', key)
      return former ? former.row !== null : source.get(key) !== undefined
    })
  }

  return {
    /** Returns those of these entries that have a page or are part of pages. */
    listEntries(ids: readonly number[]): Set<number> {
      const gone = isNewest ? new Set<number>() : listGone(ledger, { number, ids })
      return new Set(ids.filter((id) => hasPage(id) || hasPart(id) || gone.has(id)))
    },
  }
}

// Pages that newer releases no longer have.
function listGone(ledger: Ledger, { number, ids }: { number: number; ids: readonly number[] }): Set<number> {
  const rows = ledger
    .prepare<[number, string, number], number>(
      `select row ->> ${ENTRY} from former one
       where source = 'pages' and number > ? and row ->> ${ENTRY} in (select value from json_each(?))
         and number = (select min(number) from former where source = 'pages' and key = one.key and number > ?)`,
    )
    .pluck()
    .all(number, JSON.stringify(ids), number)
  return new Set(rows)
}
