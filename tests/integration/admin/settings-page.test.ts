import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import { findLocale } from '#src/db/locale-store.ts'
import { PAGE_SECTIONS } from '#src/entries/types/page-sections.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { describeNotice } from '#src/messages/admin/notices.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { findNotices } from '#src/publish/notices/find-notices.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'
import { filledIn } from '../../support/pages/filled-in.ts'
import { readAnswer, wordsOf } from '../../support/pages/read-page.ts'
import { messageOf, newestChanges, openAfter } from '../../support/pages/told.ts'
import { aPicture } from '../../support/pictures.ts'
import { addEntry } from '../../support/small-site.ts'

const SETTINGS = siteSettings.parse({
  name: 'Bluebonnet',
  phone: '(512) 555-0142',
  opening_hours: [{ days: 'Monday', hours: '7 to 5' }],
  navigation: [
    { label: 'About', path: '/about' },
    { label: 'Contact', path: '/contact' },
  ],
  theme: { preset: 'bluebonnet', radius: 8 },
  quality_threshold: 30,
  home: { heading: 'Hot house?', faq: [{ question: 'How soon?', answer: 'Today.' }] },
})

const NOW = '2026-11-20T10:00:00.000Z'

async function aSite(t: Parameters<typeof startAdmin>[0]) {
  const prepare = ({ db }: AdminSite['app']) => saveSiteSettings(db, SETTINGS, { now: NOW })
  return startAdmin(t, { prepare })
}

// The form as a browser would send it back, with some fields changed.
async function postBack(
  site: AdminSite,
  changes: Record<string, string | readonly string[]>,
  path = '/admin/settings',
) {
  return site.post(path, { ...filledIn(await site.open(path)), ...changes })
}

const saveDraft = (site: AdminSite, changes: Record<string, string | readonly string[]>) =>
  postBack(site, { ...changes, act: 'draft' })

test('saving settings logs the change and keeps keys that the form doesn’t show', async (t) => {
  const site = await aSite(t)
  await savePicture(site.app.db, aPicture({ name: 'logo.png' }), { now: NOW })
  const saved = await postBack(site, {
    logo: 'logo.png',
    tagline: 'Cool "><b>homes',
    'navigation.label': ['Contact', 'Prices', ''],
    'navigation.path': ['/contact', '/prices', ''],
    'theme.colors.primary': '#2f42a5',
  })
  assert.equal(saved.status, 303, await saved.text())
  const menu = (await site.open('/admin/publish')).whole.part('navigation', { name: 'Admin' })
  menu.getByRole('link', { name: /^Publish\s*changes$/ })
  assert.equal((await findSiteSettings(site.app.db)).logo, 'logo.png')
  const settings = await findSiteSettings(site.app.db)
  assert.equal(settings.tagline, 'Cool "><b>homes')
  assert.deepEqual(
    settings.navigation.map(({ path }) => path),
    ['/contact', '/prices'],
  )
  assert.deepEqual(settings.theme, { preset: 'bluebonnet', radius: 8, colors: { primary: '#2f42a5' } })
  assert.deepEqual([settings.quality_threshold, settings.home], [30, SETTINGS.home])
  const html = await site.read('/admin/settings')
  assert.ok(/Cool &(#34|quot);/.test(html) && !html.includes('"><b>homes'))
  assert.deepEqual(await newestChanges(site), [
    'Changed the site settings: Logo, Tagline, Navigation, Theme and colors: Buttons and links',
  ])
  await postBack(site, { tagline: 'Cool homes' })
  assert.equal((await findSiteSettings(site.app.db)).logo, 'logo.png', 'the form shows it')
  await postBack(site, { logo: '' })
  assert.equal((await findSiteSettings(site.app.db)).logo, undefined)
  const list = await site.open('/admin/settings/versions')
  const versions = list.part('table').element.querySelectorAll('tbody tr')
  assert.match(versions[0]?.textContent ?? '', /ann@example\.com\s*Logo/)
  assert.equal(versions.length, 4)
  const first = versions[3]?.querySelector('a')?.getAttribute('href') ?? ''
  const compared = await site.open(`${first}?with=current`)
  compared.getByRole('heading', { name: 'Tagline' })
  assert.equal((await site.post(first, {})).status, 303)
  assert.deepEqual(await findSiteSettings(site.app.db), SETTINGS)
})

test('a draft of the settings is shown, used, and discarded, and the screen says what visitors see', async (t) => {
  const site = await aSite(t)
  const { db } = site.app
  const badges = async () => (await site.open('/admin/settings')).element.querySelectorAll('.badge')
  const states = async () => [...(await badges())].map((badge) => badge.textContent?.trim())
  assert.deepEqual(await states(), ['live'])
  assert.match(messageOf(await saveDraft(site, { tagline: 'Cool homes' })), /Visitors still see the live/)
  assert.deepEqual(await findSiteSettings(db), SETTINGS)
  const page = await site.open('/admin/settings')
  assert.equal(page.valueOf('Tagline'), 'Cool homes')
  assert.deepEqual(await states(), ['live', 'has a draft'])
  ;(await site.open('/admin/publish/changes')).getByText('Nothing has changed since the last publish.')
  await postBack(site, { 'home.heading': 'Cold house?', act: 'draft' }, '/admin/home')
  await changeSiteSettings(db, { changes: { tagline: 'Saved' } }, { now: new Date() })
  const later = await site.open('/admin/settings')
  later.getByText('This draft will replace newer values: Tagline.')
  const version = later.element.querySelector<HTMLInputElement>('[name=version]')?.value ?? ''
  const list = await site.open('/admin/settings/versions')
  list.part('table').getByRole('cell', { name: 'draft' })
  const used = await site.post('/admin/settings/draft', { act: 'use', version })
  assert.match(messageOf(used), /added to the next publish/)
  const { tagline, home } = await findSiteSettings(db)
  assert.deepEqual([tagline, home.heading], ['Cool homes', 'Cold house?'])
  assert.deepEqual(await states(), ['live', 'unpublished changes'])
  const again = await site.post('/admin/settings/draft', { act: 'discard', version })
  assert.match(messageOf(again), /Someone else changed the draft/)
  await saveDraft(site, { tagline: 'Warm' })
  await postBack(site, { phone: '(512) 555-0100' })
  assert.equal((await findSiteSettings(db)).tagline, 'Warm')
  assert.deepEqual((await newestChanges(site, 4)).sort(), [
    'Added the draft of the site settings to the next publish',
    'Changed the site settings: Tagline, Phone',
    'Saved a draft of the site settings',
    'Saved a draft of the site settings',
  ])
})

test('settings that were changed back to the live ones are live', async (t) => {
  const site = await aSite(t)
  const badgesOf = async (path: string) =>
    [...(await site.open(path)).element.querySelectorAll('.badge')].map((badge) => badge.textContent?.trim())
  await postBack(site, { tagline: 'Cool homes' })
  assert.deepEqual(await badgesOf('/admin/settings'), ['live', 'unpublished changes'])
  assert.deepEqual(await badgesOf('/admin/settings/versions'), ['saved, not published', 'live'])
  ;(await site.open('/admin/publish/changes')).getByRole('checkbox', { name: 'Select Settings' })
  await postBack(site, { tagline: '' })
  assert.deepEqual(await badgesOf('/admin/settings'), ['live'])
  assert.deepEqual(await badgesOf('/admin/settings/versions'), ['live'])
  ;(await site.open('/admin/publish/changes')).getByText('Nothing has changed since the last publish.')
  await postBack(site, { tagline: 'Warm homes' })
  assert.deepEqual(await badgesOf('/admin/settings'), ['live', 'unpublished changes'])
})

test('the home page without services says that they can be added in the admin or as files', async (t) => {
  const site = await startAdmin(t)
  await site.app.db.deleteFrom('content_entries').execute()
  const typed = filledIn(await site.open('/admin/settings'))
  const html = await (await site.post('/admin/settings/preview', { ...typed, name: 'Bluebonnet' })).text()
  assert.match(html, /Add one in the admin or as a file in\s*<code>content\/services\/<\/code>/)
})

test('a preview shows the home page with typed settings, their theme, and the pages around it', async (t) => {
  const site = await aSite(t)
  const typed = { ...filledIn(await site.open('/admin/settings')), tagline: 'Cold air', 'theme.radius': '3' }
  const shown = await site.post('/admin/settings/preview', { ...typed, 'home.heading': 'Cold house?' })
  const html = await shown.text()
  assert.match(html, /<h1[^>]*>\s*Cold house\?/)
  assert.match(html, /AC repair/)
  assert.doesNotMatch(html, /<script[^>]+src=/)
  const css = /href="(\/admin\/settings\/theme\.css[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.match(await site.read(css), /--radius:3px/)
  const refused = await site.post('/admin/settings/preview', { ...typed, email: 'office' })
  assert.deepEqual(
    [refused.status, (await refused.text()).trim().slice(0, 22)],
    [422, 'Enter an email address'],
  )
  await postBack(site, { 'home.heading': 'Draft?', act: 'draft' }, '/admin/home')
  const list = await site.open('/admin/settings/versions')
  const draft = list.part('table').element.querySelector('tbody a')?.getAttribute('href') ?? ''
  assert.match(await (await site.fetch(`${draft}/page`)).text(), /Draft\?/)
  assert.deepEqual((await findSiteSettings(site.app.db)).home, SETTINGS.home)
})

test('a menu links to every section of the settings', async (t) => {
  const page = await (await startAdmin(t)).open('/admin/settings')
  const links = page.part('navigation', { name: 'Settings by topic' }).getAllByRole('link')
  const titleAt = (link: Element) =>
    page.element.ownerDocument.querySelector(String(link.getAttribute('href')))?.querySelector('h2')
  assert.deepEqual(
    links.map((link) => wordsOf(titleAt(link) as Element)),
    links.map(wordsOf),
  )
  for (const [section, setting] of [
    ['Phone and address', /^Phone/],
    ['Name and logo', /^Logo/],
    ['Theme and colors', /^Buttons and links/],
  ] as const) {
    page.part('navigation', { name: 'Settings by topic' }).getByRole('link', { name: section })
    page.part('region', { name: section }).getAllByLabelText(setting)
  }
})

test('both buttons that save say what visitors will see', async (t) => {
  const site = await startAdmin(t)
  const { id } = await site.app.db
    .selectFrom('content_entries')
    .select('id')
    .where('slug', '=', 'ac-repair')
    .executeTakeFirstOrThrow()
  for (const [path, description] of [
    ['/admin/settings', 'A draft stays private. Other changes go live with the next publish.'],
    [
      `/admin/entries/services/${id}`,
      'Drafts stay private. Scheduled changes go live automatically; other changes wait for the next publish.',
    ],
  ] as const) {
    const page = await site.open(path)
    for (const name of ['Save for next publish', 'Save as draft'])
      page.getByRole('button', { name, description })
  }
  // A new page has no draft besides itself.
  const added = await site.open('/admin/entries/services/new')
  assert.deepEqual(added.getAllByRole('button', { name: /^Save/ }).map(wordsOf), ['Save'])
})

test('Share preview saves a draft of the settings, and only that draft is selected for the link', async (t) => {
  const site = await startAdmin(t)
  ;(await site.open('/admin/settings')).getByRole('button', { name: 'Share preview' })
  const before = (await findSiteSettings(site.app.db)).tagline
  const shared = await postBack(site, { tagline: 'Cool homes', act: 'share' })
  assert.equal(shared.headers.get('location'), '/admin/publish/previews?only=setting:site')
  const page = await site.open('/admin/publish/previews?only=setting:site')
  assert.equal(page.valueOf('Include the draft of Settings'), true)
  assert.equal((await findSiteSettings(site.app.db)).tagline, before)
})

test('a broken link in the menu is named', async (t) => {
  const site = await aSite(t)
  const page = await site.open('/admin/settings')
  for (const path of ['/about', '/contact']) page.getByText(`The link to ${path} in Navigation is broken.`)
  await addEntry(site.app.db, 'pages', { slug: 'about', title: 'About' })
  const left = await site.open('/admin/settings')
  assert.equal(left.queryAllByText(/is broken\.$/).length, 1)
})

test('country, language, and time zone stay unset until someone chooses them', async (t) => {
  const site = await aSite(t)
  await postBack(site, { tagline: 'Cool homes' })
  const { country, language, time_zone } = await findSiteSettings(site.app.db)
  assert.deepEqual([country, language, time_zone], [undefined, undefined, undefined])
  const chosen = { country: 'IE', language: 'en-ie', time_zone: 'Europe/Dublin' }
  const saved = await postBack(site, { ...chosen, phone: '061 555 0142' })
  assert.equal(saved.status, 303, await saved.text())
  const settings = await findSiteSettings(site.app.db)
  assert.deepEqual(
    [settings.country, settings.language, settings.time_zone],
    ['IE', 'en-IE', 'Europe/Dublin'],
  )
  const locale = await findLocale(site.app.db)
  assert.deepEqual(locale, { country: 'IE', language: 'en-IE', timeZone: 'Europe/Dublin' })
  const page = await site.open('/admin/settings')
  assert.equal(page.valueOf('Country'), 'IE')
  page.getByRole('option', { name: 'Ireland', selected: true })
  assert.equal(page.valueOf('Time zone'), 'Europe/Dublin')
  page.getByText('Used for times in the admin, emails, and exports, and for the days of results.')
  const versions = await site.open('/admin/settings/versions')
  const newest = versions.part('table').element.querySelector('tbody a')?.getAttribute('href') ?? ''
  const { words } = await site.open(newest)
  assert.match(
    words,
    /Previous versionUnited States \(default\)Restore this textThis version \(still current\)Ireland/,
  )
})

test('without JavaScript the admin uses the site’s time zone as soon as it is saved', async (t) => {
  const site = await aSite(t)
  assert.equal((await postBack(site, { time_zone: 'Asia/Tokyo' })).status, 303)
  await site.app.db.updateTable('audit_log').set({ happened_at: '2026-11-20T23:30:00.000Z' }).execute()
  ;(await site.open('/admin/audit')).part('table').getByTitle('Nov 21, 2026, 8:30 AM GMT+9')
  const id = await addEntry(site.app.db, 'pages', {
    ...{ slug: 'sale', title: 'Sale', publishAt: '2999-01-01T00:00:00.000Z' },
  })
  const path = `/admin/entries/pages/${id}`
  const editor = await site.open(path)
  const from = editor.control('Publish at')
  assert.deepEqual([from.name, from.value], ['publish_at', '2999-01-01T09:00'])
  assert.equal(editor.getAllByText('Time zone: Asia/Tokyo').length, 2)
  const posted = { slug: 'sale', title: 'Sale', status: 'published', publish_at: '2999-01-01T10:00' }
  const zone = editor.element.querySelector<HTMLInputElement>('[name=time-zone]')?.value ?? ''
  assert.equal((await site.post(path, { ...posted, 'time-zone': zone })).status, 303)
  const saved = await site.app.db
    .selectFrom('content_entries')
    .select('publish_at')
    .where('id', '=', id)
    .executeTakeFirst()
  assert.equal(saved?.publish_at, '2999-01-01T01:00:00.000Z')
})

test('phone numbers are dialed in the site’s country, and additional ones have labels', async (t) => {
  const site = await aSite(t)
  const body = 'Call (512) 555-0142 or write.'
  const id = await addEntry(site.app.db, 'pages', { slug: 'about', title: 'About', body })
  await addEntry(site.app.db, 'pages', { slug: 'draft', title: 'Draft', status: 'draft', body })
  const spellings = ['Call (512)\n555-0142.', 'Or 512-555-0142.', '[Call](tel:+15125550142)']
  for (const [index, text] of spellings.entries())
    await addEntry(site.app.db, 'pages', { slug: `z${index}`, title: `Spelling ${index}`, body: text })
  await addEntry(site.app.db, 'pages', { slug: 'other', title: 'Other', body: 'Call (512) 555-0143.' })
  const pair = await site.app.db
    .updateTable('content_entries')
    .set({ body, is_generated: 0, title: '' })
    .where('slug', '=', 'ac-repair/austin')
    .returning('id')
    .executeTakeFirstOrThrow()
  const typed = { country: 'IE', 'phones.label': ['Emergencies', ''], 'phones.number': ['087 123 4567', ''] }
  const saved = await postBack(site, { ...typed, phone: '+353 (0)61 555 0142' })
  assert.equal(saved.status, 303, await saved.text())
  const told = await openAfter(site, saved)
  told.getByText('The old number, (512) 555-0142, still appears on:')
  assert.equal(told.getByRole('link', { name: 'About' }).getAttribute('href'), `/admin/entries/pages/${id}`)
  for (const index of spellings.keys()) told.getByRole('link', { name: `Spelling ${index}` })
  assert.equal(told.queryByRole('link', { name: 'Other' }), null)
  const linked = told.getByRole('link', { name: 'AC repair in Austin' }).getAttribute('href')
  assert.equal(linked, `/admin/entries/location_services/${pair.id}`)
  const notices = (await findNotices(site.app.db)).filter(({ code }) => code === 'old_number')
  assert.deepEqual(notices.map(describeNotice), [
    '“About” still shows the old phone number, (512) 555-0142.',
    ...spellings.map((_, index) => `“Spelling ${index}” still shows the old phone number, (512) 555-0142.`),
    '“AC repair in Austin” still shows the old phone number, (512) 555-0142.',
  ])
  const { phone, phones } = await findSiteSettings(site.app.db)
  assert.deepEqual(
    [phone, phones],
    ['+353 (0)61 555 0142', [{ label: 'Emergencies', number: '087 123 4567' }]],
  )
})

test('a new business name is followed by the pages that still have the old one', async (t) => {
  const site = await aSite(t)
  const { db } = site.app
  const { name } = await findSiteSettings(db)
  const add = (slug: string, body: string, status: 'published' | 'draft' = 'published') =>
    addEntry(db, 'pages', { slug, title: slug, body, status })
  const id = await add('about', `${name.replace(' ', '\n')} began in 1990.`)
  await add('lower', name.toLowerCase())
  await add('new', `${name} Services has a new name.`)
  await add('draft', name, 'draft')
  for (let number = 0; number < 21; number++) await add(`news-${number}`, `By ${name}.`)
  const saved = await postBack(site, { name: `${name} Services` })
  assert.equal(saved.headers.get('location'), '/admin/settings#old-uses')
  const told = await openAfter(site, saved)
  const notice = told.getByText(`The old business name, ${name}, still appears on:`).parentElement
  const links = [...(notice?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))
  assert.deepEqual([links.length, links[0]], [20, `/admin/entries/pages/${id}`])
  assert.match(notice?.textContent ?? '', /and 2 more/)
  const unchanged = await postBack(site, { tagline: 'Cool air' })
  assert.equal(unchanged.headers.get('location'), '/admin/settings')
  ;(await openAfter(site, unchanged)).getByText(/still appears on/)
  await db
    .deleteFrom('content_entries')
    .where('body', 'like', `%${name.slice(-4)}%`)
    .execute()
  assert.equal((await site.open('/admin/settings')).queryByText(/still appears on/), null)
})

test('a phone number from before validation stays until it is edited', async (t) => {
  const phone = '+353 (0)61 555 0142 / 087 123 4567'
  const stored = { ...SETTINGS, phone }
  const site = await startAdmin(t, { prepare: ({ db }) => saveSiteSettings(db, stored, { now: NOW }) })
  ;(await site.open('/admin/settings')).getByText(/can’t be dialed, so it has no link/)
  assert.equal((await postBack(site, { tagline: 'Warm homes' })).status, 303)
  assert.equal((await findSiteSettings(site.app.db)).phone, phone)
  const refused = await postBack(site, { phone: `${phone}8` })
  const mistake = 'Enter one valid phone number, such as +1 201 555 0123.'
  assert.equal((await readAnswer(refused, 422)).mistakeOf('Phone'), mistake)
})

test('saving one setting leaves the others as they are stored, byte for byte', async (t) => {
  const stored = {
    ...SETTINGS,
    address: '1 Quay St\nLimerick\n',
    tagline: ' Warm homes\n',
    default_form: null,
    theme: { ...SETTINGS.theme, colors: {} },
    opening_hours: [{ days: 'Monday ', hours: '\n7 to 5' }],
    phones: [],
    home: { ...SETTINGS.home, intro: 'Two\nlines\n', faq: [{ question: 'How soon? ', answer: 'Today.\n' }] },
  }
  const site = await startAdmin(t, { prepare: ({ db }) => saveSiteSettings(db, stored, { now: NOW }) })
  await postBack(site, { name: 'Bluebonnet Homes' })
  assert.deepEqual(await findSiteSettings(site.app.db), { ...stored, name: 'Bluebonnet Homes' })
  assert.deepEqual(await newestChanges(site), ['Changed the site settings: Name'])
  await postBack(site, { 'home.heading': 'Cold house?' }, '/admin/home')
  const home = { ...stored.home, heading: 'Cold house?' }
  assert.deepEqual((await findSiteSettings(site.app.db)).home, home)
})

test('a save in the admin does not conflict with an edit of another key of the file', async (t) => {
  const site = await startAdmin(t)
  const contentDir = temporaryFolder(t)
  const sync = (address: string) => {
    writeFileSync(join(contentDir, 'site.yaml'), `name: Bluebonnet\naddress: |\n  1 Quay St\n  ${address}\n`)
    const secretBox = createSecretBox(new Uint8Array(32))
    return syncContent(site.app.db, {
      contentDir,
      pictureFiles: openPictureFiles(contentDir),
      environment: {},
      secretBox,
      now: new Date(NOW),
    })
  }
  assert.equal((await sync('Limerick')).kind, 'synced')
  assert.equal((await postBack(site, { phone: '(512) 555-0100' })).status, 303)
  const again = await sync('Ennis')
  assert.equal(again.kind, 'synced', JSON.stringify(again))
  const { address, phone } = await findSiteSettings(site.app.db)
  assert.deepEqual([address, phone], ['1 Quay St\nEnnis\n', '(512) 555-0100'])
})

test('every key of site.yaml can be edited', async (t) => {
  const site = await aSite(t)
  const html = `${await site.read('/admin/settings')}${await site.read('/admin/home')}`
  // Stages have a screen of their own.
  const names = leafNames(siteSettings).filter((name) => !name.startsWith('stages.'))
  const missing = names.filter((name) => !html.includes(`name="${name}"`))
  assert.deepEqual(missing, [])
})

// The names that the keys of a schema have in a form: `home.faq.answer[]`, `home.gallery`.
function leafNames(schema: z.ZodType, path = ''): string[] {
  const { innerType, in: input } = schema.def as { innerType?: z.ZodType; in?: z.ZodType }
  if (innerType ?? input) return leafNames((innerType ?? input) as z.ZodType, path)
  // One text with a line for each.
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodString) return [path]
  if (schema instanceof z.ZodArray)
    return leafNames(
      schema.element as z.ZodType,
      schema.element instanceof z.ZodEnum ? `${path}.shown` : path,
    ).map((name) => `${name}[]`)
  if (!(schema instanceof z.ZodObject)) return [path]
  return Object.entries(schema.shape).flatMap(([key, part]) =>
    leafNames(part as z.ZodType, path === '' ? key : `${path}.${key}`),
  )
}

test('the quality threshold and share pictures are saved', async (t) => {
  const site = await aSite(t)
  await postBack(site, { quality_threshold: '0', share_pictures: 'service' })
  const { quality_threshold, share_pictures } = await findSiteSettings(site.app.db)
  assert.deepEqual([quality_threshold, share_pictures], [0, 'service'])
})

test('sections are hidden and reordered; the default order stores nothing', async (t) => {
  const site = await aSite(t)
  const save = (changes: Parameters<typeof postBack>[1]) => postBack(site, changes, '/admin/home')
  const all = [...PAGE_SECTIONS.home]
  const inOrder = all.map((_, index) => String(index + 1))
  const order = (place: string[], shown: string[]) => ({
    'sections.home.all': all,
    'sections.home.place': place,
    'sections.home.shown': shown,
  })
  await save(order([...inOrder.slice(0, -1), '0'], ['service_list', 'steps', 'faq']))
  const { sections } = await findSiteSettings(site.app.db)
  assert.deepEqual(sections, { home: ['faq', 'service_list', 'steps'] })
  const page = await site.open('/admin/home')
  const first = page.getByRole('list', { name: 'Home page' }).querySelector('li')
  assert.match(first?.textContent ?? '', /Questions and answers/)
  for (const name of ['Steps', 'Questions and answers']) assert.ok(page.getByRole('group', { name }), name)
  await save(order(inOrder, all))
  assert.equal((await findSiteSettings(site.app.db)).sections, undefined)
  for (const off of ['service_list', 'gallery', 'faq']) {
    const shown = all.filter((name) => name !== off)
    await save(order(inOrder, shown))
    assert.deepEqual((await findSiteSettings(site.app.db)).sections, { home: shown })
    const list = (await site.open('/admin/home')).getByRole('list', { name: 'Home page' })
    const names = [...list.querySelectorAll('input[name="sections.home.all[]"]')].map((input) =>
      input.getAttribute('value'),
    )
    assert.deepEqual(names, all)
  }
  // A moved section that is turned off afterwards stays where it was put.
  await save(order([...inOrder.slice(0, -1), '0'], all.slice(0, -1)))
  const moved = (await findSiteSettings(site.app.db)).sections?.home
  assert.deepEqual(moved, ['-faq', ...all.slice(0, -1)])
  const home = (await site.open('/admin/home')).getByRole('list', { name: 'Home page' })
  assert.match(home.querySelector('li')?.textContent ?? '', /Questions and answers/)
})

test('saving without a change writes nothing', async (t) => {
  const site = await aSite(t)
  const answer = await postBack(site, {})
  assert.equal(answer.status, 303)
  assert.ok(messageOf(answer).startsWith('Nothing was changed'), messageOf(answer))
  assert.deepEqual(await findSiteSettings(site.app.db), SETTINGS)
  const log = await site.open('/admin/audit')
  assert.equal(log.queryAllByText(/^Changed the settings/).length, 0)
})

const NO_NUMBER = 'Enter one valid phone number, such as'

const REFUSALS = [
  ['no name', { name: ' ' }, 'textbox', 'Name', 'Enter the business name.'],
  [
    'an e-mail address that is none',
    { email: 'office' },
    ...['textbox', 'Email address (optional)', 'Enter an email address such as'],
  ],
  [
    'half a row',
    { 'opening_hours.days': ['Monday'], 'opening_hours.hours': [''] },
    ...['group', 'Days and hours', 'Line 1: fill in hours, or clear'],
  ],
  [
    'a link that leads nowhere',
    { 'navigation.label': ['X'], 'navigation.path': ['x'] },
    ...['group', 'Navigation', 'Link 1: enter a path that starts'],
  ],
  [
    'a country that does not exist',
    { country: 'UK' },
    ...['combobox', 'Country (optional)', 'Choose a country from the list'],
  ],
  [
    'a language that does not exist',
    { language: 'jp' },
    ...['textbox', 'Language (optional)', 'Enter a language code such as en, en-IE, or ja'],
  ],
  [
    'a time zone that does not exist',
    { time_zone: '+01:00' },
    ...['combobox', 'Time zone (optional)', 'Choose a time zone from the list'],
  ],
  [
    'two phone numbers in one field',
    { country: 'IE', phone: '061 555 0142 / 087 123 4567' },
    ...['textbox', 'Phone (optional)', `${NO_NUMBER} +353 85 012 3456`],
  ],
  [
    'a further phone number that nobody can dial',
    { 'phones.label': ['Office'], 'phones.number': ['555-0000'] },
    ...['group', 'More phone numbers', 'Number 1: enter one valid phone number, such as +1 201 555 0123'],
  ],
  [
    'a threshold above 100',
    { quality_threshold: '101' },
    ...['textbox', 'Quality threshold (optional)', 'Enter a whole number from 0 to 100'],
  ],
  [
    'a threshold that is not a number',
    { quality_threshold: 'high' },
    ...['textbox', 'Quality threshold (optional)', 'Enter a whole number from 0 to 100'],
  ],
  [
    'a logo that does not exist',
    { logo: 'nope.png' },
    ...['combobox', 'Logo (optional)', 'The picture nope.png doesn’t exist'],
  ],
  [
    'a form that does not exist',
    { default_form: 'nope' },
    ...['combobox', 'Default form (optional)', 'The form nope doesn’t exist'],
  ],
  [
    'colors that cannot be read',
    { 'theme.colors.text': '#eeeeee' },
    'textbox',
    'Text (optional)',
    '“Text” #eeeeee is hard to read on “Background” #ffffff',
  ],
  [
    'a color that is none',
    { 'theme.colors.text': 'red' },
    ...['textbox', 'Text (optional)', 'Enter a color such as #2f42a5'],
  ],
] as const

test('a mistake is refused at its field, and the input is kept', async (t) => {
  // What is refused changes nothing, so all of them can ask the same site.
  const site = await aSite(t)
  const page = await site.open('/admin/settings')
  for (const [what, changes, role, name, mistake] of REFUSALS)
    await t.test(what, async () => {
      const fields = { ...filledIn(page), phone: '(512) 555-0100', ...changes }
      const refused = await readAnswer(await site.post('/admin/settings', fields), 422)
      refused.getByRole(role, { name, description: (text) => text.includes(mistake) })
      if (!('phone' in changes)) assert.equal(refused.valueOf('Phone'), '(512) 555-0100')
      assert.deepEqual(await findSiteSettings(site.app.db), SETTINGS)
    })
})

test('a concurrent change by another user isn’t lost', async (t) => {
  const site = await aSite(t)
  const refused = await postBack(site, { based_on: 'before', phone: '555-0000' })
  const page = await readAnswer(refused, 409)
  assert.ok(page.part('alert').words.startsWith('Someone else saved the settings after you'))
})
