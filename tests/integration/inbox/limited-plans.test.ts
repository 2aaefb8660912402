import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { LeadScope } from '#src/db/lead-scope/lead-scope.ts'
import { updateStatistics } from '#src/db/sqlite/plan-statistics.ts'
import { countInScope } from '#src/server/dashboard/count-activity.ts'
import type { InboxFilter } from '#src/submissions/inbox/inbox-filter.ts'
import { listInbox } from '#src/submissions/inbox/list-inbox.ts'
import { findNeighbors } from '#src/submissions/inbox/neighbors.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { listSources } from '#src/submissions/sources/source-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { type Plan, plansOf } from '../../support/query-plans.ts'
import { addPlaces } from '../../support/small-site.ts'

/** Without the steps of a subquery that is called like the table. */
const readsOf = (plan: Plan) => plan.filter((step) => /\bform_submissions USING\b/.test(step))

test('for an account of some places, sources come from sums, and matches are read by ID', async (t) => {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, 'ohio', 'texas')
  const scope: LeadScope = { places: [...ids.values()], forms: null }
  const lead = { form_id: 1, data_json: '{"details":"boiler"}', submitted_at: '2026-11-20T10:00:00.000Z' }
  const leads = [...ids.values(), null].map((location_id) => ({ ...lead, location_id, source: 'direct' }))
  await db.insertInto('form_submissions').values(leads).execute()
  await createSearchIndex({ db, log: { error: () => assert.fail() } }).catchUp(1_000)

  const ofSources = (await plansOf(db, () => listSources(db, scope))).flat()
  assert.deepEqual(readsOf(ofSources), [])
  assert.deepEqual(
    ofSources.filter((step) => /SCAN lead_counts/.test(step)),
    [],
  )
  const filter: InboxFilter = { scope, statuses: ['new', 'read', 'archived', 'spam'], search: 'boiler' }
  const ofList = await plansOf(db, () => listInbox(db, filter))
  const ofNeighbors = await plansOf(db, () =>
    findNeighbors(db, { id: 2, submittedAt: lead.submitted_at }, filter),
  )
  const reads = [...ofList, ...ofNeighbors].flatMap(readsOf)
  assert.ok(reads.length >= 3)
  for (const read of reads) assert.match(read, /USING INTEGER PRIMARY KEY \(rowid=\?\)/)
})

test('with statistics, leads of a few places in one of few forms are read by place', async (t) => {
  const db = await openTestDatabase(t)
  const lead = {
    form_id: 1,
    data_json: '{}',
    submitted_at: '2026-11-20T10:00:00.000Z',
    email: 'ann@example.com',
  }
  const leads = Array.from({ length: 2_000 }, (_, index) => ({ ...lead, location_id: 1 + (index % 100) }))
  for (let at = 0; at < leads.length; at += 500)
    await db
      .insertInto('form_submissions')
      .values(leads.slice(at, at + 500))
      .execute()
  const scope: LeadScope = { places: [1, 2], forms: [1] }
  const plan = async () =>
    readsOf(
      (
        await plansOf(db, () => countInScope(db, { days: ['2026-11-01'], since: '2026-11-01', scope }))
      ).flat(),
    )
  assert.match(String(await plan()), /form_submissions_form_status/)
  await updateStatistics(db)
  assert.match(String(await plan()), /COVERING INDEX form_submissions_location/)
  // Samples would keep visitors’ answers after their erasure.
  const { rows } = await sql`select * from sqlite_stat4`.execute(db)
  assert.deepEqual(rows, [])
  const { rows: due } = await sql<{ optimize: string }>`pragma optimize(0x10003)`.execute(db)
  assert.ok(!due.some(({ optimize }) => optimize.includes('form_submissions')), 'nothing is done again')
})
