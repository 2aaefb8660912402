import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { deleteTerm } from '#src/entries/terms/delete-term.ts'
import { restoreTrashedEntry } from '#src/entries/trash/restore-trashed-entry.ts'
import { addPicture } from '#src/pictures/add-picture.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import type { ContentChange } from '#src/publish/changes/change-store.ts'
import { loadPending } from '#src/publish/pending/pending-changes.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { renameForm } from '#src/site/forms/rename-form.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { findTaxonomy, listTerms } from '#src/taxonomies/taxonomy-store.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { aPhoto } from '../../support/photos.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { editEntry, editPlace } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const NOW = { now: new Date('2026-11-20T12:00:00.000Z') }
const CLOCK = { now: NOW.now.toISOString() }

async function aSite(t: TestContext) {
  const site = await aPublishedSite(t)
  const { db, dataDir, publish } = site
  const pages = {
    about: await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'Who we are.' }),
    news: await addEntry(db, 'pages', { slug: 'news', title: 'News', body: 'Nothing yet.' }),
  }
  await editEntry(db, site.service.id, { data: { offered_in: ['texas/**'] } })
  await publish()
  return {
    ...site,
    pages,
    only: (...only: ContentChange[]) => publish({ starter: { startedBy: 'admin', only } }),
    page(path: string) {
      const file = join(dataDir, 'current/site', pageFile(path))
      return existsSync(file) ? readFileSync(file, 'utf8') : undefined
    },
  }
}

const entry = (id: number): ContentChange => ({ subject: 'entry', subjectId: `${id}` })
const term = (id: number | undefined): ContentChange => ({ subject: 'term', subjectId: `${id}` })

test('a selected page is published without other saved changes', async (t) => {
  const site = await aSite(t)
  await editEntry(site.db, site.pages.about, { body: 'Who we are today.' })
  await editEntry(site.db, site.pages.news, { body: 'Half of a senten' })
  const { kind, plan, scope } = await site.only(entry(site.pages.about))
  // Only its page was compared.
  assert.deepEqual([kind, plan.changed, scope], ['published', 1, 'changes'])
  assert.match(site.page('/about') ?? '', /Who we are today/)
  assert.match(site.page('/news') ?? '', /Nothing yet/)
  assert.equal((await site.publish()).plan.changed, 1)
  assert.match(site.page('/news') ?? '', /Half of a senten/)
})

test('a selected change can follow one that is already live', async (t) => {
  const { db, pages, only, page } = await aSite(t)
  const edit = async (body: string) => {
    await editEntry(db, pages.about, { body })
    return (await only(entry(pages.about))).kind
  }
  // The last one opens the rows of a release that was written again and then continued.
  const bodies = ['Who we are now.', 'Who we are today.', 'Who we are today.', 'Who we were.', 'Who we are.']
  const kinds: string[] = []
  for (const body of bodies) kinds.push(await edit(body))
  assert.deepEqual(kinds, ['published', 'published', 'unchanged', 'published', 'published'])
  assert.match(page('/about') ?? '', /Who we are\./)
})

test('selected settings bring their picture and form, and other changes leave saved settings out', async (t) => {
  const site = await aSite(t)
  const { db } = site
  const path = join(temporaryFolder(t), 'van.jpg')
  writeFileSync(path, await aPhoto({ width: 600, height: 400 }))
  await addPicture(db, openPictureFiles(site.dataDir), { path, name: 'van.jpg' }, CLOCK)
  await storeForm(db, 'callback', { name: 'Callback' })
  const changes = { tagline: 'Cool air', home: { hero: 'van.jpg' }, default_form: 'callback' }
  await saveSettingsDraft(db, { changes: { ...changes, name: 'Draft' } }, NOW)
  const used = /Draft|Cool air|picture-|forms\/callback/
  await editEntry(db, site.pages.news, { body: 'News.' })
  await site.only(entry(site.pages.news))
  assert.doesNotMatch(site.page('/') ?? '', used)
  await changeSiteSettings(db, { changes }, NOW)
  await editEntry(db, site.pages.about, { body: 'Who we are today.' })
  await site.only(entry(site.pages.about))
  assert.match(site.page('/about') ?? '', /Who we are today/)
  assert.doesNotMatch(site.page('/') ?? '', used)
  await editEntry(db, site.pages.about, { body: 'Half of a senten' })
  const { problems } = await site.only({ subject: 'setting', subjectId: 'site' })
  assert.deepEqual(problems, [])
  for (const part of [/Cool air/, /picture-/, /forms\/callback/]) assert.match(site.page('/') ?? '', part)
  assert.match(site.page('/about') ?? '', /Who we are today/)
  assert.doesNotMatch(site.page('/') ?? '', /Draft/)

  const { id } = await storeForm(db, 'callback', { name: 'Callback' })
  await renameForm(db, 'callback', 'call-me', CLOCK)
  await site.only({ subject: 'form', subjectId: `${id}` })
  assert.match(site.page('/') ?? '', /forms\/call-me/)
})

test('a selected renamed place moves its pages to the new address', async (t) => {
  const site = await aSite(t)
  await editPlace(site.db, site.places.get('austin'), { slug: 'austin-tx', name: 'Austin TX' })
  await editEntry(site.db, site.service.id, { title: 'AC repair and mor' })
  const { problems } = await site.only(term(site.places.get('austin')))
  assert.deepEqual(problems, [])
  assert.equal(site.page('/services/ac-repair/austin'), undefined)
  assert.match(site.page('/services/ac-repair/austin-tx') ?? '', /Austin TX/)
  assert.doesNotMatch(site.page('/services/ac-repair/austin-tx') ?? '', /AC repair and mor/)
})

test('a selected service is published in its new place without other services', async (t) => {
  const site = await aSite(t)
  await addTerms(site.db, 'locations', { text: 'Ohio', parentId: null }, NOW)
  await addTerms(site.db, 'locations', { text: 'Waco', parentId: site.places.get('texas') ?? 0 }, NOW)
  await editEntry(site.db, site.service.id, { data: { offered_in: ['texas/**', 'ohio'] } })
  const { problems } = await site.only(entry(site.service.id))
  assert.deepEqual(problems, [])
  assert.ok(site.page('/services/ac-repair/ohio'))
  assert.equal(site.page('/services/ac-repair/waco'), undefined)
  await site.publish()
  assert.ok(site.page('/services/ac-repair/waco'))
})

test('a deleted page or place can be published alone', async (t) => {
  const site = await aSite(t)
  const dallas = site.places.get('dallas') ?? 0
  await deleteEntry(site.db, site.pages.news, NOW)
  await deleteEntry(site.db, site.pages.about, NOW)
  await deleteTerm(site.db, 'locations', dallas, NOW)
  await site.only(entry(site.pages.news), term(dallas))
  assert.equal(site.page('/news'), undefined)
  assert.equal(site.page('/services/ac-repair/dallas'), undefined)
  assert.ok(site.page('/about'))
})

test('a change whose address still belongs to another page is left out and reported', async (t) => {
  const site = await aSite(t)
  await editEntry(site.db, site.pages.about, { slug: 'company' })
  await editEntry(site.db, site.pages.news, { slug: 'about' })
  const { problems } = await site.only(entry(site.pages.news))
  assert.match(problems.join(), /“News”.*“About” still uses its address/)
  assert.match(site.page('/about') ?? '', /Who we are/)
  assert.match(site.page('/news') ?? '', /Nothing yet/)
})

test('pages that swapped addresses are published together', async (t) => {
  const site = await aSite(t)
  await editEntry(site.db, site.pages.about, { slug: 'between' })
  await editEntry(site.db, site.pages.news, { slug: 'about' })
  await editEntry(site.db, site.pages.about, { slug: 'news' })
  const { problems } = await site.only(entry(site.pages.news), entry(site.pages.about))
  assert.deepEqual(problems, [])
  assert.match(site.page('/about') ?? '', /Nothing yet/)
  assert.match(site.page('/news') ?? '', /Who we are/)
})

test('places that swapped levels never form a cycle', async (t) => {
  const site = await aSite(t)
  const [texas, austin] = [site.places.get('texas') ?? 0, site.places.get('austin') ?? 0]
  await editPlace(site.db, austin, { parentId: site.places.get('usa') ?? 0 })
  await editPlace(site.db, texas, { parentId: austin })
  await site.only(term(texas))
  assert.ok(site.page('/services/ac-repair/dallas'))
})

test('a page restored while a publish runs is live after it or after the next one', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  const file = connectSqlite(path)
  t.after(() => file.destroy())
  await migrate(file)
  const { db, dataDir, publish, setTitle } = await aPublishedSite(t, file)
  const databaseUrl = `file:${path}`
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'Who we are.' })
  await publish({ databaseUrl })
  const page = () => existsSync(join(dataDir, 'current/site', pageFile('/about')))
  for (const delayMs of [0, 10, 40, 160]) {
    await deleteEntry(db, id, NOW)
    await publish({ databaseUrl })
    assert.equal(page(), false)
    await setTitle(`Cooling after ${delayMs} ms`)
    const [trashed] = await listTrash(db, { limit: 1 })
    const publishing = publish({ databaseUrl })
    await wait(delayMs)
    const restored = await restoreTrashedEntry(db, trashed?.id ?? 0, NOW)
    assert.equal(restored.kind, 'saved')
    assert.equal((await publishing).kind, 'published')
    await publish({ databaseUrl })
    assert.equal(page(), true)
    const checked = await publish({ databaseUrl, check: true })
    assert.equal(checked.kind, 'unchanged')
  }
})

async function idOfPlace({ db }: Awaited<ReturnType<typeof aSite>>, slug: string) {
  const { id = 0 } = (await findTaxonomy(db, 'locations')) ?? {}
  return (await listTerms(db, id)).find((one) => one.slug === slug)?.id
}

test('a selected new place comes with the services offered there, whatever else is pending', async (t) => {
  const site = await aSite(t)
  const { db, places, service } = site
  const drains = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  await site.publish()
  const parentId = places.get('texas') ?? 0
  await addTerms(db, 'locations', { text: 'Waco\n  Downtown', parentId, serviceIds: [drains] }, NOW)
  await addTerms(db, 'locations', { text: 'Ohio', parentId: null, serviceIds: [service.id] }, NOW)
  await editEntry(db, service.id, { title: 'Cooling' })
  const { problems } = await site.only(
    term(await idOfPlace(site, 'waco')),
    term(await idOfPlace(site, 'downtown')),
  )
  assert.deepEqual(problems, [])
  assert.equal(site.page('/services/ac-repair/waco'), undefined)
  assert.ok(site.page('/services/drains/waco'))
  assert.ok(site.page('/services/drains/downtown'))
  assert.equal(site.page('/services/ac-repair/ohio'), undefined)
  assert.doesNotMatch(site.page('/services/ac-repair') ?? '', /Cooling/)
  await site.only(term(await idOfPlace(site, 'ohio')))
  assert.ok(site.page('/services/ac-repair/ohio'))
  assert.equal(site.page('/services/drains/ohio'), undefined)
  // Where Drains is offered is live, so nothing of this service is left to publish.
  const pending = await loadPending(db, { dataDir: site.dataDir, now: NOW.now })
  assert.deepEqual(
    pending?.changes.map(({ name }) => name),
    ['Cooling'],
  )
  const added = (await site.publish()).plan.added
  assert.equal(added, 0)
})

test('a service offered in more places than changes are listed is one change, added and removed', async (t) => {
  const site = await aSite(t)
  const { db, service } = site
  const names = Array.from({ length: 520 }, (_, index) => `Town ${index}`)
  await addTerms(
    db,
    'locations',
    { text: ['Ohio', ...names.map((name) => `  ${name}`)].join('\n'), parentId: null },
    NOW,
  )
  await editEntry(db, service.id, { data: { offered_in: ['ohio/**'] } })
  await site.publish()
  const pending = () => loadPending(db, { dataDir: site.dataDir, now: NOW.now })
  assert.deepEqual(await pending(), { changes: [], hasMore: false })

  const id = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  await editEntry(db, id, { data: { offered_in: ['ohio/**'] } })
  const { count } = await countPagesOf(id)
  assert.equal(Number(count), 521)
  const added = await pending()
  assert.deepEqual(
    added?.changes.map(({ name, change }) => [name, change]),
    [['Drains', 'added']],
  )
  assert.equal(added?.hasMore, false)
  await site.publish()
  assert.ok(await deleteEntry(db, id, NOW))
  const removed = await pending()
  assert.deepEqual(
    removed?.changes.map(({ name, change }) => [name, change]),
    [['Drains', 'removed']],
  )

  function countPagesOf(serviceId: number) {
    return db
      .selectFrom('content_entries')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('service_entry_id', '=', serviceId)
      .executeTakeFirstOrThrow()
  }
})

test('a local page that only a selected publish made goes with the next publish', async (t) => {
  const site = await aSite(t)
  const { db, places, service } = site
  await addTerms(db, 'locations', { text: 'Waco', parentId: null }, NOW)
  await site.publish()
  const waco = await idOfPlace(site, 'waco')
  await editPlace(db, waco, { parentId: places.get('texas') ?? 0 })
  await editEntry(db, service.id, { data: { offered_in: ['texas/**', 'except waco'] } })
  await site.only(term(waco))
  // The live service is still offered in all of Texas.
  assert.ok(site.page('/services/ac-repair/waco'))
  await site.publish()
  assert.equal(site.page('/services/ac-repair/waco'), undefined)
  assert.ok(site.page('/services/ac-repair/austin'))
})
