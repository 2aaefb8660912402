import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPicturesByName, savePicture } from '#src/pictures/picture-store.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { filledIn } from '../../support/pages/filled-in.ts'
import { wordsOf } from '../../support/pages/read-page.ts'
import { messageOf } from '../../support/pages/told.ts'
import { aPicture } from '../../support/pictures.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const SETTINGS = siteSettings.parse({
  name: 'Bluebonnet',
  phone: '(512) 555-0142',
  opening_hours: [{ days: 'Monday', hours: '7 to 5' }],
  sections: { service: ['steps', 'faq'] },
  home: { heading: 'Hot house?', intro: 'We cool it.', faq: [{ question: 'How soon?', answer: 'Today.' }] },
})

async function aSite(t: Parameters<typeof startAdmin>[0]) {
  const prepare = ({ db }: AdminSite['app']) => saveSiteSettings(db, SETTINGS, { now: NOW })
  return startAdmin(t, { prepare })
}

type Changes = Record<string, string | readonly string[]>

async function save(site: AdminSite, path: '/admin/home' | '/admin/settings', changes: Changes) {
  return site.post(path, { ...filledIn(await site.open(path)), ...changes })
}

test('the home page has its own screen, in the menu and from Pages and Settings', async (t) => {
  const site = await aSite(t)
  const page = await site.open('/admin/home')
  page.getByRole('heading', { level: 1, name: 'Home page' })
  const menu = page.whole.part('navigation', { name: 'Admin' }).getAllByRole('link').map(wordsOf)
  assert.equal(menu.indexOf('Home page') + 1, menu.indexOf('Pages'))
  for (const path of ['/admin/entries/pages', '/admin/settings']) {
    const link = (await site.open(path)).getByRole('link', { name: 'Edit home page' })
    assert.equal(link.getAttribute('href'), '/admin/home', path)
  }
  const ofSettings = (await site.open('/admin/settings')).element.querySelector('#home')
  assert.match(ofSettings?.textContent ?? '', /Edit home page/, 'where the section was')
})

test('the heading and the introduction are the first fields of the home page', async (t) => {
  const site = await aSite(t)
  const names = Object.keys(filledIn(await site.open('/admin/home')))
  assert.deepEqual(names.slice(0, 4), ['based_on', 'home.heading', 'home.intro', 'home.hero'])
  const others = names.filter((name) => !/^(based_on$|home\.|sections\.home)/.test(name))
  assert.deepEqual(others, [])
  const ofSettings = Object.keys(filledIn(await site.open('/admin/settings')))
  assert.deepEqual(
    ofSettings.filter((name) => /^(home\.|sections\.home)/.test(name)),
    [],
  )
})

test('each screen leaves the settings of the other as they are stored', async (t) => {
  const site = await aSite(t)
  const { db } = site.app
  const saved = await save(site, '/admin/home', { 'home.heading': 'Cold house?' })
  assert.equal(saved.headers.get('location'), '/admin/home')
  assert.equal(messageOf(saved), 'Home page saved. Publish to show it to visitors.')
  const home = { ...SETTINGS.home, heading: 'Cold house?' }
  assert.deepEqual(await findSiteSettings(db), { ...SETTINGS, home })
  await save(site, '/admin/settings', { tagline: 'Cool air' })
  assert.deepEqual(await findSiteSettings(db), { ...SETTINGS, tagline: 'Cool air', home })
  const cleared = { 'home.faq.question': [], 'home.faq.answer': [] }
  await save(site, '/admin/home', cleared)
  const left = await findSiteSettings(db)
  assert.deepEqual([left.home.faq, left.opening_hours], [[], SETTINGS.opening_hours])
})

test('both screens edit one draft', async (t) => {
  const site = await aSite(t)
  const { db } = site.app
  const drafted = await save(site, '/admin/home', { 'home.intro': 'We heat it.', act: 'draft' })
  assert.match(messageOf(drafted), /^Draft of “Home page” saved/)
  await save(site, '/admin/settings', { tagline: 'Cool air', act: 'draft' })
  assert.deepEqual(await findSiteSettings(db), SETTINGS)
  const page = await site.open('/admin/home')
  assert.equal(page.valueOf('Introduction'), 'We heat it.')
  const version = page.element.querySelector<HTMLInputElement>('[name=version]')?.value ?? ''
  const used = await site.post('/admin/home/draft', { act: 'use', version })
  assert.equal(used.headers.get('location'), '/admin/home')
  const { home, tagline } = await findSiteSettings(db)
  assert.deepEqual([home.intro, tagline], ['We heat it.', 'Cool air'])
})

test('the preview beside the home page shows typed values with the other settings', async (t) => {
  const site = await aSite(t)
  const typed = { ...filledIn(await site.open('/admin/home')), 'home.heading': 'Cold house?' }
  const html = await (await site.post('/admin/settings/preview', typed)).text()
  assert.match(html, /<h1[^>]*>\s*Cold house\?/)
  assert.match(html, /Monday/)
})

test('a picture of the home page leads there', async (t) => {
  const site = await aSite(t)
  for (const name of ['logo.png', 'van.jpg']) await savePicture(site.app.db, aPicture({ name }), { now: NOW })
  await save(site, '/admin/home', { 'home.hero': 'van.jpg' })
  await save(site, '/admin/settings', { logo: 'logo.png' })
  const library = await listPicturesByName(site.app.db, ['van.jpg', 'logo.png'])
  for (const [name, href] of [
    ['van.jpg', '/admin/home'],
    ['logo.png', '/admin/settings'],
  ] as const) {
    const { id } = library.get(name) ?? {}
    const used = (await site.open(`/admin/pictures/${id}`)).getByRole('link', { name: 'Settings' })
    assert.equal(used.getAttribute('href'), href)
  }
})
