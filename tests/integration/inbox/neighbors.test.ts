import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD, type LeadScope } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import type { InboxFilter } from '#src/submissions/inbox/inbox-filter.ts'
import { listInbox } from '#src/submissions/inbox/list-inbox.ts'
import { findNeighbors } from '#src/submissions/inbox/neighbors.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { startAdmin } from '../../support/admin.ts'
import { sqliteEngine } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { addPlaces } from '../../support/small-site.ts'

const STATUSES = ['new', 'read', 'archived', 'spam'] as const

/** Adds 60 leads of the places in turn, each a minute after the one before, and indexes their words. */
async function addLeads(db: Kysely<Schema>, places: readonly (number | null)[]) {
  const rows = Array.from({ length: 60 }, (_, n) => ({
    ...{ form_id: 1, status: STATUSES[n % 7] ?? 'new', stage: n % 5 === 0 ? 'won' : 'new' },
    data_json: JSON.stringify({ full_name: `Ann ${n}`, details: n % 2 ? 'boilermaking' : 'drains' }),
    location_id: places[n % places.length] ?? null,
    submitted_at: new Date(Date.UTC(2026, 10, 20, 10, n)).toISOString(),
  }))
  await db.insertInto('form_submissions').values(rows).execute()
  await createSearchIndex({ db, log: { error: () => assert.fail() } }).catchUp(1_000)
}

/** Follows the neighbors from the first lead of a list to its last and back, and compares them with the list. */
async function assertFollowsList(db: Kysely<Schema>, filter: InboxFilter) {
  const { submissions } = await listInbox(db, filter, { limit: 60 })
  assert.ok(submissions.length > 1, 'there is something to follow')
  for (const [index, lead] of submissions.entries()) {
    const beside = await findNeighbors(db, lead, filter)
    const expected = { newer: submissions[index - 1]?.id, older: submissions[index + 1]?.id }
    assert.deepEqual(beside, expected, `lead ${lead.id}`)
  }
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: neighbors are those of the list, whatever its filter`, async (t) => {
    const db = await engine.openMigrated()
    const ids = await addPlaces(db, 'ohio/dayton', 'ohio/akron', 'texas')
    const [dayton, akron, texas] = ['dayton', 'akron', 'texas'].map((slug) => ids.get(slug) as number)
    await addLeads(db, [dayton ?? null, akron ?? null, texas ?? null, null])
    const ohio: LeadScope = { places: [dayton as number, akron as number], forms: null }
    const filters: Record<string, Partial<InboxFilter>> = {
      'the inbox': { statuses: ['new', 'read'] },
      'a stage': { stages: ['won'] },
      'a place': { location: 'Dayton' },
      'a place with those below it': { location: 'Ohio' },
      'several places by a part of their names': { location: 'a' },
      'a place and a status': { location: 'Ohio', statuses: ['archived'] },
      'a place, within the limits of an account': { location: 'o', scope: ohio },
      'an account of two places': { scope: ohio, statuses: ['new'] },
      'a place field without words': { location: '–' },
      'a word': { search: 'drains' },
      'the beginning of a long word': { search: 'boilermak' },
      'a word and a place': { search: 'drains', location: 'Ohio' },
      'a word, within the limits of an account': { search: 'drains', scope: ohio },
    }
    for (const [name, filter] of Object.entries(filters))
      await t.test(name, () => assertFollowsList(db, { scope: EVERY_LEAD, statuses: STATUSES, ...filter }))
    await t.test('a lead that has left the list keeps its position', async () => {
      const filter: InboxFilter = { scope: EVERY_LEAD, statuses: ['new'], location: 'Ohio' }
      const { submissions } = await listInbox(db, filter)
      const [newer, lead, older] = submissions
      assert.ok(lead)
      await db.updateTable('form_submissions').set({ status: 'archived' }).where('id', '=', lead.id).execute()
      assert.deepEqual(await findNeighbors(db, lead, filter), { newer: newer?.id, older: older?.id })
    })
  })
}

test('a lead opened from the list of a place leads on to the next of that place', async (t) => {
  const site = await startAdmin(t)
  const ids = await addPlaces(site.app.db, 'ohio/dayton', 'iowa')
  await addLeads(site.app.db, [ids.get('dayton') ?? null, ids.get('iowa') ?? null])
  const from = encodeURIComponent('/admin/inbox?location=Ohio')
  const page = await site.open(`/admin/inbox/29?from=${from}`)
  const hrefOf = (name: RegExp) => page.getByRole('link', { name }).getAttribute('href')
  assert.equal(hrefOf(/Newer lead/), `/admin/inbox/33?from=${from}`)
  assert.equal(hrefOf(/Older lead/), `/admin/inbox/27?from=${from}`)

  const office = await addPerson(site, 'office', { places: [ids.get('iowa') as number] })
  const path = `/admin/inbox/30?from=${encodeURIComponent('/admin/inbox?location=Iowa&stage=new')}`
  assert.match(await (await office.fetch(path)).text(), /href="\/admin\/inbox\/28\?from=/)
})
