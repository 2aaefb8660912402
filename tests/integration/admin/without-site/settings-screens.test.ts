import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { choicesOf } from '#src/admin/settings/choices.ts'
import { editSettings, type ShownEditor } from '#src/admin/settings/edit-settings.ts'
import { showSettings, showSettingsVersion } from '#src/admin/settings/preview-settings.ts'
import { answerReplacement } from '#src/admin/settings/replace-number.ts'
import { toFormValues } from '#src/admin/settings/settings-form.ts'
import { HOME_SCREEN, SETTINGS_SCREEN, type SettingsScreen } from '#src/admin/settings/settings-screen.ts'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import { findEditedSettings, saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { DEFAULT_SITE_SETTINGS, SHOWN_SETTINGS, type SiteSettings } from '#src/site/settings/site-settings.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { themeStylesheet } from '#src/site/theme/theme-stylesheet.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { anAdminPage, answerOf, type PageContext } from '../../../support/admin-page.ts'
import { storeForm } from '../../../support/forms.ts'
import { goLive } from '../../../support/live-release.ts'
import { aPicture } from '../../../support/pictures.ts'
import { draftEntry } from '../../../support/small-edits.ts'
import { addEntry } from '../../../support/small-site.ts'

const OLD = '(512) 555-0142'
const NEW = '(512) 555-0100'
const AT = '2026-11-20T10:00:00.000Z'

/** A business whose phone number has changed; its home page still has the former one. */
async function theSite(t: TestContext) {
  const page = await anAdminPage(t)
  const { db, open } = page
  const change = async (changes: Partial<SiteSettings>) => {
    const outcome = await changeSiteSettings(db, { changes }, { now: new Date() })
    assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
  }
  const home = { ...DEFAULT_SITE_SETTINGS.home, intro: `Call ${OLD}.` }
  await change({ name: 'Acme', phone: OLD, home })
  await change({ phone: NEW })
  const about = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: `Call ${OLD} now.` })
  const address = `/admin/settings/replacement?number=${encodeURIComponent(OLD)}`
  async function replace(number = OLD, post?: Record<string, string>) {
    const context = open(`/admin/settings/replacement?number=${encodeURIComponent(number)}`, {
      ...(post && { post }),
    })
    return { answer: await answerReplacement(context), response: context.response }
  }
  const bodyOf = async (id: number) => (await findEntryById(db, id))?.body
  const actions = async () => (await page.activity()).map(({ action }) => action)
  return { ...page, change, about, address, replace, bodyOf, actions }
}

test('a former number is replaced in the settings and on every page', async (t) => {
  const { db, about, replace, bodyOf, message, actions, activity } = await theSite(t)
  const shown = (await replace()).answer
  assert.ok(!(shown instanceof Response))
  assert.deepEqual([shown.former, shown.found.entries.length, shown.refused], [OLD, 1, []])
  assert.equal(await bodyOf(about), `Call ${OLD} now.`)
  const { answer } = await replace(OLD, {})
  assert.equal(answerOf(answer), '303 /admin/settings#old-uses')
  assert.equal(message()?.kind, 'success')
  assert.equal(await bodyOf(about), `Call ${NEW} now.`)
  const { phone, home } = await findSiteSettings(db)
  assert.deepEqual([phone, home.intro], [NEW, `Call ${NEW}.`])
  assert.deepEqual(await actions(), ['entry.changed', 'settings.changed'])
  const [entry] = await activity()
  assert.match(entry?.summary ?? '', /About/)
  assert.equal(entry?.subjectId, `${about}`)
})

test('texts with a draft keep the former number, and the answer names them', async (t) => {
  const { db, about, replace, bodyOf, actions } = await theSite(t)
  await draftEntry(db, about, { title: 'Our story' })
  const { stamp, saved } = await findEditedSettings(db)
  const changes = { home: { ...saved.home, heading: 'Hi' } }
  await saveSettingsDraft(db, { changes, basedOn: stamp }, { now: new Date() })
  const { answer, response } = await replace(OLD, {})
  assert.ok(!(answer instanceof Response))
  assert.equal(response.status, 422)
  assert.equal(answer.refused.length, 2)
  assert.match(answer.refused[0] ?? '', /^Settings: .*draft/)
  assert.match(answer.refused[1] ?? '', /^About: .*draft/)
  assert.equal(answer.found.entries.length, 1)
  assert.equal(await bodyOf(about), `Call ${OLD} now.`)
  assert.deepEqual(await actions(), [])
})

test('a draft of other settings doesn’t matter, and one refused page leaves the others', async (t) => {
  const { db, about, replace, bodyOf, actions } = await theSite(t)
  await saveSettingsDraft(db, { changes: { tagline: 'New' } }, { now: new Date() })
  const team = await addEntry(db, 'pages', { slug: 'team', title: 'Team', body: `Call ${OLD}.` })
  await draftEntry(db, team, { title: 'Our team' })
  const { answer } = await replace(OLD, {})
  assert.ok(!(answer instanceof Response))
  assert.deepEqual(
    answer.refused.map((reason) => reason.split(':')[0]),
    ['Team'],
  )
  assert.deepEqual([await bodyOf(about), await bodyOf(team)], [`Call ${NEW} now.`, `Call ${OLD}.`])
  assert.deepEqual(
    answer.found.entries.map(({ name }) => name),
    ['Team'],
  )
  assert.deepEqual(await actions(), ['entry.changed', 'settings.changed'])
})

test('the settings don’t change if only pages have the number', async (t) => {
  const { change, replace, actions } = await theSite(t)
  await change({ home: DEFAULT_SITE_SETTINGS.home })
  await replace(OLD, {})
  assert.deepEqual(await actions(), ['entry.changed'])
})

test('only a former number is replaced', async (t) => {
  const { replace, bodyOf, about } = await theSite(t)
  for (const number of ['', NEW, '(512) 555-0199'])
    assert.equal(answerOf((await replace(number, {})).answer), '404', number)
  assert.equal(await bodyOf(about), `Call ${OLD} now.`)
})

/** What a screen of the settings shows, with a picture that nobody described. */
async function theScreens(t: TestContext) {
  const site = await theSite(t)
  const { db, app, open } = site
  for (const name of ['hero.jpg', 'logo.png']) await savePicture(db, aPicture({ name }), { now: AT })
  await site.change({
    logo: 'logo.png',
    home: { ...DEFAULT_SITE_SETTINGS.home, hero: 'hero.jpg', intro: 'See [gone](/gone).' },
  })
  const edit = async (screen: SettingsScreen, post?: Record<string, string | readonly string[]>) =>
    (await editSettings(open(screen.href, { ...(post && { post }) }), screen)) as ShownEditor
  const publish = async () => goLive(app.config.dataDir, { facts: { position: await findLogEnd(db) } })
  return { ...site, edit, publish }
}

test('a screen of the settings warns about its own pictures and links', async (t) => {
  const { edit, publish } = await theScreens(t)
  await publish()
  const home = await edit(HOME_SCREEN)
  assert.deepEqual(
    home.undescribed.map(({ name }) => name),
    ['hero.jpg'],
  )
  assert.deepEqual(
    home.brokenLinks.map(({ target }) => target),
    ['/gone'],
  )
  // The name of the site describes its logo.
  const settings = await edit(SETTINGS_SCREEN)
  assert.deepEqual([settings.undescribed, settings.brokenLinks, settings.screen], [[], [], SETTINGS_SCREEN])
})

test('a screen of the settings shows whether its own changes are live', async (t) => {
  const { edit, publish, change } = await theScreens(t)
  assert.equal((await edit(SETTINGS_SCREEN)).state, 'pending')
  await publish()
  assert.deepEqual([(await edit(SETTINGS_SCREEN)).state, (await edit(HOME_SCREEN)).state], ['live', 'live'])
  await change({ home: DEFAULT_SITE_SETTINGS.home })
  assert.deepEqual(
    [(await edit(SETTINGS_SCREEN)).state, (await edit(HOME_SCREEN)).state],
    ['live', 'changed'],
  )
})

test('a saved screen leads back, and an invalid one shows its mistakes', async (t) => {
  const { db, edit, message } = await theScreens(t)
  const values = toFormValues(await findSiteSettings(db))
  const saved = await edit(HOME_SCREEN, { ...values, 'home.heading': 'Hello' })
  assert.equal(answerOf(saved), '303 /admin/home')
  assert.equal(message()?.kind, 'success')
  assert.equal((await findSiteSettings(db)).home.heading, 'Hello')
  const mistaken = await edit(SETTINGS_SCREEN, { ...values, name: '' })
  assert.deepEqual(Object.keys(mistaken.form.errors), ['name'])
})

test('the home page is previewed with the stylesheet of the given theme', async (t) => {
  const { db, open } = await theScreens(t)
  const settings = await findSiteSettings(db)
  const theme = { ...settings.theme, radius: 8 }
  const { path } = themeStylesheet(theme)
  const show = async (given: unknown) => {
    const context = open('/admin/settings/preview')
    const rewrite = async () => new Response(`<link rel="stylesheet" href="${path}">`)
    const answer = await showSettings({ ...context, rewrite } as unknown as PageContext, given)
    return { status: answer.status, html: await answer.text(), page: context.locals.page }
  }
  const { status, html, page } = await show({ ...settings, theme, tags: { head: '<script></script>' } })
  assert.equal(status, 200)
  const [, href = ''] = /href="([^"]+)"/.exec(html) ?? []
  const address = new URL(href, 'http://localhost')
  assert.equal(address.pathname, '/admin/settings/theme.css')
  assert.deepEqual(JSON.parse(address.searchParams.get('theme') ?? ''), theme)
  assert.ok(page)
  const invalid = await show({ ...settings, name: '', email: 'x' })
  assert.equal(invalid.status, 422)
  assert.match(invalid.html, /\. ?\S.*\.\n$/)
})

test('a version of the settings is shown with the current content', async (t) => {
  const { db, open } = await theScreens(t)
  const [newest] = await listVersions(db, SETTINGS_SUBJECT, { limit: 1 })
  const show = async (version: string) => {
    const context = open('/admin/x', { params: { version } })
    const rewrite = async (request: Request) =>
      new Response('', { status: request.url.endsWith('/preview') ? 200 : 404 })
    return (await showSettingsVersion({ ...context, rewrite } as unknown as PageContext)).status
  }
  assert.deepEqual([await show(String(newest?.id)), await show('9999'), await show('x')], [200, 404, 404])
})

test('choices of a setting start with the default and keep a value that is gone', async (t) => {
  const { db } = await anAdminPage(t)
  await storeForm(db, 'quote', { name: 'Get a quote' })
  const choices = async (name: string, value = '') => {
    const setting = SHOWN_SETTINGS.find((one) => one.name === name)
    assert.ok(setting, name)
    return choicesOf(setting, value, db)
  }
  const countries = (await choices('country')) ?? []
  assert.deepEqual([countries[0]?.value, countries.some(({ value }) => value === 'DE')], ['', true])
  assert.match(countries[0]?.label ?? '', /United States/)
  const zones = (await choices('time_zone')) ?? []
  assert.equal(zones[0]?.value, '')
  assert.equal(zones.filter(({ value }) => value === 'UTC').length, 1)
  assert.ok(zones.some(({ value, label }) => value === 'America/New_York' && label === 'America/New York'))
  const forms = (await choices('default_form', 'gone')) ?? []
  assert.equal(forms[0]?.value, '')
  assert.ok(forms.some(({ value, label }) => value === 'quote' && label === 'Get a quote'))
  assert.deepEqual(forms.at(-1), { value: 'gone', label: 'gone' })
  assert.ok(!(await choices('default_form', 'quote'))?.some(({ value }) => value === 'gone'))
  assert.ok((await choices('business_type'))?.some(({ value }) => value === 'Plumber'))
  assert.deepEqual([await choices('logo'), await choices('tagline')], [undefined, undefined])
})
