import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { withFileLock } from '#src/db/file-lock.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { publishStep } from '#src/messages/server/publishing.ts'
import { readCheckReport, saveCheckReport } from '#src/publish/check-report.ts'
import { endOf, leaveAsItIs, planOfNothing } from '#src/publish/leave-release.ts'
import type { ReleaseFacts } from '#src/publish/ledger/ledger-store.ts'
import { findDueMoment } from '#src/publish/plan/find-due-moment.ts'
import type { PlanCause } from '#src/publish/plan/plan-causes.ts'
import { loadPublishOverview } from '#src/publish/plan/publish-overview.ts'
import { findUnpublishedSync, forgetSync, noteSync, watchSyncs } from '#src/publish/plan/unpublished-sync.ts'
import { machineOf, publishLock } from '#src/publish/publish-lock.ts'
import { type PublishProgress, secondsLeft } from '#src/publish/publish-progress.ts'
import {
  deleteOldPublishes,
  endPublish,
  findLastPublish,
  findLastSettledPublish,
  findNewestSettledPublish,
  findPublish,
  insertPublish,
  listPublishes,
  listUnsettledPublishes,
} from '#src/publish/publish-store.ts'
import { addQuality, NO_QUALITY, withClosestOf, withPage } from '#src/publish/quality-summary.ts'
import { type PublishOutcome, recordPublish } from '#src/publish/record-publish.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { isHeldBack, listKeptReleases, rollBack } from '#src/publish/release/roll-back.ts'
import {
  createProgressFile,
  findLastPublishId,
  readPreviewProgress,
  readPublishProgress,
} from '#src/publish/render/progress-file.ts'
import type { PageQuality } from '#src/site/quality/page-quality.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive, POSITION } from '../../support/live-release.ts'
import { draftEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const textAt = (minutes: number) => at(minutes).toISOString()
const idAt = (hour: number) => `20261120T${hour}0000000Z`

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const machine = machineOf(dataDir)
  /** Adds a row to the history. */
  async function add(status: Parameters<typeof endPublish>[2]['status'] | 'running', values: object = {}) {
    const row = { machine, startedBy: 'admin' as const, userId: null, startedAt: textAt(0), ...values }
    const id = await insertPublish(db, row)
    if (status !== 'running') await endPublish(db, id, { status, finishedAt: textAt(1) })
    return id
  }
  return { db, dataDir, machine, add }
}

test('the history is listed page by page, and knows what visitors see', async (t) => {
  const { db, machine, add } = await aSite(t)
  assert.equal(await findNewestSettledPublish(db), undefined)
  const published = await add('published')
  const failed = await add('failed', { startedAt: textAt(5) })
  const unchanged = await add('unchanged')
  const running = await add('running', { startedAt: textAt(9) })
  const other = await add('published', { machine: 'another' })
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)
  assert.deepEqual(idsOf(await listPublishes(db, { limit: 2 })), [other, running])
  assert.deepEqual(idsOf(await listPublishes(db, { limit: 9, before: unchanged })), [failed, published])
  assert.deepEqual(
    [(await findPublish(db, failed))?.status, await findPublish(db, 99)],
    ['failed', undefined],
  )
  assert.equal((await findLastSettledPublish(db, machine))?.id, unchanged)
  assert.equal(await findLastSettledPublish(db, 'none'), undefined)
  assert.equal((await findLastPublish(db, { machine, status: 'published' }))?.id, published)
  assert.deepEqual(await findNewestSettledPublish(db), { machine: 'another', releaseId: null })
  await add('rolled_back')
  assert.deepEqual(await findNewestSettledPublish(db), { machine, releaseId: null })
  const unsettled = async (after: number, until: number) =>
    idsOf(await listUnsettledPublishes(db, { machine, after, until: textAt(until) }))
  assert.deepEqual(
    [await unsettled(0, 9), await unsettled(0, 8), await unsettled(failed, 9)],
    [[failed, running], [failed], [running]],
  )
  await deleteOldPublishes(db, { kept: 2 })
  assert.equal((await listPublishes(db, { limit: 9 })).length, 2)
})

test('a publish is recorded from its start, with its steps, its reasons, and its end', async (t) => {
  const { db, dataDir, machine, add } = await aSite(t)
  const killed = await add('running')
  const elsewhere = await add('running', { machine: 'another' })
  const release = await goLive(dataDir, { id: idAt(10) })
  const cause: PlanCause = { key: 'full', cause: { code: 'everything_again' }, pages: 3 }
  const plan = { added: 1, changed: 2, removed: 3, unchanged: 4, bytes: 5, causes: [cause] }
  const outcome = {
    ...{ kind: 'published', release: { ...release, id: 'next' }, plan, problems: ['late'] },
    ...{ brokenLinks: [], scope: 'asked', changeId: 7 },
  } as unknown as PublishOutcome
  let minute = 0
  const now = () => at(minute++)
  const shown: string[] = []
  const progress = { ...silentProgress, phase: ({ code }: { code: string }) => void shown.push(code) }
  const record = (publish: Parameters<typeof recordPublish>[2]) =>
    recordPublish(
      db,
      { dataDir, now, progress, starter: { startedBy: 'schedule', userId: undefined } },
      publish,
    )
  const given = await record(async (steps) => {
    const [row] = await listPublishes(db, { limit: 1 })
    assert.deepEqual([row?.status, row?.startedBy, row?.machine], ['running', 'schedule', machine])
    steps.phase(publishStep('comparing'))
    steps.update(1, 2)
    return outcome
  })
  assert.equal(given, outcome)
  const [row] = await listPublishes(db, { limit: 1 })
  assert.deepEqual(
    [row?.status, row?.scopeCode, row?.changeId, row?.releaseId, row?.previousReleaseId, row?.bytes],
    ['published', 'asked', 7, 'next', idAt(10), 5],
  )
  assert.deepEqual(row?.pages, { added: 1, changed: 2, removed: 3, unchanged: 4 })
  assert.equal(row?.reasons.length, 2)
  assert.equal(row?.reasons[0], 'late')
  assert.deepEqual(
    row?.log.map(({ name, done, total }) => [name, done, total]),
    [['comparing', 1, 2]],
  )
  assert.deepEqual(shown, ['comparing'])
  const states = [(await findPublish(db, killed))?.status, (await findPublish(db, elsewhere))?.status]
  assert.deepEqual(states, ['failed', 'running'])
  for (const thrown of [new Error('no space'), 'no space']) {
    await assert.rejects(
      record(() => Promise.reject(thrown)),
      (error) => error === thrown,
    )
    const [failed] = await listPublishes(db, { limit: 1 })
    assert.deepEqual(
      [failed?.status, failed?.failureMessage, failed?.previousReleaseId, failed?.releaseId],
      ['failed', 'no space', idAt(10), null],
    )
  }
  const unsaid = recordPublish(db, { dataDir, now, progress: silentProgress }, async () => outcome)
  await unsaid
  assert.equal((await listPublishes(db, { limit: 1 }))[0]?.startedBy, 'command')
})

test('the Publish screen leaves out starts that had nothing to publish', async (t) => {
  const { db, dataDir, add } = await aSite(t)
  const startedBy = 'start' as const
  const published = await add('published', { startedBy })
  const asked = await add('unchanged')
  await add('unchanged', { startedBy })
  const failed = await add('failed', { startedBy })
  await add('unchanged', { startedBy })
  const history = async (page: number, before?: number) => {
    const overview = await loadPublishOverview(db, { dataDir, now: NOW, page, before })
    return [overview.history.map(({ id }) => id), overview.hasOlder]
  }
  assert.deepEqual(await history(3), [[failed, asked, published], false])
  assert.deepEqual(await history(1, failed), [[asked], true])
})

test('others read the progress of a publish or preview while it runs', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data')
  const read = () => readPublishProgress(dataDir)
  const whileLocked = <T>(work: () => T) => withFileLock(publishLock(dataDir), async () => work())
  assert.deepEqual([findLastPublishId(dataDir), await whileLocked(read)], [undefined, undefined])
  const file = createProgressFile(dataDir, { publishId: 7, now: () => NOW })
  file.update(1, 2)
  assert.deepEqual(file.phases(), [])
  file.phase(publishStep('comparing'))
  const comparing = { name: 'comparing', startedAt: textAt(0), done: 0, total: 0 }
  const progress = { publishId: 7, updatedAt: textAt(0) }
  assert.deepEqual(await whileLocked(read), { ...progress, phases: [comparing] })
  assert.deepEqual([read(), findLastPublishId(dataDir)], [undefined, 7])
  file.update(1, 2)
  file.finish()
  assert.deepEqual((await whileLocked(read))?.phases, [{ ...comparing, done: 1, total: 2 }])
  const preview = createProgressFile(dataDir, { publishId: 8, preview: 'key', now: () => NOW })
  preview.phase(publishStep('comparing'))
  assert.equal(await whileLocked(read), undefined)
  const ofPreview = (key: string) => whileLocked(() => readPreviewProgress(dataDir, key)?.preview)
  assert.deepEqual([await ofPreview('key'), await ofPreview('other')], ['key', undefined])
  assert.equal(readPreviewProgress(dataDir, 'key'), undefined)
  writeFileSync(join(dataDir, 'publish-progress.json'), '')
  assert.equal(await whileLocked(read), undefined)
  writeFileSync(join(dataDir, 'publish-progress.json'), '{}')
  assert.throws(() => findLastPublishId(dataDir), { name: 'ZodError' })
})

test('the time left follows from the pace of the current step', () => {
  const left = (done: number, total: number, seconds = 10) => {
    const phase = { name: 'rendering', startedAt: textAt(0), done, total }
    const updatedAt = new Date(NOW.getTime() + seconds * 1_000).toISOString()
    const earlier = { ...phase, done: 1, total: 1_000 }
    return secondsLeft({ publishId: 1, updatedAt, phases: [earlier, phase] } satisfies PublishProgress)
  }
  assert.deepEqual([left(1, 3), left(2, 3), left(3, 3), left(3, 4, 11)], [20, 5, 0, 4])
  assert.deepEqual([left(0, 3), left(4, 3)], [undefined, undefined])
  assert.equal(secondsLeft({ publishId: 1, updatedAt: textAt(0), phases: [] }), undefined)
})

test('a site is due at its next scheduled time, and after a clock that was set back', async (t) => {
  const { db, dataDir, add } = await aSite(t)
  const due = (now: number) => findDueMoment(db, { dataDir }, at(now))
  await addEntry(db, 'pages', { slug: 'a', publishAt: textAt(10) })
  assert.equal(await due(20), undefined, 'nothing was published')
  const id = await add('published')
  assert.deepEqual([await due(0), await due(20)], [textAt(10), textAt(10)])
  const startedAt = (minutes: number) =>
    db
      .updateTable('publishes')
      .set({ started_at: textAt(minutes) })
      .where('id', '=', id)
      .execute()
  await startedAt(15)
  assert.equal(await due(20), undefined)
  assert.deepEqual([await due(5), await due(12)], [textAt(5), undefined])
  await startedAt(10)
  assert.equal(await due(5), textAt(5))
  await startedAt(9)
  assert.equal(await due(5), textAt(10))
  await add('rolled_back')
  assert.equal(await due(20), undefined)
})

test('visitors see an earlier release until the next publish', async (t) => {
  const { db, dataDir, machine, add } = await aSite(t)
  const starter = { startedBy: 'admin' as const }
  const back = (to?: string) => rollBack(db, { dataDir, to, starter, now: at(2) })
  assert.deepEqual(await back(), { kind: 'no_release' })
  for (const hour of [10, 11, 12]) await goLive(dataDir, { id: idAt(hour) })
  assert.deepEqual(
    (await listKeptReleases(db, { dataDir })).map(({ id }) => id),
    [12, 11, 10].map(idAt),
  )
  assert.equal((await back(idAt(9))).kind, 'no_release')
  assert.equal((await back(idAt(12))).kind, 'current')
  await add('published')
  assert.equal(await isHeldBack(db, { dataDir }), false)
  const outcome = await back()
  assert.deepEqual(
    [outcome.kind, 'release' in outcome && outcome.release.id, 'from' in outcome && outcome.from.id],
    ['rolled_back', idAt(11), idAt(12)],
  )
  assert.equal(findCurrentRelease(dataDir)?.id, idAt(11))
  const [row] = await listPublishes(db, { limit: 1 })
  assert.deepEqual(
    [
      row?.status,
      row?.releaseId,
      row?.previousReleaseId,
      row?.userId,
      row?.startedBy,
      row?.machine,
      row?.finishedAt,
    ],
    ['rolled_back', idAt(11), idAt(12), null, 'admin', machine, textAt(2)],
  )
  assert.equal(await isHeldBack(db, { dataDir }), true)
  const overview = await loadPublishOverview(db, { dataDir, now: NOW, page: 1 })
  assert.deepEqual([overview.isHeldBack, overview.hasOlder, overview.history.length], [true, true, 1])
  assert.deepEqual(
    [overview.currentReleaseId, overview.last?.id, overview.keptReleaseIds.size],
    [idAt(11), row?.id, 3],
  )
  const older = await loadPublishOverview(db, { dataDir, now: NOW, page: 1, before: row?.id })
  assert.deepEqual([older.hasOlder, older.history[0]?.status], [false, 'published'])
  assert.equal((await back()).kind, 'rolled_back')
  assert.equal((await back()).kind, 'no_release', 'there is none before it')
  assert.equal((await back(idAt(12))).kind, 'rolled_back')
  const busy = withFileLock(publishLock(dataDir), () => back(idAt(11)))
  assert.equal((await busy).kind, 'busy')
  await add('published')
  assert.equal(await isHeldBack(db, { dataDir }), false)
})

test('the overview lists the next five entries that schedules show, change, or hide', async (t) => {
  const { db, dataDir } = await aSite(t)
  const add = (slug: string, values: object) => addEntry(db, 'pages', { slug, title: slug, ...values })
  const changed = new Map<string, number>()
  for (const [slug, minutes] of [
    ['b', 20],
    ['f', 60],
    ['late', 80],
  ] as const) {
    changed.set(slug, await add(slug, {}))
    await draftEntry(db, changed.get(slug) ?? 0, { publishAt: textAt(10_000_000 + minutes) })
  }
  const shown = await add('a', { publishAt: textAt(10_000_010), unpublishAt: textAt(10_000_030) })
  await add('d', { publishAt: textAt(10_000_040) })
  await add('g', { unpublishAt: textAt(10_000_070) })
  const { upcoming, drafts } = await loadPublishOverview(db, { dataDir, now: NOW, page: 1 })
  assert.deepEqual(
    upcoming.map(({ event, at, entry }) => [event, at, entry.name]),
    [
      ['appears', textAt(10_000_010), 'a'],
      ['changes', textAt(10_000_020), 'b'],
      ['goes', textAt(10_000_030), 'a'],
      ['appears', textAt(10_000_040), 'd'],
      ['changes', textAt(10_000_060), 'f'],
    ],
  )
  assert.deepEqual(upcoming[0]?.entry, { id: shown, typeSlug: 'pages', name: 'a' })
  assert.deepEqual(upcoming[1]?.entry, { id: changed.get('b'), typeSlug: 'pages', name: 'b' })
  assert.deepEqual([drafts.waiting.count, drafts.dated.length], [0, 3])
})

test('a content sync is remembered until it is published', (t) => {
  const dataDir = join(temporaryFolder(t), 'data')
  const isNew = watchSyncs(dataDir)
  assert.deepEqual([findUnpublishedSync(dataDir), isNew()], [undefined, false])
  noteSync(dataDir)
  const first = findUnpublishedSync(dataDir)
  assert.ok(first)
  assert.deepEqual([isNew(), isNew()], [true, false])
  noteSync(dataDir)
  assert.notEqual(findUnpublishedSync(dataDir), first)
  assert.equal(isNew(), true)
  for (const published of [first, undefined]) forgetSync(dataDir, published)
  assert.ok(findUnpublishedSync(dataDir), 'a later one is kept')
  forgetSync(dataDir, findUnpublishedSync(dataDir))
  assert.deepEqual([findUnpublishedSync(dataDir), isNew()], [undefined, false])
  mkdirSync(join(dataDir, 'unpublished-sync'))
  assert.throws(() => findUnpublishedSync(dataDir), { code: 'EISDIR' })
})

test('what a check found is kept for two weeks', (t) => {
  const dataDir = temporaryFolder(t)
  const none = { damaged: 0, outdated: 0, hasDamagedFiles: false }
  const save = (days: number, found = {}) => saveCheckReport(dataDir, { ...none, ...found }, at(days * 1_440))
  const read = () => readCheckReport(dataDir)
  assert.equal(read(), undefined)
  save(0)
  assert.deepEqual(read(), { checkedAt: textAt(0), found: null })
  for (const part of [{ damaged: 1 }, { outdated: 2 }, { hasDamagedFiles: true }]) {
    save(1, part)
    assert.deepEqual(read()?.found, { at: textAt(1_440), ...none, ...part })
  }
  save(15)
  assert.equal(read()?.found?.hasDamagedFiles, true)
  save(16)
  assert.deepEqual(read(), { checkedAt: textAt(16 * 1_440), found: null })
  writeFileSync(join(dataDir, 'site-check.json'), '{')
  assert.equal(read(), undefined)
})

test('the pages closest to being listed are kept when few pages are compared', () => {
  const page = (entryId: number, score: number, isListed = false) =>
    ({ entryId, score, isListed }) as PageQuality
  const short = ({ pages, unlisted, closest }: typeof NO_QUALITY) => [
    pages,
    unlisted,
    closest.map(({ entryId }) => entryId),
  ]
  const first = [page(1, 10), page(2, 30), page(3, 99, true)].reduce(withPage, NO_QUALITY)
  assert.deepEqual(short(first), [3, 2, [2, 1]])
  const second = [page(4, 20)].reduce(withPage, NO_QUALITY)
  assert.deepEqual(short(addQuality(first, second)), [4, 3, [2, 4, 1]])
  assert.deepEqual(short(withClosestOf(second, first, [])), [1, 1, [2, 4, 1]])
  assert.deepEqual(short(withClosestOf(second, first, [page(2, 50, true)])), [1, 1, [4, 1]])
  const newer = [page(1, 25)].reduce(withPage, NO_QUALITY)
  const scores = withClosestOf(newer, first, []).closest.map(({ score }) => score)
  assert.deepEqual(scores, [30, 25])
  assert.deepEqual(short([page(5, 0)].reduce(withPage, first)), [4, 3, [2, 1, 5]])
  const eight = Array.from({ length: 8 }, (_, index) => page(index, 10 + index)).reduce(withPage, NO_QUALITY)
  const ids = (...more: PageQuality[]) => short(more.reduce(withPage, eight))
  assert.deepEqual(ids(page(8, 10)), [9, 9, [7, 6, 5, 4, 3, 2, 1, 0]])
  assert.deepEqual(ids(page(8, 11)), [9, 9, [7, 6, 5, 4, 3, 2, 1, 8]])
})

test('a release that nothing changed stays, with what it includes', () => {
  const facts = { position: { ...POSITION, id: 7 }, pages: 3, bytes: 9, quality: NO_QUALITY } as ReleaseFacts
  const release = { id: 'r', dir: '', siteDir: '' }
  const scope = { kind: 'changes', entryIds: [] } as never
  const none = { added: 0, changed: 0, removed: 0, renderedSame: 0, causes: [] }
  const plan = planOfNothing(facts)
  assert.deepEqual(plan, { ...none, unchanged: 3, bytes: 9, quality: NO_QUALITY })
  assert.deepEqual(leaveAsItIs(scope, { release, facts, plan, problems: ['late'] }), {
    ...{ kind: 'unchanged', scope: 'changes', changeId: 7, release, plan },
    ...{ brokenLinks: [], copiedPages: 0, problems: ['late'] },
  })
  assert.deepEqual(endOf({ kind: 'all', code: 'first' }, facts), { scope: 'first', changeId: 7 })
})
