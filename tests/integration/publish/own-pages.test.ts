import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { createExplainer } from '#src/publish/plan/plan-causes.ts'
import { type OwnRenderer, takeOwnPages } from '#src/publish/render/own-share.ts'
import type { StagedPage } from '#src/publish/render/share-work.ts'
import { loadSiteContent } from '#src/site/content/site-content.ts'
import { getEntries, getPageView, getPlaces, getServices, getSite } from '#src/site/own-pages/content.ts'
import { openContentSource } from '#src/site/own-pages/content-source.ts'
import type { OwnPage } from '#src/site/own-pages/own-page.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { addEntry, addProjects } from '../../support/small-site.ts'

const SITE_URL = 'https://example.com'
const HEAD = { path: '/all', title: 'All', description: 'All there is.' }
const NOW = new Date('2026-11-20T12:00:00.000Z')

/** A page of prices, a list of projects, and a page for each project. */
const renderer: OwnRenderer = {
  async listOwnPages() {
    const projects = await getEntries('projects')
    return [
      { path: '/prices', file: 'prices.astro', props: {} },
      { path: '/jobs', file: 'jobs.astro', props: {} },
      ...projects.map(({ slug, title }) => ({
        path: `/jobs/${slug}`,
        file: '[slug].astro',
        props: { title },
      })),
    ]
  },
  async renderOwnPage({ path, props }: OwnPage) {
    if (path === '/prices') return (await getServices()).map(({ title }) => title).join()
    if (path === '/jobs') return (await getEntries('projects')).map(({ title, html }) => title + html).join()
    return `${props.title}`
  },
}

test('a publish renders only the own pages that read the edited content', async (t) => {
  const { db } = await aPublishedSite(t)
  await addProjects(db)
  await addEntry(db, 'projects', { slug: '2026/roof', title: 'Roof', body: 'Of **metal**.' })
  await addEntry(db, 'projects', { slug: '2026/barn', title: 'Barn' })
  const known = new Map<string, StagedPage['record']>()

  assert.deepEqual(await compare(db, known), ['/jobs', '/jobs/2026/barn', '/jobs/2026/roof', '/prices'])
  assert.deepEqual(JSON.parse(known.get('/prices')?.reads ?? ''), ['entries:services'])
  assert.deepEqual(await compare(db, known), [])

  await db.updateTable('content_entries').set({ title: 'Tin roof' }).where('slug', '=', '2026/roof').execute()
  assert.deepEqual(await compare(db, known), ['/jobs', '/jobs/2026/roof'])

  await db.updateTable('content_entries').set({ title: 'Cooling' }).where('slug', '=', 'ac-repair').execute()
  assert.deepEqual(await compare(db, known), ['/prices'])
})

test('places list their services’ pages, and texts are HTML', async (t) => {
  const { db } = await aPublishedSite(t)
  await addProjects(db)
  await addEntry(db, 'projects', { slug: '2026/roof', title: 'Roof', body: 'Of **metal**.' })
  let seen: unknown
  const reading: OwnRenderer = {
    listOwnPages: async () => [{ path: '/all', file: 'all.astro', props: {} }],
    async renderOwnPage() {
      const [usa] = await getPlaces()
      const austin = usa?.children[0]?.children[0]
      const [roof] = await getEntries('projects')
      const copy = { ...roof }
      seen = { within: austin?.within, pages: austin?.pages, html: copy.html, path: roof?.path }
      return 'ok'
    },
  }
  await compare(db, new Map(), reading)
  assert.deepEqual(seen, {
    within: 'usa/texas/austin',
    pages: [{ service: 'ac-repair', title: 'AC repair', path: '/services/ac-repair/austin' }],
    html: '<p>Of <strong>metal</strong>.</p>',
    path: '/projects/2026/roof',
  })
})

test('a page can’t change what other pages read', async (t) => {
  const { db } = await aPublishedSite(t)
  const changes: readonly (() => Promise<unknown>)[] = [
    async () => Object.assign(await getSite(), { name: 'Other' }),
    async () => (await getSite()).home.points.push({ title: 'Other', text: '' }),
    async () => (await getPlaces()).map(({ children }) => Object.assign(children, { length: 0 })),
    async () => (await getServices()).map(({ data }) => Object.assign(data, { summary: 'Other' })),
    async () => (await getPageView(HEAD)).layout.services.pop(),
  ]
  const changing: OwnRenderer = {
    listOwnPages: async () => [{ path: '/all', file: 'all.astro', props: {} }],
    async renderOwnPage() {
      for (const change of changes) await assert.rejects(change(), TypeError, String(change))
      for (const list of [await getPlaces(), await getServices()]) list.pop()
      return `${(await getPlaces()).length} ${(await getServices()).length}`
    },
  }
  assert.deepEqual(await compare(db, new Map(), changing), ['/all'])
})

test('a call without its arguments says what it needs', async () => {
  await assert.rejects(getEntries(undefined as never), { code: 'typeMissing' })
  for (const [key, head] of [
    ['path', undefined],
    ['path', {}],
    ['title', { path: '/all', title: undefined }],
    ['description', { path: '/all', title: 'All' }],
  ])
    await assert.rejects(getPageView(head as never), { code: 'headIncomplete', parts: [key] })
})

test('content is read while a page renders, and not before', async () => {
  await assert.rejects(getServices(), { code: 'readOutside' })
})

/** Compares the own pages with what is known of them, which learns what they are now. Returns those that were rendered. */
async function compare(
  db: Kysely<Schema>,
  known: Map<string, StagedPage['record']>,
  pages: OwnRenderer = renderer,
): Promise<string[]> {
  const content = await loadSiteContent(db, { siteUrl: SITE_URL, now: NOW })
  const rendered: string[] = []
  await takeOwnPages(pages, {
    source: openContentSource({ db, siteUrl: SITE_URL, now: NOW, layout: async () => content.layout }),
    siteUrl: SITE_URL,
    options: { templateFingerprint: 'one', full: false, siteDir: 'site' },
    known: { find: (path) => known.get(path), findOf: () => undefined },
    isIntact: () => true,
    store(path, bytes) {
      rendered.push(path)
      const file = { bytesHash: `${bytes}`, size: bytes.length, modifiedAt: NOW.toISOString() }
      return { ...file, isSame: false, isWritten: true }
    },
    explain: createExplainer(content, []),
    add: ({ record }) => known.set(record.path, record),
  })
  return rendered.sort()
}
