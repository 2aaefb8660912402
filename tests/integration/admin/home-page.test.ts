import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPicturesByName, savePicture } from '#src/pictures/picture-store.ts'
import { listPreviews } from '#src/publish/previews/preview-store.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { filledIn } from '../../support/pages/filled-in.ts'
import { type Page, wordsOf } from '../../support/pages/read-page.ts'
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
  assert.equal(messageOf(saved), 'Home page saved. Publish to show the changes to visitors.')
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
  page.getByText('This draft also changes Settings: Tagline.')
  const settings = await site.open('/admin/settings')
  settings.getByText('This draft also changes Home page: Introduction.')
  const version = page.element.querySelector<HTMLInputElement>('[name=version]')?.value ?? ''
  const used = await site.post('/admin/home/draft', { act: 'use', version })
  assert.equal(used.headers.get('location'), '/admin/home')
  const { home, tagline } = await findSiteSettings(db)
  assert.deepEqual([home.intro, tagline], ['We heat it.', 'Cool air'])
})

test('Publish names a draft by the screens of what it changes', async (t) => {
  const site = await aSite(t)
  const hrefOf = async (name: string) =>
    (await site.open('/admin/publish/changes')).getByRole('link', { name }).getAttribute('href')
  await save(site, '/admin/home', { 'home.intro': 'We heat it.', act: 'draft' })
  assert.equal(await hrefOf('Home page'), '/admin/home')
  await save(site, '/admin/settings', { tagline: 'Cool air', act: 'draft' })
  assert.equal(await hrefOf('Settings and home page'), '/admin/settings')
})

test('each screen is changed by its own settings, and Publish names the screens', async (t) => {
  const site = await aSite(t)
  const look = async () => {
    const badges: (string | undefined)[] = []
    for (const path of ['/admin/settings', '/admin/home'])
      badges.push([...(await site.open(path)).element.querySelectorAll('.badge')].map(wordsOf).join(', '))
    const named = (await site.open('/admin/publish/changes')).part('table').part('rowheader')
    return [...badges, named.words, named.getByRole('link').getAttribute('href')]
  }
  const [live, changed] = ['live', 'live, unpublished changes']
  await save(site, '/admin/settings', { phone: '(512) 555-0188' })
  assert.deepEqual(await look(), [changed, live, 'Settings Whole site', '/admin/settings'])
  await save(site, '/admin/home', { 'home.heading': 'Cold house?' })
  const both = 'Settings and home page Whole site'
  assert.deepEqual(await look(), [changed, changed, both, '/admin/settings'])
  await save(site, '/admin/settings', { phone: '(512) 555-0142' })
  assert.deepEqual(await look(), [live, changed, 'Home page Page', '/admin/home'])

  const made = await site.post('/admin/publish/previews', { 'changes[]': 'setting:site', choice: '1' })
  assert.equal(made.status, 303)
  const previews = await listPreviews(site.app.db, { limit: 1 })
  assert.deepEqual(
    previews[0]?.edits.map(({ name }) => name),
    ['Home page'],
  )
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

test('the versions of the home page are those that changed it, each with its fields', async (t) => {
  const site = await aSite(t)
  await save(site, '/admin/home', { 'home.intro': 'We heat it.' })
  for (const tagline of ['One', 'Two', 'Three']) await save(site, '/admin/settings', { tagline })
  await save(site, '/admin/home', { 'home.heading': 'Cold house?', 'home.intro': 'We warm it.' })
  const list = await site.open('/admin/home/versions')
  const rows = [...list.part('table').element.querySelectorAll('tbody tr')]
  assert.deepEqual(
    rows.map((row) => wordsOf(row.querySelector('td') as Element)),
    ['Heading, Introduction', 'Introduction', 'First version'],
  )
})

// Each version's address, newest first.
async function versionsOf(site: AdminSite, path: string): Promise<string[]> {
  const { element } = (await site.open(`${path}/versions`)).part('table')
  return [...element.querySelectorAll('tbody th a')].map((link) => String(link.getAttribute('href')))
}

// Submits the form of a button, which has no other buttons.
function press(site: AdminSite, page: Page, name: string) {
  const { form } = page.getByRole<HTMLButtonElement>('button', { name })
  const inputs = [...(form?.querySelectorAll('input') ?? [])]
  const fields = inputs.map((input) => [
    input.name.replace('[]', ''),
    input.name.endsWith('[]') ? [input.value] : input.value,
  ])
  return site.post(form?.getAttribute('action') ?? '', Object.fromEntries(fields))
}

test('a former text of the home page is restored by itself from the version that replaced it', async (t) => {
  const site = await aSite(t)
  const { db } = site.app
  await save(site, '/admin/home', { 'home.heading': 'Cold house?', 'home.intro': 'We heat it.' })
  await save(site, '/admin/settings', { tagline: 'Cool air' })
  const [newest = ''] = await versionsOf(site, '/admin/home')
  const page = await site.open(newest)
  assert.match(
    page.words,
    /Previous versionWe cool it\.Restore this textThis version \(still current\)We heat it\./,
  )
  assert.equal(page.queryByText('Cool air'), null)
  const restored = await press(site, page, 'Restore this text: Introduction (Previous version)')
  assert.equal(restored.headers.get('location'), '/admin/home')
  const { home, tagline } = await findSiteSettings(db)
  assert.deepEqual([home.intro, home.heading, tagline], ['We cool it.', 'Cold house?', 'Cool air'])
  const again = await site.open(newest)
  assert.deepEqual(again.getAllByRole('button', { name: /^Restore this text/ }).map(labelOf), [
    'Restore this text: Heading (Previous version)',
    'Restore this text: Introduction (This version)',
  ])
})

const labelOf = (button: Element) => button.getAttribute('aria-label')

test('Restore version on the home page leaves the other settings', async (t) => {
  const site = await aSite(t)
  await save(site, '/admin/home', { 'home.heading': 'Cold house?', 'home.intro': 'We heat it.' })
  await save(site, '/admin/settings', { tagline: 'Cool air' })
  const [newest = '', first = ''] = await versionsOf(site, '/admin/home')
  assert.equal((await site.open(newest)).queryByRole('link', { name: 'Restore version' }), null, 'current')
  ;(await site.open(first)).getByRole('link', { name: 'Restore version' })
  assert.equal((await site.post(first, {})).status, 303)
  assert.deepEqual(await findSiteSettings(site.app.db), { ...SETTINGS, tagline: 'Cool air' })
})

test('a former value of the settings is restored by itself', async (t) => {
  const site = await aSite(t)
  await save(site, '/admin/settings', { tagline: 'Cool air', phone: '(512) 555-0100' })
  const [newest = ''] = await versionsOf(site, '/admin/settings')
  await press(site, await site.open(newest), 'Restore this text: Phone (Previous version)')
  const { phone, tagline } = await findSiteSettings(site.app.db)
  assert.deepEqual([phone, tagline], ['(512) 555-0142', 'Cool air'])
})

test('the versions are within reach of the save button', async (t) => {
  const site = await aSite(t)
  for (const path of ['/admin/home', '/admin/settings']) {
    const button = (await site.open(path)).getByRole('button', { name: 'Save as draft' })
    const link = button.parentElement?.querySelector('a[href$="/versions"]')
    assert.equal(link?.getAttribute('href'), `${path}/versions`)
  }
})
