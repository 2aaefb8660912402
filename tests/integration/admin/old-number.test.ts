import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { saveDraft } from '#src/entries/history/entry-draft.ts'
import { toSnapshot } from '#src/entries/history/entry-snapshot.ts'
import { inputOf } from '#src/entries/history/restore-entry.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { countVersions } from '#src/versions/version-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { messageOf, newestChanges } from '../../support/pages/told.ts'
import { addEntry } from '../../support/small-site.ts'

const OLD = '(512) 555-0142'
const NEW = '(512) 555-0100'
const PAGE = `/admin/settings/replacement?number=${encodeURIComponent(OLD)}`
const SETTINGS = siteSettings.parse({ name: 'Bluebonnet', phone: OLD, home: { intro: `Call ${OLD}.` } })

// A site whose number has changed, and a page that still has the former one.
async function aSite(t: TestContext) {
  const site = await startAdmin(t, {
    prepare: ({ db }) => saveSiteSettings(db, SETTINGS, { now: '2026-11-20T10:00:00.000Z' }),
  })
  const { db } = site.app
  const add = (slug: string, body: string) => addEntry(db, 'pages', { slug, title: slug, body })
  const id = await add('about', `Welcome.\n\nCall [512-555-0142](tel:5125550142) or write.`)
  await changeSiteSettings(db, { changes: { phone: NEW } }, { now: new Date() })
  return { site, db, add, id, bodyOf: async (id: number) => (await findEntryById(db, id))?.body }
}

test('the settings warn as long as a text has a former number', async (t) => {
  const { site, db, id } = await aSite(t)
  const notice = async () =>
    (await site.open('/admin/settings')).queryByText(/The old number, .* still appears/)
  await changeSiteSettings(db, { changes: { phone: '(512) 555-0111' } }, { now: new Date() })
  for (let visit = 0; visit < 2; visit++)
    assert.ok((await notice())?.textContent?.includes(OLD), 'the one before the last')
  await db.updateTable('content_entries').set({ body: 'Write.' }).where('id', '=', id).execute()
  assert.ok(await notice(), 'the home page has it')
  const home = { ...SETTINGS.home, intro: 'Write.' }
  await changeSiteSettings(db, { changes: { home } }, { now: new Date() })
  assert.equal(await notice(), null)
})

test('each text is shown before and after the replacement', async (t) => {
  const { site, id } = await aSite(t)
  const notice = (await site.open('/admin/settings')).getByRole('link', { name: 'Replace on all pages' })
  assert.equal(notice.getAttribute('href'), PAGE)
  const page = await site.open(PAGE)
  page.getByText(`${OLD} will be replaced with ${NEW}.`)
  page.getByText(/^Forms, emails, and the descriptions of places and categories aren’t searched/)
  const { words } = page.part('region', { name: 'about' })
  assert.match(words, /BeforeCall \[512-555-0142\]\(tel:5125550142\) or write\./)
  assert.match(words, /AfterCall \[\(512\) 555-0100\]\(tel:\+15125550100\) or write\./)
  assert.doesNotMatch(words, /Welcome/, 'the other paragraph stays')
  page.part('region', { name: 'Home page: Introduction' })
  assert.equal(page.getByRole('link', { name: 'about' }).getAttribute('href'), `/admin/entries/pages/${id}`)
})

test('a former number is replaced in every text, each with a version and an activity entry', async (t) => {
  const { site, db, id, bodyOf } = await aSite(t)
  const answer = await site.post(PAGE)
  assert.equal(answer.status, 303, await answer.text())
  assert.equal(messageOf(answer), 'The old number was replaced. Publish to show the changes to visitors.')
  assert.equal(await bodyOf(id), `Welcome.\n\nCall [${NEW}](tel:+15125550100) or write.`)
  const { phone, home } = await findSiteSettings(db)
  assert.deepEqual([phone, home.intro], [NEW, `Call ${NEW}.`])
  assert.equal(await countVersions(db, { kind: 'entry', id }), 2)
  assert.deepEqual((await newestChanges(site, 2)).sort(), [
    'Changed the site settings: Home page: Introduction',
    'Changed “about” in Pages',
  ])
  ;(await site.open('/admin/publish/changes')).getByRole('checkbox', { name: 'Select about' })
  assert.equal((await site.open('/admin/settings')).queryByText(/still appears on/), null)
})

test('a page with a draft keeps the number, and the screen says why', async (t) => {
  const { site, db, add, id, bodyOf } = await aSite(t)
  const type = await findContentType(db, 'pages')
  const drafted = await add('team', `Call ${OLD}.`)
  const entry = await findEntryById(db, drafted)
  assert.ok(type && entry)
  const input = await inputOf(db, type, { ...toSnapshot(entry, []), body: 'A draft.' })
  await saveDraft(db, { type, id: drafted, input }, { now: new Date() })
  const page = await readAnswer(await site.post(PAGE), 422)
  page.getByText(
    'team: This page has a draft. Add the draft to the next publish or discard it, then try again.',
  )
  assert.equal(page.queryByRole('link', { name: 'about' }), null)
  assert.equal(await bodyOf(drafted), `Call ${OLD}.`)
  assert.match((await bodyOf(id)) ?? '', /555-0100/)
})

test('a draft of the settings with the number keeps it there, and the screen says why', async (t) => {
  const { site, db } = await aSite(t)
  const home = { ...SETTINGS.home, heading: 'Cold house?' }
  await saveSettingsDraft(db, { changes: { home } }, { now: new Date() })
  const page = await readAnswer(await site.post(PAGE), 422)
  page.getByText(
    'Settings: The settings have a draft. Add the draft to the next publish or discard it, then try again.',
  )
  assert.equal((await findSiteSettings(db)).home.intro, `Call ${OLD}.`)
})

test('the pages beyond the first 200 are shown next', async (t) => {
  const { site, add, bodyOf } = await aSite(t)
  const ids: number[] = []
  for (let number = 1; number <= 200; number++) ids.push(await add(`page-${number}`, `Call ${OLD}.`))
  const first = await site.post(PAGE)
  assert.equal(first.headers.get('location'), PAGE)
  assert.equal(
    messageOf(first),
    'The old number was replaced on 200 pages. These pages still have the old number:',
  )
  assert.equal((await site.open(PAGE)).getAllByRole('region', { name: /^(page-|about)/ }).length, 1)
  const second = await site.post(PAGE)
  assert.equal(messageOf(second), 'The old number was replaced. Publish to show the changes to visitors.')
  for (const id of ids) assert.equal(await bodyOf(id), `Call ${NEW}.`)
})

test('tags may have the number', async (t) => {
  const { site, db, id } = await aSite(t)
  const tags = { head: `<script>track('${OLD}')</script>` }
  const home = { ...SETTINGS.home, intro: 'Write.' }
  await db.updateTable('content_entries').set({ body: 'Write.' }).where('id', '=', id).execute()
  await saveSiteSettings(
    db,
    { ...(await findSiteSettings(db)), home, tags },
    { now: '2026-11-20T10:00:00.000Z' },
  )
  assert.equal((await site.open('/admin/settings')).queryByText(/still appears on/), null)
})

test('only a former number can be replaced', async (t) => {
  const { site } = await aSite(t)
  for (const number of [NEW, '555-0000', ''])
    assert.equal(
      (await site.fetch(`/admin/settings/replacement?number=${encodeURIComponent(number)}`)).status,
      404,
    )
})

test('a former number that is a part of the present one is replaced once', async (t) => {
  const short = '555-0100'
  const site = await startAdmin(t, {
    prepare: ({ db }) =>
      saveSiteSettings(db, { ...SETTINGS, phone: short }, { now: '2026-11-20T10:00:00.000Z' }),
  })
  const { db } = site.app
  const body = `Call ${short} or ${NEW}.`
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About', body })
  await changeSiteSettings(db, { changes: { phone: NEW } }, { now: new Date() })
  await site.post(`/admin/settings/replacement?number=${encodeURIComponent(short)}`, {})
  assert.equal((await findEntryById(db, id))?.body, `Call ${NEW} or ${NEW}.`)
  assert.equal((await findSiteSettings(db)).phone, NEW)
})
