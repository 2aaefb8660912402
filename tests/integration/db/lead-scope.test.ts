import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import {
  EVERY_LEAD,
  inScope,
  isFewPlaces,
  isNarrow,
  type LeadScope,
  namesInScope,
} from '#src/db/lead-scope/lead-scope.ts'
import type { Db } from '#src/db/schema.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

// Leads 1 and 2 are of place 10; lead 4 has no place, and the form of lead 5 was deleted.
const LEADS = sql`lead_rows (id, form_id, location_id) as
  (values (1, 1, 10), (2, 2, 10), (3, 1, 20), (4, 1, null), (5, null, 10))`
// Rows about a lead have the ID of the lead plus 100; row 900 is about none.
const ABOUT_LEADS = sql`about (id, lead_id) as
  (values (101, 1), (102, 2), (103, 3), (104, 4), (105, 5), (900, null))`

const MANY = Array.from({ length: 40_000 }, (_, index) => index + 20)

const SCOPES: [scope: LeadScope, leads: number[], isLimited: boolean][] = [
  [EVERY_LEAD, [1, 2, 3, 4, 5], false],
  [{ places: [10], forms: null }, [1, 2, 5], true],
  [{ places: [10, 20], forms: null }, [1, 2, 3, 5], true],
  [{ places: null, forms: [1] }, [1, 3, 4], true],
  [{ places: null, forms: [2, 1] }, [1, 2, 3, 4], true],
  [{ places: [10], forms: [1] }, [1], true],
  [{ places: [20], forms: [2] }, [], true],
  [{ places: [], forms: null }, [], true],
  [{ places: null, forms: [] }, [], true],
  [{ places: [], forms: [] }, [], true],
  // More than a statement takes parameters.
  [{ places: MANY, forms: null }, [3], true],
]

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: a scope has the leads of its places and forms, and rows about them`, async () => {
    const db = await engine.openMigrated()
    for (const [scope, leads, isLimited] of SCOPES) {
      const name = JSON.stringify(scope).slice(0, 80)
      assert.deepEqual(await leadsIn(db, inScope(db, scope), 'form_submissions'), leads, name)
      assert.deepEqual(await leadsIn(db, inScope(db, scope, 'own'), 'own'), leads, name)
      const about = leads.map((id) => id + 100)
      assert.deepEqual(await rowsAbout(db, scope), isLimited ? about : [...about, 900], name)
      assert.equal(isNarrow(scope), isLimited, name)
    }
  })
}

test('up to 50 places are few, and every place is not', () => {
  const places = (length: number) => Array.from({ length }, (_, index) => index)
  for (const [few, isFew] of [
    [null, false],
    [places(0), true],
    [places(50), true],
    [places(51), false],
  ] as const) {
    assert.equal(isFewPlaces({ places: few, forms: [1] }), isFew, `${few?.length}`)
  }
})

async function leadsIn(db: Db, condition: RawBuilder<boolean>, alias: string) {
  const { rows } = await sql<{ id: number }>`
    with ${LEADS} select id from lead_rows as ${sql.id(alias)} where ${condition} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

async function rowsAbout(db: Db, scope: LeadScope) {
  const { rows } = await sql<{ id: number }>`
    with ${LEADS}, form_submissions as (select * from lead_rows), ${ABOUT_LEADS}
    select about.id from about where ${namesInScope(db, scope, 'about.lead_id')} order by about.id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
