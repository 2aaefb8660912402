import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNotices } from '#src/doctor/check-notices.ts'
import { describeNotice } from '#src/messages/admin/notices.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { findNotices } from '#src/publish/notices/find-notices.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aPicture } from '../../support/pictures.ts'
import { waitFor } from '../../support/running-site.ts'
import { said } from '../../support/said.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

const NOW = { now: '2026-11-20T10:00:00.000Z' }

type Db = Awaited<ReturnType<typeof openTestDatabase>>

const save = (db: Db, settings: object) =>
  saveSiteSettings(db, siteSettings.parse({ name: 'Bluebonnet', address: '1 Main Street', ...settings }), NOW)

const codesOf = async (db: Db) => (await findNotices(db)).map(({ code }) => code)

test('a complete site has no notices', async (t) => {
  const db = await openTestDatabase(t)
  await save(db, {})
  await savePicture(db, aPicture({ name: 'a.jpg' }), NOW)
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body: '![a](a.jpg)' })
  assert.deepEqual(await codesOf(db), [])
})

test('a notice explains how search engines treat a business without an address', async (t) => {
  const db = await openTestDatabase(t)
  await save(db, { address: null })
  assert.deepEqual(await codesOf(db), ['address_missing'])
})

test('phone numbers that cannot be dialed are listed with a link to correct them', async (t) => {
  const db = await openTestDatabase(t)
  await save(db, { country: 'IE', phone: '061 / 087', phones: [{ label: 'Office', number: '061 555 0142' }] })
  const id = await addEntry(db, 'location_services', { slug: 'a/ennis', data: { phone: 'by appointment' } })
  await addEntry(db, 'location_services', { slug: 'a/kilkee', data: { phone: '087 123 4567' } })
  assert.deepEqual(
    await findNotices(db),
    [
      { phone: '061 / 087', adminPath: '/admin/settings' },
      { phone: 'by appointment', adminPath: `/admin/entries/location_services/${id}` },
    ].map(({ phone, adminPath }) => ({ code: 'undialable', params: { phone, country: 'IE' }, adminPath })),
  )
})

test('texts with missing or external pictures are listed, omit them, and stop no page', async (t) => {
  const db = await openTestDatabase(t)
  await save(db, {})
  const body = 'Hello ![a](gone.jpg)\n\n<IMG src="https://example.com/b.jpg">'
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About', body })
  await addEntry(db, 'pages', { slug: 'draft', title: 'Draft', status: 'draft', body })
  const settings_json = JSON.stringify({ success_body: '![c](thanks.jpg)' })
  await db.updateTable('forms').set({ settings_json }).where('slug', '=', 'waitlist').execute()
  const notices = await findNotices(db)
  assert.deepEqual(
    notices.map(({ code, params }) => [code, params]),
    [
      ['picture_missing', { title: 'Waitlist', name: 'thanks.jpg' }],
      ['picture_missing', { title: 'About', name: 'gone.jpg' }],
      ['picture_foreign', { title: 'About', address: 'https://example.com/b.jpg' }],
    ],
  )
  assert.deepEqual(
    notices.map(({ adminPath }) => adminPath),
    ['/admin/forms/waitlist/settings', `/admin/entries/pages/${id}`, `/admin/entries/pages/${id}`],
  )
  const html: string[] = []
  for await (const { path, view } of listPages(db, { siteUrl: 'https://example.com' }))
    if (path === '/about') html.push((view.detail as { bodyHtml: string }).bodyHtml)
  assert.deepEqual(html, ['<p>Hello </p>'])
})

test('a few of the names that share pictures can’t show are listed', async (t) => {
  const db = await openTestDatabase(t)
  await save(db, { name: '서울냉방' })
  await addEntry(db, 'services', { slug: 'a', title: 'エアコン修理' })
  await addPlaces(db, 'a', 'b', 'c', 'd')
  for (const slug of ['a', 'b', 'c', 'd'])
    await db
      .updateTable('taxonomy_terms')
      .set({ name: `서울 ${slug}` })
      .where('slug', '=', slug)
      .execute()
  const notices = await findNotices(db)
  assert.deepEqual(notices, [
    {
      code: 'undrawable',
      params: { names: ['서울냉방', '서울 a', '서울 b'], more: 2 },
      adminPath: '/admin/settings',
    },
  ])
  assert.match(notices.map(describeNotice).join(), /“서울냉방”, “서울 a”, “서울 b”, and 2 more/)
})

test('a name that share pictures can’t show is corrected where it is edited', async (t) => {
  const db = await openTestDatabase(t)
  await save(db, {})
  const editorOf = async () => (await findNotices(db)).map(({ adminPath }) => adminPath)
  const places = await addPlaces(db, 'a')
  await db.updateTable('taxonomy_terms').set({ name: '서울' }).where('slug', '=', 'a').execute()
  assert.deepEqual(await editorOf(), [`/admin/taxonomies/locations/terms/${places.get('a')}`])
  const service = await addEntry(db, 'services', { slug: 'a', title: 'Skylights 🏠' })
  assert.deepEqual(await editorOf(), [`/admin/entries/services/${service}`])
})

test('the Publish page and doctor show the notices', async (t) => {
  const site = await startAdmin(t)
  await save(site.app.db as Db, { address: null })
  const shown = /Your business has no address.*href="\/admin\/settings"/s
  await waitFor(async () => shown.test(await site.read('/admin/publish')))
  const { state, says } = said(await checkNotices(site.app.config))
  assert.equal(state, 'warning')
  assert.match(says, /Your business has no address/)
})
