import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { restoreTrashedEntry } from '#src/entries/trash/restore-trashed-entry.ts'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { listPublishes } from '#src/publish/publish-store.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { DEFAULT_STAGES } from '#src/submissions/stages/stage-settings.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { editEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

async function lastReasons(db: Awaited<ReturnType<typeof aPublishedSite>>['db']) {
  const [last] = await listPublishes(db, { limit: 1 })
  return last?.reasons
}

test('a publish with new templates lists the content changes too', async (t) => {
  const { db, dataDir, publish, setTitle } = await aPublishedSite(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  await publish()
  // As if the current release had been made with other templates.
  const ledger = openLedger(ledgerFile(dataDir))
  ledger.exec("update sources set hash = 'x' where key = 'template'; update pages set fingerprint = 'x'")
  ledger.exec("update releases set facts = json_set(facts, '$.program', 'x')")
  ledger.close()
  await setTitle('Cooling for Dallas')
  await db.updateTable('taxonomy_terms').set({ name: 'Big Austin' }).where('slug', '=', 'austin').execute()
  await addEntry(db, 'pages', { slug: 'news', title: 'News' })
  await publish()
  const reasons = (await lastReasons(db))?.join('\n') ?? ''
  assert.match(reasons, /^Updating the templates changes \d+ pages$/m)
  assert.match(reasons, /^Renaming the place Austin to Big Austin changes \d+ pages$/m)
  assert.match(reasons, /^Editing the page Cooling for Dallas$/m)
  assert.match(reasons, /^Adding the page News$/m)
})

test('a full publish lists the content changes too', async (t) => {
  const { db, publish, setTitle } = await aPublishedSite(t)
  await publish()
  await setTitle('Cooling for Dallas')
  await publish({ full: true })
  const reasons = (await lastReasons(db)) ?? []
  assert.match(reasons[0] ?? '', /^Rendering every page again changes/)
  assert.ok(reasons.includes('Editing the page Cooling for Dallas'), reasons.join('\n'))
})

test('edited, added, and removed entries are counted by their type', async (t) => {
  const { db, publish } = await aPublishedSite(t)
  const ids: number[] = []
  for (const slug of ['a', 'b', 'c', 'd'])
    ids.push(await addEntry(db, 'pages', { slug, title: slug, body: slug }))
  await publish()
  const [a = 0, b = 0, c = 0, d = 0] = ids
  for (const id of [a, b]) await editEntry(db, id, { body: 'New' })
  for (const id of [c, d]) await deleteEntry(db, id, { now: new Date() })
  for (const slug of ['e', 'f']) await addEntry(db, 'pages', { slug, title: slug })
  const { plan } = await publish()
  const found = plan.causes.filter(({ key }) => key.startsWith('entries_'))
  const pages = { slug: 'pages', name: 'Pages' }
  assert.deepEqual(
    found.map(({ cause, pages: count }) => [cause.code, count, 'params' in cause && cause.params]).toSorted(),
    [
      ['entries_added', 2, { type: pages }],
      ['entries_edited', 2, { type: pages }],
      ['entries_removed', 2, { type: null }],
    ],
  )
})

test('the first publish has one cause', async (t) => {
  const { db, publish } = await aPublishedSite(t)
  await publish()
  assert.match(
    (await lastReasons(db))?.join('\n') ?? '',
    /^Building the site for the first time changes \d+ pages$/,
  )
})

test('a review that was deleted and restored is no cause', async (t) => {
  const { db, publish, service } = await aPublishedSite(t)
  const data = { service: 'ac-repair', author: 'Ann', quote: 'Good' }
  const review = await addEntry(db, 'testimonials', { slug: 'praise', title: 'Praise', data })
  await publish()
  await deleteEntry(db, review, { now: new Date() })
  const [trashed] = await listTrash(db, { limit: 1 })
  await restoreTrashedEntry(db, trashed?.id ?? 0, { now: new Date() })
  await editEntry(db, service.id, { body: 'Same day, any make.' })
  await publish()
  const reasons = (await lastReasons(db))?.join('\n') ?? ''
  assert.match(reasons, /AC repair/)
  assert.doesNotMatch(reasons, /Praise/)
})

test('a new review is a cause only on the pages that show it', async (t) => {
  const { db, publish } = await aPublishedSite(t)
  const data = { service: 'ac-repair', author: 'Ann' }
  for (const slug of ['one', 'two', 'three']) await addEntry(db, 'testimonials', { slug, title: slug, data })
  await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  await publish()
  await addEntry(db, 'testimonials', { slug: 'four', title: 'Praise', data: { ...data, service: 'drains' } })
  const saved = await changeSiteSettings(db, { changes: { phone: '(512) 555-0142' } }, { now: new Date() })
  assert.equal(saved.kind, 'saved')
  await publish()
  const reasons = (await lastReasons(db)) ?? []
  // The home page and the page of Drains, but no other service nor its local pages.
  assert.ok(reasons.includes('Adding the review Praise changes 2 pages'), reasons.join('\n'))
})

test('settings that visitors never see render no page again, and are no cause of another change', async (t) => {
  const { db, publish, service } = await aPublishedSite(t)
  await publish()
  const stages = DEFAULT_STAGES.map((stage) => ({ ...stage, name: `${stage.name}!` }))
  const change = async (changes: Parameters<typeof changeSiteSettings>[1]['changes']) => {
    const saved = await changeSiteSettings(db, { changes }, { now: new Date() })
    assert.equal(saved.kind, 'saved')
  }
  await change({ record_reading: true, stages })
  const { plan } = await publish()
  assert.deepEqual([plan.changed, plan.renderedSame, plan.causes], [0, 0, []])
  await change({ record_reading: false, stages: [...DEFAULT_STAGES] })
  await editEntry(db, service.id, { body: 'Same day, any make.' })
  const { causes } = (await publish()).plan
  assert.deepEqual(
    causes.map(({ key }) => key),
    [`service-text:${service.id}`],
  )
})

test('the places where a service is offered are no cause', async (t) => {
  const { db, publish, service } = await aPublishedSite(t)
  await editEntry(db, service.id, { data: { offered_in: ['texas/*'] } })
  await publish()
  const kyle = { text: 'Kyle', parentId: null, serviceIds: [service.id] }
  await addTerms(db, 'locations', kyle, { now: new Date() })
  await publish()
  const reasons = (await lastReasons(db)) ?? []
  assert.deepEqual(reasons.map((reason) => reason.replace(/ changes .*/, '')).toSorted(), [
    'Adding the place Kyle',
    'Updating links to added and removed pages',
  ])
})
