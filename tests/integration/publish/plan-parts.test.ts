import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import type { Db, Schema } from '#src/db/schema.ts'
import { listEntriesById } from '#src/entries/entry-lookup-store.ts'
import type { Cause } from '#src/messages/admin/history/causes.ts'
import { namingSameAddress, SameAddress } from '#src/publish/addresses/same-address.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { findBase, ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { type Comparison, compareSite } from '#src/publish/plan/compare-site.ts'
import { createExplainer, FIRST, FULL, type SourceChange } from '#src/publish/plan/plan-causes.ts'
import { showsTestimonial } from '#src/publish/plan/shown-testimonials.ts'
import { withTeam } from '#src/publish/plan/with-team.ts'
import type { Bundle } from '#src/publish/render/bundle.ts'
import {
  emptyOutcome,
  type ShareOptions,
  type StagedPage,
  type WorkRange,
} from '#src/publish/render/share-work.ts'
import { loadSiteContent } from '#src/site/content/site-content.ts'
import { frameMark } from '#src/site/sources/entry-marks.ts'
import { listPageSources } from '#src/site/sources/page-sources.ts'
import { copyMigrated, openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { aStagedPage, goLive } from '../../support/live-release.ts'
import { editEntry } from '../../support/small-edits.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const SITE_URL = 'https://example.com'
const NOW = new Date('2026-11-20T12:00:00.000Z')
const BUNDLE = { folder: '/site/bundles/b1', fingerprint: 'f1' } as Bundle
const PROGRAM = `b1 f1 ${SITE_URL}`

type Question = Parameters<typeof withTeam>[1]

/** The page About of a live release, and a function that finds what a publish compares. */
async function aLivePage(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const file = join(dataDir, 'signpost.db')
  await copyMigrated(file)
  const db = connectDatabase(`file:${file}`)
  t.after(() => db.destroy())
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'A' })
  const { types, layout, drawsPlaces } = await loadSiteContent(db, { siteUrl: SITE_URL, now: NOW })
  const entry = (await listEntriesById(db, [id])).get(id)
  assert.ok(entry)
  const start = await findLogEnd(db)
  const pages = [{ path: '/about', key: `entry:${id}`, entryId: id, frame: frameMark({ types }, entry) }]
  const shown = { areas: layout.areas, drawsPlaces, shownAt: NOW.toISOString(), pages: 1 }
  const facts = { program: PROGRAM, position: start, ...shown }
  const release = await goLive(dataDir, { facts, pages })
  const ledger = openLedger(ledgerFile(dataDir))
  t.after(() => ledger.close())
  const known = findBase(ledger, release)
  assert.ok(known)
  async function compare(
    { facts: given, ...question }: Partial<Question> & { facts?: unknown } = {},
    work: (db: Db) => Promise<unknown> = async () => {},
  ) {
    const before = { ledger, release, facts: given === null ? undefined : { ...known, ...(given ?? {}) } }
    const all = { siteUrl: SITE_URL, before, bundle: BUNDLE, now: NOW, ...question } as Question
    return withTeam(db, all, async (team, wanted) => {
      await work(team.db)
      return { team, wanted }
    })
  }
  async function scopeOf(...args: Parameters<typeof compare>) {
    const { scope } = (await compare(...args)).wanted
    return scope.kind === 'all' ? scope.code : scope.entryIds.join()
  }
  return { db, databaseUrl: `file:${file}`, id, start, compare, scopeOf }
}

test('every page is compared unless the changes since the live release are known', async (t) => {
  const { db, id, start, compare, scopeOf } = await aLivePage(t)
  const before = { ...start, savedAt: '2020-01-01T00:00:00.000Z' }
  const cases: [question: Parameters<typeof scopeOf>[0], scope: string][] = [
    [{}, ''],
    [{ shards: [] }, ''],
    [{ full: false, check: false, isHeld: false }, ''],
    [{ full: true }, 'asked'],
    [{ check: true }, 'asked'],
    [{ shards: ['one'] }, 'asked'],
    [{ facts: null }, 'first'],
    [{ facts: null, full: true }, 'asked'],
    [{ facts: { program: `b1 f2 ${SITE_URL}` } }, 'program'],
    [{ isHeld: true }, 'rolled_back'],
    [{ isHeld: true, facts: { program: 'other' } }, 'program'],
    [{ siteUrl: 'https://example.org' }, 'program'],
    [{ facts: { position: before } }, 'unknown_changes'],
    [{ facts: { position: before }, since: start }, ''],
    [{ since: before }, 'unknown_changes'],
    // Nothing to publish is recorded too.
    [{ partial: 'schedule' }, 'schedule'],
    [{ partial: 'selected', facts: null }, 'selected'],
    [{ partial: 'selected', since: before }, 'selected'],
  ]
  for (const [question, scope] of cases)
    assert.equal(await scopeOf(question), scope, JSON.stringify(question))

  const { team, wanted } = await compare({ ahead: [] })
  const { scope: _, ...others } = wanted
  assert.deepEqual(others, {
    ...{ bundle: BUNDLE, program: PROGRAM, position: start },
    ...{ partial: undefined, ahead: [] },
  })
  assert.equal(team.db, db)
  assert.deepEqual(team.content, {}, 'nothing was loaded')
  for (const question of [{ full: true }, { since: before }])
    assert.equal((await compare(question)).team.content.siteUrl, SITE_URL)

  await editEntry(db, id, { body: 'B' })
  assert.equal(await scopeOf(), `${id}`)
  assert.equal(await scopeOf({ partial: 'selected' }), `${id}`)
  const edited = await compare()
  assert.equal(edited.team.content.siteUrl, SITE_URL)
  assert.deepEqual(edited.wanted.position, await findLogEnd(db))
  await editEntry(db, id, { title: 'About us' })
  assert.equal(await scopeOf(), 'shared_content')
  assert.equal(await scopeOf({ partial: 'schedule' }), 'schedule')
})

test('the pages are compared with a snapshot, whatever is saved meanwhile', async (t) => {
  const { db, databaseUrl, id, compare } = await aLivePage(t)
  await editEntry(db, id, { body: 'B' })
  for (const full of [false, true]) {
    const bodies: unknown[] = []
    const { team, wanted } = await compare({ databaseUrl, full, jobs: 1 }, async (snapshot) => {
      await editEntry(db, id, { body: full ? 'D' : 'C' })
      for (const one of [snapshot, db]) bodies.push((await listEntriesById(one, [id])).get(id)?.body)
    })
    assert.equal(wanted.scope.kind, full ? 'all' : 'changes')
    assert.deepEqual(bodies, full ? ['C', 'D'] : ['B', 'C'])
    await assert.rejects(listEntriesById(team.db, [id]), /destroyed/)
  }
})

/** A live release, and a function that compares it with what a process reports about each range of pages. */
async function aComparison(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  await addPlaces(db, 'usa/texas')
  const content = await loadSiteContent(db, { siteUrl: SITE_URL, now: NOW })
  const sources = [...listPageSources(content)].map((one) =>
    one.label === 'Texas' ? { ...one, hash: 'of another name' } : one,
  )
  const quality = { pages: 5, unlisted: 1, closest: [] }
  const release = await goLive(dataDir, {
    facts: {
      program: 'earlier',
      position: BEFORE,
      shownAt: EARLIER,
      pages: 2,
      bytes: 200,
      listed: 2,
      quality,
    },
    pages: [{ path: '/' }, { path: '/about' }],
    sources: [{ key: 'template', label: 'templates', hash: BUNDLE.fingerprint }, ...sources],
  })
  const ledger = openLedger(ledgerFile(dataDir))
  t.after(() => ledger.close())
  const facts = findBase(ledger, release)
  async function compare(given: Partial<Comparison> = {}, pages: readonly StagedPage[] = []) {
    const started: ShareOptions[] = []
    const asked: string[] = []
    const left = [...pages]
    const range = async ({ kind }: WorkRange) => {
      asked.push(kind)
      const reads = kind === 'own' ? [{ key: 'own:site', label: 'site', hash: '1' }] : []
      return { ...emptyOutcome(), reads, pages: left.splice(0) }
    }
    const start = async (options: ShareOptions) => {
      started.push(options)
      return [{ range, finish: async () => {} }]
    }
    const comparison: Comparison = {
      ...{ bundle: { ...BUNDLE, parts: {} }, program: 'now', position: AFTER, siteDir: undefined },
      ...{ scope: { kind: 'all', code: 'asked' }, before: { ledger, release, facts }, onPages: () => {} },
      ...given,
    }
    for (const table of ['staged', 'reasons', 'page_reasons', 'links', 'qualities', 'drawings'])
      ledger.exec(`drop table if exists temp.${table}`)
    const compared = await compareSite(
      { db, content, start, [Symbol.asyncDispose]: async () => {} },
      comparison,
    )
    const sourceKeys = compared.sources.map(({ key }) => key)
    return { ...compared, options: started[0], asked: [...new Set(asked)], sourceKeys }
  }
  return { ledger, release, compare }
}

const EARLIER = '2026-11-19T10:00:00.000Z'
const BEFORE = { id: 1, savedAt: EARLIER, openSince: null }
const AFTER = { id: 9, savedAt: NOW.toISOString(), openSince: null }

test('all pages are compared in ranges, with the sources that differ', async (t) => {
  const { ledger, release, compare } = await aComparison(t)
  let done = 0
  const onPages = (count: number) => {
    done = count
  }
  const pages = [aStagedPage({ path: '/' }, { state: 'unchanged' }), aStagedPage({ path: '/new' })]
  const { plan, facts, options, asked, sourceKeys } = await compare({ onPages }, pages)
  assert.deepEqual([asked, done, sourceKeys.includes('own:site')], [['fixed', 'entries'], 2, false])
  assert.deepEqual([plan.added, plan.unchanged, plan.removed], [1, 1, 1])
  assert.deepEqual([options?.previous, options?.unknown], [release, undefined])
  assert.deepEqual(
    options?.changes.map(({ cause }) => cause),
    [{ code: 'source_edited', params: { kind: 'place', name: 'Texas' } }],
  )
  assert.deepEqual(
    [facts.program, facts.position, facts.shownAt, facts.pages],
    ['now', AFTER, NOW.toISOString(), 2],
  )
  const withOwn = await compare({ bundle: { ...BUNDLE, parts: {}, hasOwnPages: true } })
  assert.deepEqual(
    [withOwn.asked, withOwn.sourceKeys.includes('own:site')],
    [['own', 'fixed', 'entries'], true],
  )
  const lost = await compare({ before: { ledger, release, facts: undefined } })
  assert.deepEqual([lost.options?.previous, lost.options?.unknown], [undefined, release])
})

test('some pages are added to what is known of the others', async (t) => {
  const { compare } = await aComparison(t)
  const none = { entryIds: [], hasOverviews: false, content: undefined, near: undefined }
  const scope = { kind: 'changes' as const, touched: [], ...none, sources: [], changes: [] }
  const pages = [aStagedPage({ path: '/about', size: 150 }, { state: 'changed' })]
  const ahead = [{ subject: 'entry' as const, subjectId: '7', changeId: 5, savedAt: EARLIER }]
  const entryIds = [7]
  const all = await compare({ scope: { ...scope, entryIds, hasOverviews: true }, ahead }, pages)
  assert.deepEqual(all.asked, ['overviews', 'some'])
  assert.deepEqual([all.plan.changed, all.plan.removed, all.plan.unchanged], [1, 0, 1])
  const { pages: count, bytes, listed, quality } = all.facts
  assert.deepEqual([count, bytes, listed, quality.unlisted], [2, 250, 2, 1])
  assert.deepEqual([all.facts.position, all.facts.ahead], [AFTER, []])
  const alone = await compare({ scope: { ...scope, entryIds }, ahead, partial: 'selected' }, pages)
  assert.deepEqual(alone.asked, ['some'])
  assert.deepEqual([alone.facts.position, alone.facts.shownAt], [BEFORE, EARLIER])
  assert.deepEqual(alone.facts.ahead, ahead)
})

test('two pages with the same address are named', async (t) => {
  const db = await openTestDatabase(t)
  for (const slug of ['services', 'about']) await addEntry(db, 'pages', { slug, title: `Our ${slug}` })
  const content = await loadSiteContent(db, { siteUrl: SITE_URL, now: NOW })
  const run = (error: Error) => namingSameAddress({ db, content }, () => Promise.reject(error))
  await assert.rejects(run(new SameAddress('/services')), ({ message, cause }: Error) => {
    assert.match(message, /\/services.*Our services/s)
    return cause instanceof SameAddress
  })
  await assert.rejects(run(new SameAddress('/about')), ({ message }: Error) => {
    assert.match(message, /\/about/)
    assert.doesNotMatch(message, /Our about/)
    return true
  })
  const other = new Error('other')
  await assert.rejects(run(other), (error) => error === other)
  assert.equal(await namingSameAddress({ db, content }, async () => 7), 7)
})

/** A service with a local page, another service, and seven reviews. */
async function aReviewedSite(db: Kysely<Schema>) {
  const places = await addPlaces(db, 'usa/texas/austin')
  const service = { slug: 'ac', id: await addEntry(db, 'services', { slug: 'ac', title: 'AC' }) }
  const drains = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  const placeId = places.get('austin') ?? 0
  const reviews: number[] = []
  for (const slug of ['one', 'two', 'three', 'four', 'five', 'six', 'seven'])
    reviews.push(
      await addEntry(db, 'testimonials', {
        ...{ slug, title: slug },
        data: { author: 'Ann', service: slug === 'four' ? 'drains' : 'ac' },
      }),
    )
  const local = await offer(
    db,
    service,
    { slug: 'austin', id: placeId },
    { data: { local_testimonials: `${reviews[3]}` } },
  )
  const about = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const content = await loadSiteContent(db, { siteUrl: SITE_URL, now: NOW })
  const entries = await listEntriesById(db, [service.id, drains, local, about])
  const pageOf = (key: string, id = 0) => ({ page: { key } as never, entry: entries.get(id) })
  const pages = {
    home: pageOf('fixed:/'),
    services: pageOf('fixed:/services'),
    ac: pageOf(`entry:${service.id}`, service.id),
    drains: pageOf(`entry:${drains}`, drains),
    local: pageOf(`place:${service.id}:${placeId}`, local),
    generated: pageOf(`place:${service.id}:${placeId}`),
    lost: pageOf(`place:${service.id}:99`),
    form: pageOf(`form:${service.id}`),
    about: pageOf(`entry:${about}`, about),
  }
  return { content, pages, reviews, service: service.id, placeId }
}

test('a review is on the home page, and on the pages for which it is chosen', async (t) => {
  const { content, pages, reviews } = await aReviewedSite(await openTestDatabase(t))
  const [one = 0, , , four = 0, , six = 0, seven = 0] = reviews
  const shown = (id: number) =>
    Object.entries(pages).flatMap(([name, page]) => (showsTestimonial(content, page, id) ? [name] : []))
  assert.deepEqual(shown(one), ['home', 'ac', 'drains', 'generated'])
  assert.deepEqual(shown(four), ['home', 'drains', 'local'])
  assert.deepEqual(shown(six), ['home'])
  assert.deepEqual(shown(seven), [])
  assert.deepEqual(shown(99), Object.keys(pages), 'one that is gone')
})

test('a page differs because of what it shows', async (t) => {
  const { content, pages, reviews, service, placeId } = await aReviewedSite(await openTestDatabase(t))
  const [one = 0] = reviews
  const edited = (key: string): SourceChange => ({
    key,
    cause: { code: 'source_edited', params: { kind: 'other', name: key } },
  })
  const added = (key: string): SourceChange => ({
    key,
    cause: { code: 'source_added', params: { kind: 'other', name: key } },
  })
  const templates: SourceChange = { key: 'template', cause: { code: 'templates' } }
  const entries = (code: Cause['code'], slug?: string, name?: string) => ({
    key: `${code}:${slug ?? ''}`,
    cause: { code, params: { type: slug === undefined ? null : { slug, name } } },
  })
  const links = { key: 'links', cause: { code: 'links' } }
  const [phone, text] = [edited('setting:phone'), edited(`service-text:${service}`)]
  const [moved, rewritten, fresh] = [
    edited(`testimonial:${one}`),
    edited(`testimonial-text:${one}`),
    added(`testimonial:${one}`),
  ]
  const own = edited('own:site')
  const of = (...changes: SourceChange[]) => createExplainer(content, changes)
  const changed = (name: keyof typeof pages, changes: SourceChange[], isEdited = false) =>
    of(...changes).changed(pages[name].page, pages[name].entry, isEdited)

  assert.deepEqual(changed('about', [phone, text, own]), [phone])
  assert.deepEqual(changed('ac', [phone, text, own]), [phone, text])
  assert.deepEqual(changed('ac', [phone, text], true), [phone, text])
  assert.deepEqual(changed('ac', [phone], true), [entries('entries_edited', 'services', 'Services'), phone])
  assert.deepEqual(changed('about', [text]), [links])
  assert.deepEqual(changed('about', [text], true), [entries('entries_edited', 'pages', 'Pages')])
  assert.deepEqual(changed('form', [], true), [entries('entries_edited')])
  assert.deepEqual(changed('about', [phone, templates], true), [
    ...[templates, entries('entries_edited', 'pages', 'Pages'), phone],
  ])
  assert.deepEqual(changed('about', [phone, FULL]), [FULL, phone])
  assert.deepEqual(changed('about', [FIRST, phone], true), [FIRST])
  const whereShown = (change: SourceChange) =>
    (['home', 'services', 'ac', 'local', 'generated', 'about'] as const).filter((name) =>
      changed(name, [change]).includes(change),
    )
  assert.deepEqual(whereShown(moved), ['home', 'services', 'ac', 'local', 'generated'])
  assert.deepEqual(whereShown(rewritten), ['home', 'ac', 'generated'])
  assert.deepEqual(whereShown(fresh), ['home', 'ac', 'generated'])

  const ofOwn = (state: 'added' | 'changed', ...changes: SourceChange[]) =>
    of(...changes).own(['own:site'], state)
  assert.deepEqual(ofOwn('changed', templates, own, phone), [templates, own])
  assert.deepEqual(ofOwn('changed', phone), [links])
  assert.deepEqual(ofOwn('added', phone), [entries('entries_added')])
  assert.deepEqual(ofOwn('added', own), [own])
  assert.deepEqual(ofOwn('added', own, FIRST), [FIRST])

  const [term, type, form] = [
    added(`term:${placeId}`),
    edited('type:location_services'),
    added(`form:${service}`),
  ]
  const named = added(`service:${service}`)
  const all = [phone, term, type, form, named]
  const ofAdded = (name: keyof typeof pages, ...changes: SourceChange[]) =>
    of(...changes).added(pages[name].page, pages[name].entry)
  assert.deepEqual(ofAdded('local', ...all), [named, term, type])
  assert.deepEqual(ofAdded('form', ...all), [form])
  assert.deepEqual(ofAdded('ac', ...all), [named])
  assert.deepEqual(ofAdded('about', ...all), [entries('entries_added', 'pages', 'Pages')])
  assert.deepEqual(ofAdded('about', FIRST), [FIRST])
})
