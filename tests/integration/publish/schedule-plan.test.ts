import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNextScheduledMoment } from '#src/entries/entry-schedule-store.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const BEFORE = '2026-11-20T09:59:59.999Z'
const OPENING = '2026-11-20T10:00:00.000Z'
const CLOSING = '2026-11-21T10:00:00.000Z'

async function pathsAt(db: Parameters<typeof listPages>[0], moment: string) {
  const pages = listPages(db, { siteUrl: 'https://example.com', now: new Date(moment) })
  const paths: string[] = []
  for await (const { path } of pages) paths.push(path)
  return paths
}

test('an entry has its page from publish_at until unpublish_at', async (t) => {
  const db = await openTestDatabase(t)
  await addEntry(db, 'pages', { slug: 'sale', title: 'Sale', publishAt: OPENING, unpublishAt: CLOSING })
  const shown = async (moment: string) => (await pathsAt(db, moment)).includes('/sale')
  assert.equal(await shown(BEFORE), false)
  assert.equal(await shown(OPENING), true)
  assert.equal(await shown(CLOSING), false)
})

test('a draft has no page, whatever its schedule', async (t) => {
  const db = await openTestDatabase(t)
  await addEntry(db, 'pages', { slug: 'sale', title: 'Sale', status: 'draft', publishAt: OPENING })
  assert.equal((await pathsAt(db, CLOSING)).includes('/sale'), false)
  assert.equal(await findNextScheduledMoment(db, BEFORE), undefined)
})

test('a service’s places appear with it', async (t) => {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'usa/texas/austin')
  const id = await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair', publishAt: OPENING })
  await offer(db, { slug: 'ac-repair', id }, { slug: 'austin', id: places.get('austin') as number })
  assert.equal((await pathsAt(db, BEFORE)).includes('/services/ac-repair/austin'), false)
  assert.equal((await pathsAt(db, OPENING)).includes('/services/ac-repair/austin'), true)
})

test('the next due time is the first at which an entry appears or disappears', async (t) => {
  const db = await openTestDatabase(t)
  await addEntry(db, 'pages', { slug: 'sale', title: 'Sale', publishAt: OPENING, unpublishAt: CLOSING })
  assert.equal(await findNextScheduledMoment(db, BEFORE), OPENING)
  assert.equal(await findNextScheduledMoment(db, OPENING), CLOSING)
  assert.equal(await findNextScheduledMoment(db, CLOSING), undefined)
})
