import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD, type LeadScope } from '#src/db/lead-scope/lead-scope.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { findEarlierLeads } from '#src/submissions/inbox/earlier-leads.ts'
import { listInbox } from '#src/submissions/inbox/list-inbox.ts'
import { showSubmission } from '#src/submissions/inbox/show-submission.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { insertSearchWords } from '#src/submissions/search/search-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

const AT = '2026-10-01T10:00:00.000Z'
const [ENNIS, KILKEE] = [71, 72]
const ANN = { full_name: 'Ann', email: 'ann@example.com', phone: '087 123 4567' }

interface Lead {
  answers: Record<string, string>
  place?: number
  status?: 'new' | 'spam'
}

async function addLead(db: Kysely<Schema>, { answers, place, status = 'new' }: Lead) {
  const row = {
    form_id: 1,
    status,
    data_json: JSON.stringify(answers),
    submitted_at: AT,
    // Databases of before have no such column.
    ...(place && { location_id: place }),
  }
  return (await db.insertInto('form_submissions').values(row).returning('id').executeTakeFirstOrThrow()).id
}

async function indexed(db: Kysely<Schema>) {
  const index = createSearchIndex({ db, log: { error: () => assert.fail() } })
  assert.ok(await index.catchUp(1_000))
}

async function earlierOf(db: Kysely<Schema>, id: number, scope: LeadScope = EVERY_LEAD) {
  const shown = await showSubmission(db, id, { scope, marksRead: false })
  assert.ok(shown)
  const { leads, contacts } = await findEarlierLeads(db, shown, { scope, country: 'IE' })
  return { ids: leads.map(({ id }) => id), contacts }
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: earlier leads have the same email address or the same phone number`, async () => {
    const db = await engine.openMigrated()
    const sameEmail = await addLead(db, { answers: { full_name: 'A. Archer', email: 'Ann@Example.com ' } })
    const samePhone = await addLead(db, { answers: { contact: '+353 87 1234567' }, place: ENNIS })
    const others = [
      { answers: { email: 'joann@example.com' } },
      { answers: { email: 'ann@example.com.au' } },
      // The same last digits in another network, and in another country.
      { answers: { phone: '086 123 4567' } },
      { answers: { phone: '+44 7871 234567' } },
      { answers: { bottleneck: 'Ask ann@example.com about 087 123 4567' } },
      { answers: ANN, status: 'spam' as const },
    ]
    for (const other of others) await addLead(db, other)
    const lead = await addLead(db, { answers: ANN, place: KILKEE })
    await addLead(db, { answers: ANN })
    await indexed(db)
    assert.deepEqual(await earlierOf(db, lead), { ids: [samePhone, sameEmail], contacts: [] })
    const limited = { places: [ENNIS, KILKEE], forms: null }
    assert.deepEqual((await earlierOf(db, lead, limited)).ids, [samePhone])
    const none = await addLead(db, { answers: { full_name: 'Ann' } })
    assert.deepEqual((await earlierOf(db, none)).ids, [])
  })

  test(`${engine.name}: five earlier leads are listed, and a limited account finds its own behind others’`, async () => {
    const db = await engine.openMigrated()
    const own = await addLead(db, { answers: ANN, place: KILKEE })
    // More than are compared.
    for (let n = 0; n < 110; n++) await addLead(db, { answers: ANN, place: ENNIS })
    const lead = await addLead(db, { answers: ANN, place: KILKEE })
    await indexed(db)
    const all = await earlierOf(db, lead)
    assert.deepEqual(
      all.ids,
      [1, 2, 3, 4, 5].map((n) => lead - n),
    )
    assert.deepEqual(all.contacts, ['ann@example.com', '087 123 4567'])
    const limited = await earlierOf(db, lead, { places: [KILKEE], forms: null })
    assert.deepEqual(limited, { ids: [own], contacts: [] })
  })

  test(`${engine.name}: a search for a number finds it with and without its country code`, async () => {
    const db = await engine.openMigrated()
    const ids = [
      await addLead(db, { answers: { phone: '+353871234567' } }),
      await addLead(db, { answers: { phone: '087 123 4567' } }),
    ]
    await addLead(db, { answers: { phone: '087 123 4568' } })
    await indexed(db)
    for (const search of ['0871234567', '+353 (87) 123-4567']) {
      const { submissions } = await listInbox(db, { scope: EVERY_LEAD, statuses: ['new'], search })
      assert.deepEqual(submissions.map(({ id }) => id).sort(), ids.sort(), search)
    }
  })
}

test('leads from before the upgrade are reindexed', async () => {
  const engine = sqliteEngine()
  after(() => engine.close())
  const db = await engine.openEmpty()
  await migrate(db, { to: '0127' })
  const old = await addLead(db, { answers: ANN })
  await insertSearchWords(db, [{ id: old, words: 'ann' }])
  await migrate(db)
  const lead = await addLead(db, { answers: ANN })
  await indexed(db)
  assert.deepEqual((await earlierOf(db, lead)).ids, [old])
})

test('a lead’s page lists earlier leads and links to all of them', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const first = await addLead(db, { answers: ANN, place: ENNIS })
  const second = await addLead(db, { answers: ANN })
  await indexed(db)
  const page = await site.open(`/admin/inbox/${second}`)
  const region = page.getByRole('region', { name: 'Earlier leads' })
  assert.deepEqual(
    [...region.querySelectorAll('a')].map((link) => link.getAttribute('href')),
    [`/admin/inbox/${first}?from=%2Fadmin%2Finbox`],
  )
  const none = await site.open(`/admin/inbox/${first}`)
  assert.equal(none.queryAllByRole('region', { name: 'Earlier leads' }).length, 0)
  for (let n = 0; n < 6; n++) await addLead(db, { answers: ANN })
  const last = await addLead(db, { answers: ANN })
  await indexed(db)
  const link = (await site.open(`/admin/inbox/${last}`)).getByRole('link', {
    name: 'All leads from ann@example.com',
  })
  const href = String(link.getAttribute('href'))
  assert.ok(!href.includes('ann'), 'an address holds no email address')
  assert.equal((await site.open(href)).queryAllByRole('link', { name: 'Ann' }).length, 9)
})
