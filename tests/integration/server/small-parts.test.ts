import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { connectSqlite } from '#src/db/connect.ts'
import { UncertainCommit } from '#src/db/lost-answer.ts'
import { previewFolder } from '#src/publish/previews/preview-folder.ts'
import type { Preview } from '#src/publish/previews/preview-store.ts'
import { resolveLimits } from '#src/server/accounts/resolve-limits.ts'
import type { DailyCount } from '#src/server/dashboard/daily-count-store.ts'
import { durationsOf } from '#src/server/dashboard/durations.ts'
import { createIntakeHealth } from '#src/server/health/intake-health.ts'
import { findShown, type Side } from '#src/server/previews/shown-file.ts'
import { createPageFinder } from '#src/server/visits/page-finder.ts'
import { createVisitCounter } from '#src/server/visits/visit-counter.ts'
import type { SubmissionDesk } from '#src/submissions/intake/accept-submission.ts'
import { DURATION_BOUNDS } from '#src/webhooks/deliveries/attempt-count-store.ts'
import { copyMigrated, openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { addPlaces } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')

test('an account is limited to places by path or slug, and to forms by slug', async (t) => {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, 'texas/austin', 'ohio')
  const [texas = 0, austin = 0, ohio = 0] = ['texas', 'austin', 'ohio'].map((slug) => ids.get(slug))
  const [form] = await db.selectFrom('forms').select(['id', 'slug']).execute()
  assert.ok(form)
  for (const [places, forms, limits] of [
    [[], [], { places: null, forms: null }],
    [['texas'], [], { places: [texas], forms: null }],
    [['texas/austin', '/ohio/', 'austin'], [form.slug], { places: [austin, ohio], forms: [form.id] }],
    [[], [form.slug, form.slug], { places: null, forms: [form.id] }],
  ] as const)
    assert.deepEqual(await resolveLimits(db, { places, forms }), { kind: 'resolved', limits }, String(places))
  assert.deepEqual(await resolveLimits(db, { places: ['texas', 'ohio/austin'], forms: ['none'] }), {
    kind: 'invalid',
    problems: [
      { path: ['places'], code: 'limit_place_unknown', params: { place: 'ohio/austin' } },
      { path: ['forms'], code: 'limit_form_unknown', params: { form: 'none' } },
    ],
  })
  await db.deleteFrom('taxonomies').where('slug', '=', 'locations').execute()
  assert.equal((await resolveLimits(db, { places: ['texas'], forms: [] })).kind, 'invalid')
})

test('a page is looked up once in ten minutes, and again after a failure', async (t) => {
  const db = await openTestDatabase(t)
  const publish = (path: string) =>
    db.insertInto('published_addresses').values({ path, page_key: 'page:1' }).execute()
  await publish('/a')
  let at = NOW.getTime()
  const find = createPageFinder(db, { now: () => new Date(at) })
  assert.deepEqual(await find('/a'), { service: '', place: '' })
  assert.equal(await find('/b'), undefined)
  await publish('/b')
  at += 600_000
  assert.equal(await find('/b'), undefined)
  at += 1
  assert.deepEqual(await find('/b'), { service: '', place: '' })
  await db.destroy()
  assert.deepEqual(await find('/b'), { service: '', place: '' })
  for (let time = 0; time < 2; time += 1) await assert.rejects(find('/c'))
})

const view = (url: string, headers: object = {}) =>
  ({
    method: 'GET',
    url,
    headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0', ...headers },
  }) as unknown as IncomingMessage

test('views are stored when the server stops, with their sources only if the site keeps them', async (t) => {
  const db = await openTestDatabase(t)
  let keeps = true
  const lost: unknown[] = []
  let problem: Error | undefined
  const counter = createVisitCounter({
    db,
    ownHosts: new Set(['a.example']),
    keepsSources: async () => keeps,
    async findPage(path) {
      if (problem) throw problem
      return path === '/unknown' ? undefined : { service: '#1', place: '' }
    },
    timeZone: () => 'UTC',
    now: () => NOW,
    log: { error: (fields: object) => lost.push(fields) },
  })
  const sums = async () => {
    const rows = await db
      .selectFrom('traffic_counts')
      .select(['dimension', 'subject', 'views', 'taps'])
      .where('period', '=', '2026-11')
      .where('place', '=', '')
      .orderBy('dimension')
      .orderBy('subject')
      .execute()
    return rows.map((row) => Object.values(row).join(' '))
  }
  const tap = { source: 'unknown', views: 0, taps: 1, isServed: false }
  counter.countView(view('/a?utm_source=news'), '/a')
  counter.countView(view('/a', { 'user-agent': 'Googlebot' }), '/a')
  counter.count({ ...tap, path: '/a' })
  counter.count({ ...tap, path: '/unknown' })
  await counter.stop()
  const expected = [
    'all  1 1',
    'page /a 1 1',
    'service #1 1 1',
    'source campaign:news 1 0',
    'source unknown 0 1',
  ]
  assert.deepEqual(await sums(), expected)
  problem = new UncertainCommit(new Error('gone'))
  counter.countView(view('/a'), '/a')
  await counter.stop()
  problem = new Error('away')
  counter.countView(view('/unknown'), '/unknown')
  await counter.stop()
  assert.equal(lost.length, 2)
  problem = undefined
  keeps = false
  await counter.stop()
  counter.countView(view('/a?utm_source=news'), '/a')
  await counter.stop()
  assert.deepEqual(await sums(), [
    'all  3 1',
    'page /a 2 1',
    'page /unknown 1 0',
    'service  1 0',
    'service #1 2 1',
    'source campaign:news 1 0',
    'source direct 1 0',
    'source unknown 1 1',
  ])
})

test('a preview shows its own page, then the live one, and nothing of a removed page', async (t) => {
  const [dataDir, clientDir] = [temporaryFolder(t), temporaryFolder(t)]
  const preview = { tokenSha256: 'key', releaseId: 'r1' } as Preview
  const write = (folder: string, file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const show = async (side: Side, path: string) =>
    (await findShown(preview, { side, path }, { dataDir, clientDir }))?.bytes.toString()
  write(clientDir, '_astro/a.css', 'own')
  write(clientDir, 'b.css', 'own')
  assert.equal(await show('old', '/a.txt'), undefined, 'without a release')
  const live = join(dataDir, 'releases/r1/site')
  for (const name of ['a', 'b', 'c']) write(live, `${name}.txt`, `live ${name}`)
  symlinkSync('releases/r1', join(dataDir, 'current'))
  assert.equal(await show('new', '/a.txt'), undefined, 'before the preview is made')
  const made = previewFolder(dataDir, { key: 'key', releaseId: 'r1' })
  write(made, 'a.txt', 'new a')
  write(made, 'b.txt', '')
  for (const [side, path, text] of [
    ['new', '/a.txt', 'new a'],
    ['old', '/a.txt', 'live a'],
    ['new', '/b.txt', undefined],
    ['old', '/b.txt', 'live b'],
    ['new', '/c.txt', 'live c'],
    ['new', '/d.txt', undefined],
    ['old', '/_astro/a.css', 'own'],
    ['new', '/_astro/a.css', 'own'],
    ['new', '/b.css', undefined],
    ['old', '/../r1/site/a.txt', undefined],
  ] as const)
    assert.equal(await show(side, path), text, `${side} ${path}`)
})

test('durations are shares of the attempts of these days', () => {
  const [first = 0, second = 0, ...more] = DURATION_BOUNDS
  const count = (values: Partial<DailyCount>): DailyCount => ({
    ...{ day: '2026-11-20', series: 'duration', subject: String(first), count: 1 },
    ...values,
  })
  const counts = [
    count({}),
    count({ day: '2026-11-19', count: 2 }),
    count({ subject: String(second) }),
    count({ day: '2026-11-18', count: 50 }),
    count({ series: 'attempts', count: 70 }),
  ]
  const rows = durationsOf(counts, ['2026-11-19', '2026-11-20'])
  assert.deepEqual(rows.slice(0, 2), [
    { withinMs: first, count: 3, share: 0.75 },
    { withinMs: second, count: 1, share: 1 },
  ])
  assert.deepEqual(
    rows.slice(2),
    more.map((withinMs) => ({ withinMs, count: 0, share: 1 })),
  )
  assert.deepEqual(durationsOf(counts, ['2026-11-01']), [])
})

test('a refused post counts for 5 s, or until one is stored', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  t.after(() => db.destroy())
  let nowMs = 0
  const health = createIntakeHealth(db, `file:${path}`, () => nowMs)
  t.after(() => health.close())
  const post = (kind: string) =>
    health
      .watch({ accept: async () => ({ kind }) } as unknown as SubmissionDesk)
      .accept('form', {}, {} as never)
  assert.equal(await health.isTakingPosts(), true)
  assert.deepEqual(await post('unavailable'), { kind: 'unavailable' })
  await post('invalid')
  nowMs = 4_999
  assert.equal(await health.isTakingPosts(), false)
  nowMs = 5_000
  await post('invalid')
  assert.equal(await health.isTakingPosts(), true)
  await post('unavailable')
  assert.equal(await health.isTakingPosts(), false)
  await post('accepted')
  assert.equal(await health.isTakingPosts(), true)
  rmSync(path)
  assert.equal(await health.isTakingPosts(), false)
})
