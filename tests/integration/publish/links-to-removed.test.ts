import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findBrokenLinks } from '#src/publish/addresses/find-broken-links.ts'
import { movedFiles } from '#src/publish/addresses/moved-addresses.ts'
import { findLinksToRemoved } from '#src/publish/addresses/removed-links.ts'
import { ledgerFile } from '#src/publish/ledger/ledger-store.ts'
import type { Team } from '#src/publish/render/run-shares.ts'
import { loadSiteContent } from '#src/site/content/site-content.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { findTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'
import { editPlace } from '../../support/small-edits.ts'
import { addEntry, addPlaces, addProjects } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const [EARLIER, LATER] = ['2026-11-20T11:00:00.000Z', '2026-11-20T13:00:00.000Z']
const SITE = { siteUrl: 'https://example.com', now: NOW }

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const page = (slug: string, values = {}) => addEntry(db, 'pages', { slug, title: slug, ...values })
  const find = async (text: unknown) => {
    const broken = await findBrokenLinks(db, [{ label: 'Text', text }], { dataDir, ...SITE })
    return broken.map(({ target }) => target)
  }
  return { db, dataDir, page, find }
}

function addFiles(siteDir: string, paths: readonly string[]) {
  for (const path of paths) {
    mkdirSync(dirname(join(siteDir, path)), { recursive: true })
    writeFileSync(join(siteDir, path), '')
  }
}

test('a link leads somewhere if the saved content or the live release has a page there', async (t) => {
  const { db, dataDir, page, find } = await aSite(t)
  const link = (path: string) => `[x](${path})`
  assert.deepEqual(await find(link('/nowhere')), [], 'nothing is live')
  const hidden = await page('hidden', { status: 'draft' })
  const ended = await page('ended', { unpublishAt: EARLIER })
  await page('over', { unpublishAt: NOW.toISOString() })
  const kept = await page('kept', { slug: 'renamed' })
  await page('soon', { publishAt: LATER })
  await page('ending', { unpublishAt: LATER })
  await page('moved', { redirectFrom: ['/Former'] })
  await addProjects(db)
  await addEntry(db, 'projects', { slug: '2026/roof' })
  const { siteDir } = await goLive(dataDir, {
    pages: [
      { path: '/hidden', entryId: hidden },
      { path: '/ended', entryId: ended },
      { path: '/kept', entryId: kept },
      { path: '/deleted', entryId: 999 },
      { path: '/list' },
    ],
  })
  addFiles(siteDir, ['hidden.html', 'ended.html', 'kept.html', 'deleted.html', 'list.html', 'a/b.txt'])
  const moved = [
    { path: '/old', to: '/list' },
    { path: '/gone', to: null },
  ]
  for (const [file, text] of movedFiles(moved)) writeFileSync(join(siteDir, file), text)
  const leading = [
    ...['/soon', '/ending', '/kept', '/list', '/list/', '/a/b.txt', '/old', '/former', '/projects/2026/roof'],
    ...['/forms/waitlist', '/forms/waitlist/thanks', '/admin'],
  ]
  for (const path of leading) assert.deepEqual(await find(link(path)), [], path)
  const broken = [
    ...['/hidden', '/ended', '/over', '/deleted', '/gone', '/nowhere', '/projects/2025/roof', '/projects'],
    ...['/forms/callback', '/forms/waitlist/other', '/forms/nowhere', '/waitlist'],
  ]
  for (const path of broken) assert.deepEqual(await find(link(path)), [path])
  assert.deepEqual(await find([link('/gone'), { deep: [link('/gone/'), link('/list')] }, 7, null]), [
    '/gone',
    '/gone/',
  ])
  assert.deepEqual(await find([link('/soon'), link('/over')]), ['/over'])
  const texts = ['Text', 'Title'].map((label) => ({ label, text: link('/gone') }))
  assert.equal((await findBrokenLinks(db, texts, { dataDir, ...SITE })).length, 2)
  assert.deepEqual(
    await findBrokenLinks(db, texts, { dataDir, ...SITE, types: [] }),
    await findBrokenLinks(db, texts, { dataDir, ...SITE }),
  )
  await db.updateTable('forms').set({ status: 'archived' }).where('slug', '=', 'waitlist').execute()
  assert.deepEqual(await find(link('/forms/waitlist')), ['/forms/waitlist'])
  rmSync(ledgerFile(dataDir))
  assert.deepEqual(await find([link('/hidden'), link('/deleted')]), [], 'the owners of pages are unknown')
})

test('links to removed pages are found in every text', async (t) => {
  const { db, dataDir, page } = await aSite(t)
  const places = await addPlaces(db, 'usa/texas')
  await editPlace(db, places.get('texas'), { description: 'See [Austin](/gone).' })
  const { id: categories = 0 } = (await findTaxonomy(db, 'service_categories')) ?? {}
  const cooling = { name: 'Cooling', slug: 'cooling', parentId: null, position: 0 }
  await insertTerms(db, categories, [{ ...cooling, description: '[x](/gone)' }])
  await page('about', { body: '[x](/gone#top) [y](/gone) [z](/moved) [w](/list)' })
  const absolute = `[x](${SITE.siteUrl}/gone/?a=1) [y](https://example.org/other) [z](/caf%C3%A9)`
  await page('absolute', { body: absolute })
  await page('draft', { body: '[x](/gone)', status: 'draft' })
  await addEntry(db, 'services', {
    slug: 'ac',
    title: 'AC',
    data: { faq: [{ answer: '<a href="/gone">x</a>' }] },
  })
  await addEntry(db, 'testimonials', { slug: 'ann', title: 'Ann', data: { author: 'Ann', link: '/gone' } })
  const changes = {
    home: { intro: 'See [this](/gone).' },
    navigation: [{ label: 'Other', path: '/other' }],
  }
  assert.equal((await changeSiteSettings(db, { changes }, { now: NOW })).kind, 'saved')
  const release = await goLive(dataDir)
  const moved = [{ path: '/moved', to: '/list' }]
  for (const [file, text] of movedFiles(moved)) writeFileSync(join(release.siteDir, file), text)
  const team = { db, content: await loadSiteContent(db, SITE) } as Team
  const find = (gone: string[], known: { page: string; target: string }[] = []) =>
    findLinksToRemoved(team, release, { gone, known })
  const link = (at: string, target = '/gone') => ({ page: at, target })
  const ofTexts = [
    link('locations/texas'),
    link('service_categories/cooling'),
    link('/services/ac'),
    link('testimonials/ann'),
    link('/about'),
    link('/absolute'),
  ]
  const found = await find(['/gone', '/moved', '/other', '/café'])
  const keyOf = (one: { page: string; target: string }) => `${one.page} ${one.target}`
  const expected = [link('/'), link('/', '/other'), link('/absolute', '/café'), ...ofTexts]
  assert.deepEqual(found.map(keyOf).toSorted(), expected.map(keyOf).toSorted())
  const rest = await find(['/gone'], [link('/'), link('/about', '/other')])
  assert.deepEqual(rest.map(keyOf).toSorted(), ofTexts.map(keyOf).toSorted())
  assert.deepEqual([await find([]), await find(['/moved']), await find(['/none'])], [[], [], []])
})
