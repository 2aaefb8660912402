import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { toSnapshot } from '#src/entries/history/entry-snapshot.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import {
  countOtherUses,
  isPictureOfSite,
  isPictureUsed,
  listPicturePlaces,
} from '#src/site/pictures/picture-places.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { keepDraft } from '#src/versions/keep-version.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const CLOCK = { now: '2026-11-20T10:00:00.000Z' }

type Database = Awaited<ReturnType<typeof openTestDatabase>>

async function draftSettings(db: Database, changes: object) {
  const after = { ...DEFAULT_SITE_SETTINGS, ...changes }
  await keepDraft(db, SETTINGS_SUBJECT, { before: undefined, after }, CLOCK)
}

async function draftEntry(db: Database, id: number, body: string) {
  const entry = await findEntryById(db, id)
  assert.ok(entry)
  const after = toSnapshot({ ...entry, body }, [])
  await keepDraft(db, entrySubject(id), { before: undefined, after }, CLOCK)
}

const withHero = (hero: string) => ({ home: { ...DEFAULT_SITE_SETTINGS.home, hero } })

test('a picture nobody uses has no places', async (t) => {
  const db = await openTestDatabase(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body: '![](other.jpg)' })
  assert.deepEqual(await listPicturePlaces(db, 'van.jpg'), { places: [], count: 0, pages: 0 })
  assert.deepEqual([await isPictureUsed(db, 'van.jpg'), await isPictureOfSite(db, 'van.jpg')], [false, false])
})

test('the places of a picture are settings, forms, drafts, and entries, in this order', async (t) => {
  const db = await openTestDatabase(t)
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, logo: 'van.jpg', ...withHero('other.jpg') }, CLOCK)
  await storeForm(db, 'quote', { name: 'Quote', settings: { success_body: 'Thanks ![](van.jpg)' } })
  await storeForm(db, 'other', { name: 'Other', settings: { success_body: 'Thanks ![](other.jpg)' } })
  await draftSettings(db, withHero('van.jpg'))
  const about = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: '![](van.jpg)' })
  const draft = await addEntry(db, 'pages', {
    ...{ slug: 'draft', title: 'Draft', body: '![](van.jpg)', status: 'draft' },
  })
  const edited = await addEntry(db, 'pages', { slug: 'edited', title: 'Edited' })
  const review = await addEntry(db, 'testimonials', { slug: 'ann', title: 'Ann', body: '![](van.jpg)' })
  await draftEntry(db, edited, '![](van.jpg)')
  const { places, count, pages } = await listPicturePlaces(db, 'van.jpg')
  const [pathOf, rest] = [(id: number) => `/admin/entries/pages/${id}`, { isDraft: false, localPages: 0 }]
  assert.deepEqual(
    places.map(({ ...place }) => place),
    [
      { title: undefined, adminPath: '/admin/settings' },
      { title: 'Quote', adminPath: '/admin/forms/quote/settings' },
      { title: undefined, isDraft: true, adminPath: '/admin/home' },
      { id: edited, title: 'Edited', adminPath: pathOf(edited), isDraft: true },
      { ...rest, id: about, title: 'About', adminPath: pathOf(about) },
      { ...rest, id: draft, title: 'Draft', adminPath: pathOf(draft), isDraft: true },
      { ...rest, id: review, title: 'Ann', adminPath: `/admin/entries/testimonials/${review}` },
    ],
  )
  // A draft isn't published, and a review has no page.
  assert.deepEqual([count, pages], [7, 1])
  assert.deepEqual([await isPictureUsed(db, 'van.jpg'), await isPictureOfSite(db, 'van.jpg')], [true, true])
})

test('uses other than saved entries are counted by picture', async (t) => {
  const db = await openTestDatabase(t)
  assert.deepEqual(await countOtherUses(db), new Map())
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, logo: 'van.jpg' }, CLOCK)
  await storeForm(db, 'quote', { settings: { success_body: '![](van.jpg) ![](form.jpg)' } })
  await draftSettings(db, { logo: 'van.jpg', icon: 'icon.png' })
  const about = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: '![](entry.jpg)' })
  await draftEntry(db, about, '![](van.jpg)')
  const uses = await countOtherUses(db)
  assert.deepEqual(
    ['van.jpg', 'form.jpg', 'icon.png', 'entry.jpg'].map((name) => uses.get(name)),
    [3, 1, 1, undefined],
  )
})

test('the screen of a picture in the settings is the home page’s only for its own pictures', async (t) => {
  const db = await openTestDatabase(t)
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, logo: 'logo.png', ...withHero('van.jpg') }, CLOCK)
  const screensOf = async (name: string) =>
    (await listPicturePlaces(db, name)).places.map(({ adminPath }) => adminPath)
  assert.deepEqual(await screensOf('logo.png'), ['/admin/settings'])
  assert.deepEqual(await screensOf('van.jpg'), ['/admin/home'])
})

test('a picture of a service is on each local page that has none in its place', async (t) => {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, 'texas/austin', 'texas/waco', 'texas/dallas', 'texas/houston')
  const place = (slug: string) => ({ slug, id: ids.get(slug) ?? 0 })
  const add = async (slug: string, values: object) => ({
    slug,
    id: await addEntry(db, 'services', { slug, ...values }),
  })
  const repair = await add('repair', { title: 'Repair', data: { hero: 'van.jpg' }, body: '![](text.jpg)' })
  const hidden = await add('hidden', { title: 'Hidden', data: { hero: 'van.jpg' }, status: 'draft' })
  await offer(db, repair, place('austin'))
  await offer(db, repair, place('waco'), { data: { hero: 'waco.jpg' }, body: 'Own text. {{service}}' })
  await offer(db, repair, place('dallas'), { data: { hero: '' }, body: 'Own text' })
  await offer(db, repair, place('houston'), { status: 'draft' })
  await offer(db, hidden, place('austin'))
  const found = async (name: string) => {
    const { places, count, pages } = await listPicturePlaces(db, name)
    return {
      places: places.map(({ title, isDraft, localPages }) => [title, isDraft, localPages]),
      count,
      pages,
    }
  }
  assert.deepEqual(await found('van.jpg'), {
    places: [
      ['Repair', false, 2],
      ['Hidden', true, 0],
    ],
    ...{ count: 2, pages: 3 },
  })
  assert.deepEqual(await found('text.jpg'), { places: [['Repair', false, 2]], count: 1, pages: 3 })
})

test('only the first twenty entries are listed, but all are counted', async (t) => {
  const db = await openTestDatabase(t)
  for (let number = 10; number < 32; number++)
    await addEntry(db, 'pages', { slug: `page-${number}`, title: `Page ${number}`, body: '![](van.jpg)' })
  const { places, count, pages } = await listPicturePlaces(db, 'van.jpg')
  assert.deepEqual([places.length, count, pages], [20, 22, 22])
})
