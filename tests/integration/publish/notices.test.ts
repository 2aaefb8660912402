import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNotices } from '#src/doctor/check-notices.ts'
import { findNotices } from '#src/publish/notices/find-notices.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import { savePicture } from '#src/site/pictures/picture-store.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { openTestDatabase } from '../../support/database.ts'
import { waitFor } from '../../support/running-site.ts'
import { said } from '../../support/said.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

const NOW = { now: '2026-11-20T10:00:00.000Z' }

type Db = Awaited<ReturnType<typeof openTestDatabase>>

const save = (db: Db, settings: object) =>
  saveSiteSettings(db, siteSettings.parse({ name: 'Bluebonnet', address: '1 Main Street', ...settings }), NOW)

const messagesOf = async (db: Db) => (await findNotices(db)).map(({ message }) => message)

test('a complete site has no notices', async (t) => {
  const db = await openTestDatabase(t)
  await save(db, {})
  await savePicture(db, { name: 'a.jpg', sha256: 'a1', width: 9, height: 9, bytes: Buffer.from('x') }, NOW)
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body: '![a](a.jpg)' })
  assert.deepEqual(await messagesOf(db), [])
})

test('a business without an address is told what search engines make of it', async (t) => {
  const db = await openTestDatabase(t)
  await save(db, { address: null })
  assert.match((await messagesOf(db)).join(), /has no address, so search engines do not see a local business/)
})

test('phone numbers that nobody can dial are named, with where to correct them', async (t) => {
  const db = await openTestDatabase(t)
  await save(db, { country: 'IE', phone: '061 / 087', phones: [{ label: 'Office', number: '061 555 0142' }] })
  const id = await addEntry(db, 'location_services', { slug: 'a/ennis', data: { phone: 'by appointment' } })
  await addEntry(db, 'location_services', { slug: 'a/kilkee', data: { phone: '087 123 4567' } })
  assert.deepEqual(
    (await findNotices(db)).map(({ message, adminPath }) => [message.split(',')[0], adminPath]),
    [
      ['Nobody can dial "061 / 087"', '/admin/settings'],
      ['Nobody can dial "by appointment"', `/admin/entries/location_services/${id}`],
    ],
  )
})

test('stored texts with pictures that are gone or elsewhere are named, leave them out and stop no page', async (t) => {
  const db = await openTestDatabase(t)
  await save(db, {})
  const body = 'Hello ![a](gone.jpg)\n\n<IMG src="https://example.com/b.jpg">'
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About', body })
  await addEntry(db, 'pages', { slug: 'draft', title: 'Draft', status: 'draft', body })
  const settings_json = JSON.stringify({ success_body: '![c](thanks.jpg)' })
  await db.updateTable('forms').set({ settings_json }).where('slug', '=', 'waitlist').execute()
  const notices = await findNotices(db)
  assert.deepEqual(
    notices.map(({ message }) => message.replace(/^"(.*)" leaves out the picture (\S+), .*/, '$1 $2')),
    ['Waitlist thanks.jpg', 'About gone.jpg', 'About https://example.com/b.jpg'],
  )
  assert.equal(notices[1]?.adminPath, `/admin/entries/pages/${id}`)
  const html: string[] = []
  for await (const { path, view } of listPages(db, { siteUrl: 'https://example.com' }))
    if (path === '/about') html.push((view.detail as { bodyHtml: string }).bodyHtml)
  assert.deepEqual(html, ['<p>Hello </p>'])
})

test('names that share pictures cannot show are named, a few of them', async (t) => {
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
  assert.deepEqual(await messagesOf(db), [
    'Share pictures cannot show all of "서울냉방", "서울 a", "서울 b" and 2 more. They can show Latin, Greek, Cyrillic and Japanese letters.',
  ])
})

test('the publish page and the doctor show the notices', async (t) => {
  const site = await startAdmin(t)
  await save(site.app.db as Db, { address: null })
  const shown = /The business has no address.*href="\/admin\/settings"/s
  await waitFor(async () => shown.test(await site.read('/admin/publish')))
  const { state, says } = said(await checkNotices(site.app.config))
  assert.equal(state, 'warning')
  assert.match(says, /The business has no address/)
})
