import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { EVERY_LEAD, type LeadScope } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import type { InboxFilter } from '#src/submissions/inbox/inbox-filter.ts'
import { listInbox } from '#src/submissions/inbox/list-inbox.ts'
import { countSubmissionsInScope } from '#src/submissions/inbox/submission-count-store.ts'
import { countUnread, countUnreadAndSpam, listInboxForms } from '#src/submissions/inbox/unread-store.ts'
import { findLeadScope } from '#src/submissions/scope/scope-store.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { listSources } from '#src/submissions/sources/source-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { addPlaces } from '../../support/small-site.ts'

const AT = '2026-11-20T10:00:00.000Z'

/** Two forms, and leads of both and of a deleted one. */
async function storeLeads(t: Parameters<typeof openTestDatabase>[0]) {
  const db = await openTestDatabase(t)
  await db.deleteFrom('forms').execute()
  const [one, two] = [
    await storeForm(db, 'one', { name: 'One' }),
    await storeForm(db, 'two', { name: 'Two' }),
  ]
  const rows = [
    { form_id: one.id, source: 'direct', answer: 'boilermaking', location_id: 7 },
    { form_id: one.id, source: 'ads:google', answer: 'other', status: 'spam' as const },
    { form_id: one.id, source: null, answer: 'archive', status: 'archived' as const },
    { form_id: one.id, source: 'ads:google', answer: 'archives', location_id: 8 },
    { form_id: two.id, source: 'search:bing', answer: 'boilermak', location_id: 7 },
    { form_id: two.id, source: 'search:bing', answer: 'other' },
    { form_id: null, source: 'gone', answer: 'other' },
  ]
  const leads = rows.map(({ answer, ...row }) => ({
    ...{ submitted_at: AT, data_json: JSON.stringify({ answer }), status: 'new' as const, location_id: null },
    ...row,
  }))
  await db.insertInto('form_submissions').values(leads).execute()
  await createSearchIndex({ db, log: { error: () => assert.fail() } }).catchUp(1_000)
  const of = (forms: readonly number[] | null, places: readonly number[] | null = null) => ({ forms, places })
  return { db, one: one.id, two: two.id, of }
}

async function idsOf(db: Kysely<Schema>, scope: LeadScope, search: string, rest: Partial<InboxFilter> = {}) {
  const { submissions } = await listInbox(db, { scope, statuses: ['new'], search, ...rest })
  return submissions.map(({ id }) => id)
}

test('whether a long word is searched as a beginning depends only on leads that the account may see', async (t) => {
  const { db, one, two, of } = await storeLeads(t)
  assert.deepEqual(await idsOf(db, EVERY_LEAD, 'boilermak'), [5])
  assert.deepEqual(await idsOf(db, EVERY_LEAD, 'boilermak', { formId: one }), [])
  assert.deepEqual(await idsOf(db, of([one]), 'boilermak'), [1])
  assert.deepEqual(await idsOf(db, of([one, two]), 'boilermak', { formId: one }), [])
  assert.deepEqual(await idsOf(db, of(null, [8]), 'archive'), [4])
  // The whole word is in an archived lead.
  assert.deepEqual(await idsOf(db, of([one]), 'archive'), [])
  assert.deepEqual(await idsOf(db, of([one]), 'archive', { statuses: ['archived'] }), [3])
  assert.deepEqual(await idsOf(db, of([one]), 'direct'), [])
})

test('an account of some forms gets their names, counts, and sources only', async (t) => {
  const { db, one, two, of } = await storeLeads(t)
  const formsOf = async (scope: LeadScope, most = 9) =>
    (await listInboxForms(db, { scope, most })).map(({ name, unread }) => `${name} ${unread}`)
  assert.deepEqual(await formsOf(EVERY_LEAD), ['One 2', 'Two 2'])
  assert.deepEqual(await formsOf(EVERY_LEAD, 1), ['One 1', 'Two 1'])
  assert.deepEqual(await formsOf(of([two])), ['Two 2'])
  assert.deepEqual(await formsOf(of([one], [7])), ['One 1'])
  assert.deepEqual(await formsOf(of([])), [])

  const countsOf = (scope: LeadScope, formId?: number) => countUnreadAndSpam(db, { scope, formId, most: 9 })
  assert.deepEqual(await countsOf(EVERY_LEAD), { unread: 5, spam: 1 })
  assert.deepEqual(await countsOf(EVERY_LEAD, two), { unread: 5, spam: 0 })
  assert.deepEqual(await countsOf(of([two])), { unread: 2, spam: 0 })
  assert.equal(await countUnread(db, { scope: of([one]), most: 9 }), 2)
  assert.equal(await countUnread(db, { scope: EVERY_LEAD, most: 4 }), 4)

  assert.deepEqual(await listSources(db, EVERY_LEAD), ['ads:google', 'direct', 'gone', 'search:bing'])
  assert.deepEqual(await listSources(db, of([one])), ['ads:google', 'direct'])
  assert.deepEqual(await listSources(db, of([one, two])), ['ads:google', 'direct', 'search:bing'])
  assert.deepEqual(await listSources(db, of([one, two], [7])), ['direct', 'search:bing'])
  assert.deepEqual(await listSources(db, of([])), [])
})

test('the leads of a scope are counted by day and form, without spam', async (t) => {
  const { db, one, two, of } = await storeLeads(t)
  const countsOf = async (scope: LeadScope, since = '2026-11-20') =>
    (await countSubmissionsInScope(db, { since, scope }))
      .map(({ day, formId, isSpam, count }) => [day, formId, isSpam, count])
      .sort()
  const [ofOne, ofTwo] = [
    ['2026-11-20', one, false, 3],
    ['2026-11-20', two, false, 2],
  ]
  assert.deepEqual(await countsOf(EVERY_LEAD), [['2026-11-20', 0, false, 1], ofOne, ofTwo])
  assert.deepEqual(await countsOf(of([one])), [ofOne])
  assert.deepEqual(await countsOf(of([one, two]), '2026-11-21'), [])
})

test('an account sees the places of its limits with those below, and only its forms', async (t) => {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'ohio/dayton', 'ohio/akron', 'texas')
  const [ohio = 0, dayton = 0, akron = 0] = ['ohio', 'dayton', 'akron'].map((slug) => places.get(slug))
  const scopeOf = (limits: LeadScope) => findLeadScope(db, limits)
  assert.deepEqual(await scopeOf({ places: null, forms: null }), EVERY_LEAD)
  assert.deepEqual(await scopeOf({ places: null, forms: [3] }), { places: null, forms: [3] })
  assert.deepEqual(await scopeOf({ places: [ohio], forms: null }), {
    places: [ohio, dayton, akron],
    forms: null,
  })
  assert.deepEqual(await scopeOf({ places: [dayton, 999], forms: [] }), { places: [dayton], forms: [] })
  assert.deepEqual(await scopeOf({ places: [], forms: null }), { places: [], forms: null })
})
