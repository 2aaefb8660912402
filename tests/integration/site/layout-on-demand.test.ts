import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '#src/db/schema.ts'
import { setFormStatus } from '#src/forms/form-store.ts'
import { loadSiteContent } from '#src/site/content/site-content.ts'
import { type LayoutView, loadLayoutView } from '#src/site/pages/layout-view.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const PAST = '2020-01-01T00:00:00.000Z'
const FUTURE = '2099-01-01T00:00:00.000Z'
const siteUrl = 'https://example.com'

const SETTINGS = siteSettings.parse({
  ...{ name: 'Bluebonnet', phone: '(512) 555-0142', default_form: 'quote', email: 'hello@example.com' },
  navigation: [
    { label: 'Services', path: '/services' },
    { label: 'About us', path: '/about' },
  ],
})

/** Entries of both menus that are shown, stored out of order, and ones that are not shown. */
async function addMenus(db: Db) {
  await saveSiteSettings(db, SETTINGS, { now: PAST })
  await storeForm(db, 'quote', { name: 'Free quote' })
  await storeForm(db, 'closed', { name: 'Closed', status: 'archived' })
  for (const type of ['services', 'pages']) {
    await addEntry(db, type, { slug: `${type}-zinc`, title: 'Zinc' })
    await addEntry(db, type, { slug: `${type}-eaves`, title: 'Éaves' })
    await addEntry(db, type, {
      slug: `${type}-boilers`,
      title: 'Boilers',
      publishAt: PAST,
      unpublishAt: FUTURE,
    })
    await addEntry(db, type, { slug: `${type}-draft`, title: 'Hidden draft', status: 'draft' })
    await addEntry(db, type, { slug: `${type}-soon`, title: 'Hidden until later', publishAt: FUTURE })
    await addEntry(db, type, { slug: `${type}-over`, title: 'Hidden since', unpublishAt: PAST })
  }
}

const pathsOf = (links: LayoutView['pages']) => links.map(({ path }) => path)

function withoutPlaces(layout: LayoutView): object {
  const linkLists = layout.linkLists.map((list) =>
    list.heading === 'Areas we serve' ? { ...list, links: [] } : list,
  )
  assert.notDeepEqual(linkLists, layout.linkLists, 'the footer links to places')
  return { ...layout, areas: [], linkLists }
}

test('pages rendered on demand use the published layout without its places', async (t) => {
  const db = await openTestDatabase(t)
  await addMenus(db)
  const places = await addPlaces(db, 'usa/texas/austin')
  const service = { slug: 'drains', id: await addEntry(db, 'services', { slug: 'drains', title: 'Drains' }) }
  await offer(db, service, { slug: 'austin', id: places.get('austin') as number })

  const { layout: published } = await loadSiteContent(db, { siteUrl })
  const layout = await loadLayoutView(db, { siteUrl })
  assert.ok(published.areas.length > 0)
  assert.deepEqual(layout, withoutPlaces(published))
  const slugs = ['services-boilers', 'drains', 'services-eaves', 'services-zinc']
  assert.deepEqual(
    pathsOf(layout.services),
    slugs.map((slug) => `/services/${slug}`),
  )
  assert.deepEqual(pathsOf(layout.pages), ['/pages-boilers', '/pages-eaves', '/pages-zinc'])
})

test('§2.1 only an active default form is offered for quotes', async (t) => {
  const db = await openTestDatabase(t)
  await saveSiteSettings(db, SETTINGS, { now: PAST })
  const quotes = async () => [
    (await loadLayoutView(db, { siteUrl })).quote,
    (await loadSiteContent(db, { siteUrl })).layout.quote,
  ]
  assert.deepEqual(await quotes(), [null, null], 'there is none')
  const { id } = await storeForm(db, 'quote', { name: 'Free quote' })
  for (const [status, quote] of [
    ['active', { name: 'Free quote', path: '/forms/quote' }],
    ['draft', null],
    ['archived', null],
  ] as const) {
    await setFormStatus(db, id, status, { now: PAST })
    assert.deepEqual(await quotes(), [quote, quote], status)
  }
})

const PARTS = {
  header: /<header[ >].*?<\/header>/s,
  footer: /<footer[ >].*?<\/footer>/s,
  'quote link': /<aside[^>]* aria-label="Contact".*?<\/aside>/s,
}

function partOf(html: string, name: keyof typeof PARTS): string {
  const [part = ''] = PARTS[name].exec(html) ?? []
  assert.ok(part, `there is a ${name}`)
  // Pages made on demand leave these links out.
  return part.replace(/<div>\s*<h2>Areas we serve<\/h2>.*?<\/div>/s, '')
}

test('pages rendered on demand have the published header, footer, and quote link', async (t) => {
  const site = await startAdmin(t, { prepare: ({ db }) => addMenus(db) })
  const read = async (path: string) => (await site.fetch(path)).text()
  const [published, form] = [await read('/services'), await read('/forms/waitlist')]
  const post = async (path: string, fields: Record<string, string>, status: number) => {
    const response = await site.post(path, fields)
    assert.equal(response.status, status, path)
    return response.text()
  }
  const wrong = { email: 'nope' }
  const entry = { title: 'New page', slug: 'new-page', status: 'draft' }
  const pages: [what: string, html: string, quoteLinkOf: string][] = [
    ['a form with mistakes', await post('/api/forms/waitlist/submissions', wrong, 422), form],
    ['a closed form', await post('/api/forms/closed/submissions', { answer: 'x' }, 410), published],
    ['an unknown form', await post('/api/forms/nobody/submissions', {}, 404), published],
    ['the preview of a form', await read('/admin/forms/waitlist/preview'), form],
    ['the trial of a form', await post('/admin/forms/waitlist/trial', wrong, 200), form],
    ['the preview of an entry', await post('/admin/entries/pages/preview', entry, 200), published],
  ]
  for (const [what, html, quoteLinkOf] of pages) {
    for (const part of ['header', 'footer'] as const)
      assert.equal(partOf(html, part), partOf(published, part), `the ${part} of ${what}`)
    assert.equal(partOf(html, 'quote link'), partOf(quoteLinkOf, 'quote link'), `the quote link of ${what}`)
    assert.ok(!html.includes('Hidden'), what)
  }
  assert.match(partOf(published, 'quote link'), /href="\/forms\/quote"[^>]*>\s*Free quote/)
})
