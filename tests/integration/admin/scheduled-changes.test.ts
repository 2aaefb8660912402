import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { findEntryDraft } from '#src/entries/history/entry-draft.ts'
import { toSnapshot } from '#src/entries/history/entry-snapshot.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { keepDraft } from '#src/versions/keep-version.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000
const CHANGE = {
  status: 'published',
  slug: 'about',
  title: 'About us',
  body: 'New text.',
  'time-zone': 'UTC',
}
const LATER = { ...CHANGE, publish_at: '2999-01-01T09:00' }

// A live page.
async function aLivePage(t: TestContext) {
  const site = await startAdmin(t)
  const { db, publishing } = site.app
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'Old text.' })
  await publishing.request({ startedBy: 'admin' })
  await waitFor(async () => (await fetch(`${site.url}/about`)).status === 200, PATIENCE_MS)
  await waitFor(async () => !publishing.isRunning(), PATIENCE_MS)
  const path = `/admin/entries/pages/${id}`
  const save = async (values: object, act = 'save') => {
    const based_on = (await site.open(path)).element.querySelector<HTMLInputElement>('[name=based_on]')?.value
    const answer = await site.post(path, { ...values, act, based_on: based_on ?? '' })
    assert.equal(answer.status, 303, await answer.text())
  }
  const stored = () =>
    db.selectFrom('content_entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { site, id, path, save, stored }
}

test('a later date on a live page schedules the change and leaves the page alone', async (t) => {
  const { site, path, save, stored } = await aLivePage(t)
  ;(await site.open(path)).getByText(/Visitors will see the live page until then\. Time zone/)
  await save(LATER)
  const { title, publish_at } = await stored()
  assert.deepEqual([title, publish_at], ['About', null])
  const page = await site.open(path)
  assert.match(page.words, /change scheduled for Jan 1/)
  page.getByRole('button', { name: 'Schedule for Jan 1, 2999, 9:00 AM UTC' })
  assert.match(
    page.words,
    /This change goes live on Jan 1, 2999, 9:00 AM UTC\. Visitors will see the live version/,
  )
  assert.equal(page.queryAllByText('removed at next publish').length, 0)
  assert.match((await site.open('/admin/publish')).words, /Jan 1, 2999, 9:00 AM UTC: ?About changes/)
})

test('a scheduled change can be unscheduled, or added to the next publish', async (t) => {
  const { site, id, path, save, stored } = await aLivePage(t)
  const version = async () => String((await findEntryDraft(site.app.db, id))?.version.id)
  await save(LATER)
  const form = (await site.open(path)).getByRole('button', { name: 'Cancel schedule' }).closest('form')
  assert.equal(form?.getAttribute('action'), `${path}/schedule`)
  await site.post(`${path}/schedule`, { draft: await version() })
  const draft = await findEntryDraft(site.app.db, id)
  assert.deepEqual([draft?.snapshot.title, draft?.snapshot.publishAt], ['About us', null])
  const page = await site.open(path)
  page.getByText('has a draft')
  page.getByRole('button', { name: 'Save for next publish' })
  assert.equal(page.queryByRole('button', { name: 'Cancel schedule' }), null)
  await save(LATER)
  await site.post(`${path}/draft`, { act: 'use', version: await version() })
  const { title, publish_at } = await stored()
  assert.deepEqual([title, publish_at], ['About us', null])
})

test('a page that is not live yet keeps its own schedule', async (t) => {
  const site: AdminSite = await startAdmin(t)
  const id = await addEntry(site.app.db, 'pages', { slug: 'sale', title: 'Sale' })
  const path = `/admin/entries/pages/${id}`
  const page = await site.open(path)
  page.getByLabelText(/^Publish at/)
  const based_on = page.element.querySelector<HTMLInputElement>('[name=based_on]')?.value ?? ''
  await site.post(path, { ...LATER, slug: 'sale', act: 'save', based_on })
  const row = await site.app.db
    .selectFrom('content_entries')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  assert.equal(row?.publish_at, '2999-01-01T09:00:00.000Z')
  assert.equal(await findEntryDraft(site.app.db, id), undefined)
})

test('a draft has no schedule, even if a time is set', async (t) => {
  const { site, id, path, save } = await aLivePage(t)
  await save(LATER)
  await save(LATER, 'draft')
  const draft = await findEntryDraft(site.app.db, id)
  assert.deepEqual([draft?.snapshot.title, draft?.snapshot.publishAt], ['About us', null])
  ;(await site.open(path)).getByText('has a draft')
})

test('the schedule button publishes a draft at its time, and canceling makes it a draft again', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const id = await addEntry(db, 'pages', { slug: 'sale', title: 'Sale', status: 'draft' })
  const path = `/admin/entries/pages/${id}`
  const values = { status: 'draft', slug: 'sale', title: 'Sale', 'time-zone': 'UTC', act: 'schedule' }
  const stored = () =>
    db.selectFrom('content_entries').select(['status', 'publish_at']).where('id', '=', id).executeTakeFirst()
  for (const [publish_at, problem] of [
    ['', 'Enter a date and a time.'],
    ['2020-01-01T09:00', 'Enter a time in the future.'],
  ] as const) {
    const answer = await site.post(path, { ...values, publish_at })
    assert.equal(answer.status, 422)
    assert.ok((await answer.text()).includes(problem), problem)
  }
  assert.deepEqual(await stored(), { status: 'draft', publish_at: null })
  await site.post(path, { ...values, publish_at: '2999-01-01T09:00' })
  assert.deepEqual(await stored(), { status: 'published', publish_at: '2999-01-01T09:00:00.000Z' })
  const page = await site.open(path)
  assert.match(page.words, /scheduled for Jan 1/)
  page.getByRole('button', { name: 'Cancel schedule' })
  const entry = (await findEntryById(db, id)) ?? assert.fail('there is no entry')
  const clock = { now: new Date().toISOString() }
  await keepDraft(db, entrySubject(id), { before: undefined, after: toSnapshot(entry, []) }, clock)
  assert.equal((await findEntryDraft(db, id))?.snapshot.publishAt, '2999-01-01T09:00:00.000Z')
  await site.post(`${path}/schedule`, {})
  assert.equal((await findEntryDraft(db, id))?.snapshot.publishAt, null)
  assert.deepEqual(await stored(), { status: 'draft', publish_at: null })
})
