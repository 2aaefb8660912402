import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listPages } from '#src/site/pages/list-pages.ts'
import { siteFiles } from '#src/site/pages/site-files.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry } from '../../support/small-site.ts'

const NOW = { now: '2026-11-20T10:00:00.000Z' }
const WAITLIST = '/forms/waitlist'

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  await addEntry(db, 'services', {
    slug: 'drains',
    title: 'Drains',
    body: 'Ask for [it](/forms/waitlist-2).',
  })
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const pages = () => Array.fromAsync(listPages(db, { siteUrl: 'https://example.com' }))
  // A page that search engines may not list is in no sitemap.
  const isListed = async () => {
    const page = (await pages()).find(({ path }) => path === WAITLIST)
    assert.ok(page, '§2.1 the form is public')
    return !page.view.head.isHidden
  }
  const set = async (settings: object) =>
    saveSiteSettings(db, { ...(await findSiteSettings(db)), ...settings }, NOW)
  return { db, pages, isListed, set }
}

test('§2.1 the built-in form is public, and a site that does not use it neither lists it nor links to it', async (t) => {
  const { pages, isListed } = await aSite(t)
  assert.equal(await isListed(), false)
  const others = (await pages()).filter(({ path }) => !path.startsWith(WAITLIST))
  assert.ok(others.length > 0)
  for (const { path, view } of others)
    assert.doesNotMatch(JSON.stringify(view), /\/forms\/waitlist["/)]/, path)
  const [{ view } = assert.fail()] = others
  assert.doesNotMatch(siteFiles(view.layout).get('/llms.txt') ?? '', /waitlist/)
})

test('the built-in form is listed when anything refers to it', async (t) => {
  const { db, isListed, set } = await aSite(t)
  const link = { label: 'Join', path: WAITLIST }
  for (const settings of [
    { default_form: 'waitlist' },
    { navigation: [link] },
    { tagline: `Join: ${WAITLIST}` },
  ]) {
    const before = await findSiteSettings(db)
    await set(settings)
    assert.equal(await isListed(), true, JSON.stringify(settings))
    await saveSiteSettings(db, before, NOW)
    assert.equal(await isListed(), false)
  }
  for (const values of [{ body: `[Join](${WAITLIST})` }, { data: { form: 'waitlist' } }]) {
    const id = await addEntry(db, 'pages', { slug: 'join', title: 'Join', ...values })
    assert.equal(await isListed(), true, JSON.stringify(values))
    await db.deleteFrom('content_entries').where('id', '=', id).execute()
  }
  const file = { path: 'forms/waitlist.yaml', document_json: '{}', row_sha256: '' }
  await db.insertInto('content_files').values(file).execute()
  assert.equal(await isListed(), true, 'a content file')
})

test('custom forms are listed, used or not', async (t) => {
  const { db, isListed } = await aSite(t)
  await db.updateTable('forms').set({ is_builtin: 0 }).execute()
  assert.equal(await isListed(), true)
})
