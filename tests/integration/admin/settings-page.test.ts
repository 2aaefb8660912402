import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLocale } from '../../../src/db/locale-store.ts'
import { savePicture } from '../../../src/site/pictures/picture-store.ts'
import { siteSettings } from '../../../src/site/site-settings.ts'
import { findSiteSettings, saveSiteSettings } from '../../../src/site/site-settings-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
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
async function postBack(site: AdminSite, changes: Record<string, string | readonly string[]>) {
  const html = await site.read('/admin/settings')
  const fields: Record<string, string | readonly string[]> = { based_on: fieldOf(html, 'based_on') }
  const texts = ['name', 'tagline', 'phone', 'email', 'address', 'home.heading', 'home.intro', 'theme.radius']
  for (const name of texts) fields[name] = fieldOf(html, name)
  const [logo] = /<select[^>]*name="logo"[\s\S]*?<\/select>/.exec(html) ?? ['']
  fields.logo = /<option value="([^"]+)" selected/.exec(logo)?.[1] ?? ''
  const { opening_hours: hours, navigation, home } = await findSiteSettings(site.app.db)
  return site.post('/admin/settings', {
    ...{ ...fields, business_type: 'LocalBusiness', 'theme.preset': 'bluebonnet' },
    'opening_hours.days': hours.map(({ days }) => days),
    'opening_hours.hours': hours.map((line) => line.hours),
    'navigation.label': navigation.map(({ label }) => label),
    'navigation.path': navigation.map(({ path }) => path),
    'home.faq.question': home.faq.map(({ question }) => question),
    'home.faq.answer': home.faq.map(({ answer }) => answer),
    ...changes,
  })
}

function fieldOf(html: string, name: string): string {
  const tag = html.match(new RegExp(`<(?:input|textarea)[^>]*name="${name}"[^>]*>(?:([^<]*)</textarea>)?`))
  return tag?.[1] ?? /value="([^"]*)"/.exec(tag?.[0] ?? '')?.[1] ?? ''
}

test('settings are saved, logged, and what the form does not show stays', async (t) => {
  const site = await aSite(t)
  const picture = { name: 'logo.png', sha256: '0', width: 1, height: 1, bytes: Buffer.alloc(1) }
  await savePicture(site.app.db, picture, { now: NOW })
  const saved = await postBack(site, {
    logo: 'logo.png',
    tagline: 'Cool "><b>homes',
    'navigation.label': ['Contact', 'Prices', ''],
    'navigation.path': ['/contact', '/prices', ''],
    'theme.colors.primary': '#2f42a5',
  })
  assert.equal(saved.status, 303, await saved.text())
  assert.match(await site.read('/admin/publish'), /badge[^>]*>changes</)
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
  assert.match(
    await site.read('/admin/audit'),
    /Changed the settings of the site: logo, tagline, navigation, theme/,
  )
  await postBack(site, { tagline: 'Cool homes' })
  assert.equal((await findSiteSettings(site.app.db)).logo, 'logo.png', 'the form shows it')
  await postBack(site, { logo: '' })
  assert.equal((await findSiteSettings(site.app.db)).logo, undefined)
})

test('country, language and time zone are saved, and stay unset until somebody chooses', async (t) => {
  const site = await aSite(t)
  await postBack(site, { tagline: 'Cool homes' })
  const { country, language, time_zone } = await findSiteSettings(site.app.db)
  assert.deepEqual([country, language, time_zone], [undefined, undefined, undefined])
  const saved = await postBack(site, { country: 'IE', language: 'en-ie', time_zone: 'Europe/Dublin' })
  assert.equal(saved.status, 303, await saved.text())
  const settings = await findSiteSettings(site.app.db)
  assert.deepEqual(
    [settings.country, settings.language, settings.time_zone],
    ['IE', 'en-IE', 'Europe/Dublin'],
  )
  const locale = await findLocale(site.app.db)
  assert.deepEqual(locale, { country: 'IE', language: 'en-IE', timeZone: 'Europe/Dublin' })
  const html = await site.read('/admin/settings')
  assert.match(html, /<option value="IE" selected[^>]*>\s*Ireland/)
  assert.match(html, /<option value="Europe\/Dublin" selected/)
})

test('the admin without JavaScript tells and takes times of the time zone, as soon as it is saved', async (t) => {
  const site = await aSite(t)
  assert.equal((await postBack(site, { time_zone: 'Asia/Tokyo' })).status, 303)
  await site.app.db.updateTable('audit_log').set({ happened_at: '2026-11-20T23:30:00.000Z' }).execute()
  assert.match(await site.read('/admin/audit'), /<time[^>]*>21 Nov 2026, 08:30 GMT\+9</)
  const id = await addEntry(site.app.db, 'pages', {
    ...{ slug: 'sale', title: 'Sale', publishAt: '2999-01-01T00:00:00.000Z' },
  })
  const path = `/admin/entries/pages/${id}`
  const html = await site.read(path)
  const [input = ''] = /<input[^>]*name="publish_at"[^>]*>/.exec(html) ?? []
  assert.match(input, /value="2999-01-01T09:00"/)
  assert.match(html, /Time zone: Asia\/Tokyo/)
  const posted = { slug: 'sale', title: 'Sale', status: 'published', publish_at: '2999-01-01T10:00' }
  const zone = /name="time_zone" value="([^"]+)"/.exec(html)?.[1] ?? ''
  assert.equal((await site.post(path, { ...posted, time_zone: zone })).status, 303)
  const saved = await site.app.db
    .selectFrom('content_entries')
    .select('publish_at')
    .where('id', '=', id)
    .executeTakeFirst()
  assert.equal(saved?.publish_at, '2999-01-01T01:00:00.000Z')
})

test('saving without a change writes nothing', async (t) => {
  const site = await aSite(t)
  const answer = await postBack(site, {})
  assert.equal(answer.status, 303)
  assert.match(decodeURIComponent(answer.headers.get('set-cookie') ?? ''), /Nothing was different/)
  assert.deepEqual(await findSiteSettings(site.app.db), SETTINGS)
  assert.doesNotMatch(await site.read('/admin/audit'), /Changed the settings/)
})

for (const [what, changes, message] of [
  ['no name', { name: ' ' }, /Enter the name of the business/],
  ['an e-mail address that is none', { email: 'office' }, /Enter an e-mail address such as/],
  [
    'half a row',
    { 'opening_hours.days': ['Monday'], 'opening_hours.hours': [''] },
    /Line 1: fill in hours, or empty/,
  ],
  [
    'a link that leads nowhere',
    { 'navigation.label': ['X'], 'navigation.path': ['x'] },
    /Link 1: Address, expected a path that starts/,
  ],
  ['a country that does not exist', { country: 'UK' }, /Choose a country from the list/],
  ['a language that does not exist', { language: 'jp' }, /Enter a language code such as en, en-IE or ja/],
  ['a time zone that does not exist', { time_zone: '+01:00' }, /Choose a time zone from the list/],
  ['a logo that does not exist', { logo: 'nope.png' }, /There is no picture nope\.png/],
  ['a form that does not exist', { default_form: 'nope' }, /There is no form nope/],
  ['colors that cannot be read', { 'theme.colors.text': '#eeeeee' }, /Some fields need another look/],
  ['a color that is none', { 'theme.colors.text': 'red' }, /Expected a color such as #2f42a5/],
] as const) {
  test(`${what} is refused with a message, and what was typed stays`, async (t) => {
    const site = await aSite(t)
    const refused = await postBack(site, { phone: '555-0000', ...changes })
    const html = await refused.text()
    assert.equal(refused.status, 422)
    assert.match(html, message)
    assert.match(html, /value="555-0000"/)
    assert.deepEqual(await findSiteSettings(site.app.db), SETTINGS)
  })
}

test('what somebody else saved meanwhile is not lost', async (t) => {
  const site = await aSite(t)
  const refused = await postBack(site, { based_on: 'before', phone: '555-0000' })
  assert.equal(refused.status, 409)
  assert.match(await refused.text(), /Somebody else changed the settings meanwhile/)
})
