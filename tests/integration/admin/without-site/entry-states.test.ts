import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { loadStatedList } from '#src/admin/entries/load-list.ts'
import { isReachable, loadShownSaves, loadState } from '#src/admin/entries/load-state.ts'
import { readListQuestion } from '#src/entries/editing/list-page.ts'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { ledgerFile } from '#src/publish/ledger/ledger-store.ts'
import { anAdminPage } from '../../../support/admin-page.ts'
import { goLive } from '../../../support/live-release.ts'
import { editEntry } from '../../../support/small-edits.ts'
import { addEntry, addPlaces, offer } from '../../../support/small-site.ts'

const NOW = new Date('2026-11-20T13:00:00.000Z')
const LATER = '2999-01-01T00:00:00.000Z'
const EARLIER = '2020-01-01T00:00:00.000Z'

/** Entries, and a function that publishes some of them: everything saved until then is live. */
async function someEntries(t: TestContext) {
  const { db, app, dataDir } = await anAdminPage(t)
  const typeOf = async (slug: string) => {
    const type = await findContentType(db, slug)
    assert.ok(type)
    return type
  }
  const list = async (slug: string, query = '') => {
    const question = readListQuestion(new URLSearchParams(query))
    const { entries } = await loadStatedList(app, await typeOf(slug), { question, now: NOW })
    return Object.fromEntries(entries.map((one) => [one.slug, one.state]))
  }
  const publish = async (...ids: number[]) => {
    const facts = { position: await findLogEnd(db), shownAt: NOW.toISOString() }
    const pages = ids.map((entryId) => ({ path: `/${entryId}`, entryId, key: `entry:${entryId}` }))
    await goLive(dataDir, { facts, pages })
  }
  const stated = async (slug: string, id: number, serviceId?: number) => {
    const [type, entry] = [await typeOf(slug), await findEntryById(db, id)]
    assert.ok(entry)
    const service = serviceId === undefined ? undefined : await findEntryById(db, serviceId)
    return {
      state: await loadState(app, { type, entry, service }),
      shown: await loadShownSaves(app, { type, entry }),
    }
  }
  const addPage = (slug: string, own = {}) => addEntry(db, 'pages', { slug, title: slug, ...own })
  return { db, app, dataDir, list, publish, stated, addPage, typeOf }
}

test('a list shows the state of each entry, and can be filtered by it', async (t) => {
  const { db, addPage, list, publish } = await someEntries(t)
  const about = await addPage('about')
  const team = await addPage('team')
  await addPage('hidden', { status: 'draft' })
  await addPage('soon', { publishAt: LATER })
  const later = { hidden: 'draft', soon: 'scheduled' }
  assert.deepEqual(await list('pages'), { about: 'pending', team: 'pending', ...later })
  await publish(about, team)
  await editEntry(db, team, { title: 'Our team' })
  const states = { about: 'live', team: 'changed', ...later }
  assert.deepEqual(await list('pages'), states)
  assert.deepEqual(await list('pages', 'state=pending'), { team: 'changed' })
  assert.deepEqual(await list('pages', 'state=draft'), { hidden: 'draft' })
  assert.deepEqual(await list('pages', 'state=none'), states)
  assert.deepEqual(await list('pages', 'q=Our'), { team: 'changed' })
})

test('a service that is only offered in a new place is live until that place is', async (t) => {
  const { db, dataDir, list, publish } = await someEntries(t)
  const id = await addEntry(db, 'services', { slug: 'ac', title: 'AC', data: { offered_in: ['texas'] } })
  const texas = { slug: 'texas', id: (await addPlaces(db, 'texas')).get('texas') as number }
  const local = await offer(db, { slug: 'ac', id }, texas)
  assert.deepEqual(await list('services'), { ac: 'pending' })
  // The first save is kept as a version.
  await editEntry(db, id, { title: 'AC repair' })
  await publish(id, local)
  await addPlaces(db, 'ohio')
  const later = new Date(Date.now() + 1_000)
  await editEntry(db, id, { data: { offered_in: ['texas', 'ohio'] } }, later)
  assert.deepEqual(await list('services'), { ac: 'live' })
  assert.deepEqual(await list('services', 'state=live'), { ac: 'live' })
  assert.equal((await list('location_services'))['ac/texas'], 'live')
  await editEntry(db, id, { title: 'AC' }, later)
  assert.deepEqual(await list('services'), { ac: 'changed' })
  rmSync(ledgerFile(dataDir))
  assert.deepEqual(await list('services'), { ac: 'published' })
})

test('reviews are listed with their author and place', async (t) => {
  const { db, app, typeOf } = await someEntries(t)
  for (const [slug, title, data] of [
    ['a', 'Great', { author: 'Ann', place: 'Austin' }],
    ['b', 'Ben', { author: 'Ben', place: 'Dallas' }],
    ['c', 'Fine', {}],
  ] as const)
    await addEntry(db, 'testimonials', { slug, title, data })
  const question = readListQuestion(new URLSearchParams())
  const { entries } = await loadStatedList(app, await typeOf('testimonials'), { question, now: NOW })
  assert.deepEqual(
    entries.map(({ details }) => details),
    ['Ann, Austin', 'Dallas', ''],
  )
  await addEntry(db, 'pages', { slug: 'about', title: 'About', data: { author: 'Ann' } })
  const pages = await loadStatedList(app, await typeOf('pages'), { question, now: NOW })
  assert.deepEqual(
    pages.entries.map(({ details }) => details),
    [''],
  )
})

test('versions tell which save of an entry visitors see', async (t) => {
  const { db, dataDir, addPage, publish, stated } = await someEntries(t)
  const about = await addPage('about')
  const team = await addPage('team')
  const ended = await addPage('ended', { unpublishAt: EARLIER })
  const soon = await addPage('soon', { publishAt: LATER })
  const hidden = await addPage('hidden', { status: 'draft' })
  assert.deepEqual(await stated('pages', about), { state: 'pending', shown: 'none' })
  await publish(about, team)
  const { savedAt } = await findLogEnd(db)
  assert.deepEqual(await stated('pages', about), { state: 'live', shown: 'all' })
  await editEntry(db, team, { title: 'Our team' })
  assert.deepEqual(await stated('pages', team), { state: 'changed', shown: { until: savedAt } })
  await editEntry(db, team, { status: 'draft' })
  assert.deepEqual(await stated('pages', team), { state: 'removal', shown: { until: savedAt } })
  assert.deepEqual(await stated('pages', ended), { state: 'ended', shown: 'unknown' })
  assert.deepEqual(await stated('pages', soon), { state: 'scheduled', shown: 'none' })
  assert.deepEqual(await stated('pages', hidden), { state: 'draft', shown: 'none' })
  const other = await addPage('other')
  assert.deepEqual(await stated('pages', other), { state: 'pending', shown: 'none' })
  // Without its ledger, nobody knows what is live.
  rmSync(ledgerFile(dataDir))
  assert.deepEqual(await stated('pages', about), { state: 'published', shown: 'unknown' })
})

test('a local page is shown with its service only, and changes with it and its place', async (t) => {
  const { db, publish, stated } = await someEntries(t)
  const service = {
    slug: 'ac',
    id: await addEntry(db, 'services', { slug: 'ac', title: 'AC', status: 'draft' }),
  }
  const austin = { slug: 'austin', id: (await addPlaces(db, 'austin')).get('austin') as number }
  const id = await offer(db, service, austin)
  const local = () => stated('location_services', id, service.id)
  assert.deepEqual(await local(), { state: 'draft', shown: 'none' })
  await editEntry(db, service.id, { status: 'published' })
  assert.deepEqual(await local(), { state: 'pending', shown: 'none' })
  await editEntry(db, service.id, { unpublishAt: EARLIER })
  assert.deepEqual(await local(), { state: 'ended', shown: 'unknown' })
  await editEntry(db, service.id, { unpublishAt: null })
  await publish(service.id, id)
  assert.deepEqual(await local(), { state: 'live', shown: 'all' })
  await db.updateTable('taxonomy_terms').set({ name: 'Austin, TX' }).where('id', '=', austin.id).execute()
  assert.equal((await local()).state, 'changed')
  // The page itself was not saved.
  assert.equal((await local()).shown, 'all')
  await editEntry(db, service.id, { status: 'draft' })
  assert.equal((await local()).state, 'removal')
})

test('visitors can open the page of an entry that is on the site', () => {
  const states = [
    'live',
    'changed',
    'removal',
    'published',
    'pending',
    'scheduled',
    'ended',
    'draft',
  ] as const
  assert.deepEqual(states.filter(isReachable), states.slice(0, 4))
})
