import assert from 'node:assert/strict'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hashToken } from '#src/auth/token.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import type { SelectedChange } from '#src/publish/changes/change-store.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import type { UnpublishedChange } from '#src/publish/pending/pending-changes.ts'
import { listDrafts } from '#src/publish/pending/waiting-draft-store.ts'
import { answerPreview, listAnswers } from '#src/publish/previews/answer-store.ts'
import {
  beginPreview,
  failLostPreviews,
  finishPreview,
  readPreviewStates,
  sweepPreviews,
} from '#src/publish/previews/make-preview.ts'
import { markLivePreviews } from '#src/publish/previews/mark-live-previews.ts'
import { previewFolder, removePreview, removePreviews } from '#src/publish/previews/preview-folder.ts'
import {
  approvePreview,
  endPreview,
  findPreview,
  listPreviews,
  markPreviewPublished,
} from '#src/publish/previews/preview-store.ts'
import { listRefreshable, refreshPreview } from '#src/publish/previews/refresh-preview.ts'
import type { PreviewRequest, StagedPreview } from '#src/publish/previews/stage-preview.ts'
import { releaseAt } from '#src/publish/release/release.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'
import { draftEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const NOW = new Date('2026-11-24T10:00:00.000Z')
const LIVE = '20261124T090000000Z'
const NEXT = '20261124T110000000Z'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const after = (ms: number) => new Date(NOW.getTime() + ms)

const STAGED: StagedPreview = {
  ...{ releaseId: LIVE, changeId: 7, pagesHash: 'b'.repeat(64), pageCount: 1, kinds: { other: 1 } },
  changes: [{ change: 'changed', path: '/about', key: 'entry:3' }],
}
const EDIT = { name: 'About', kind: 'Pages', change: 'edited' as const, fields: [] }

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const place = { dataDir }
  await goLive(dataDir, { id: LIVE })
  const made = { changeId: (await findLogEnd(db)).id }
  const requests: PreviewRequest[] = []
  const staging = (staged: Partial<StagedPreview> = {}) => ({
    stage: async (request: PreviewRequest) => {
      requests.push(request)
      return { ...STAGED, ...made, ...staged }
    },
    ...{ place, now: () => NOW },
  })
  const begin = (only?: readonly SelectedChange[], now = NOW) =>
    beginPreview(db, { madeBy: 'ann@example.com', only, now })
  /** Makes a preview with its folder, and returns its ID. */
  async function make(only?: readonly SelectedChange[], staged: Partial<StagedPreview> = {}) {
    const begun = await begin(only)
    await finishPreview(db, begun, staging(staged))
    return begun.id
  }
  async function find(id: number) {
    const preview = await findPreview(db, id)
    assert.ok(preview)
    return preview
  }
  async function states(options: { now?: Date; isRefreshing?: (id: number) => boolean } = {}) {
    const known = await readPreviewStates(db, await listPreviews(db, { limit: 99 }), {
      ...{ dataDir, now: NOW },
      ...options,
    })
    return Object.fromEntries(known.map(({ preview, state }) => [preview.id, state]))
  }
  const addFolder = (key: string, releaseId = LIVE) => {
    const folder = previewFolder(dataDir, { key, releaseId })
    mkdirSync(folder, { recursive: true })
    return folder
  }
  return { db, dataDir, place, requests, staging, begin, make, find, states, addFolder }
}

test('a preview has a link for seven days and shows its pages once they are made', async (t) => {
  const { db, dataDir, requests, staging, find } = await aSite(t)
  const only = [{ subject: 'entry' as const, subjectId: '3' }]
  const edits = [{ ...EDIT, page: 'entry:3' }, EDIT]
  const wanted = { madeBy: 'ann@example.com', only, edits, hasMoreEdits: true, now: NOW }
  const begun = await beginPreview(db, wanted)
  assert.deepEqual([begun.key, begun.first], [hashToken(begun.token), ['entry:3']])
  const { madeAt, madeBy, expiresAt, selected, hasMoreEdits, tokenSha256 } = await find(begun.id)
  assert.deepEqual([madeAt, madeBy], [NOW.toISOString(), wanted.madeBy])
  assert.deepEqual([expiresAt, tokenSha256], [after(7 * DAY_MS).toISOString(), begun.key])
  assert.deepEqual([selected, hasMoreEdits], [only, true])
  await finishPreview(db, begun, staging())
  assert.deepEqual(requests, [{ key: begun.key, only, first: ['entry:3'] }])
  const { readyAt, pagesSha256, failureMessage } = await find(begun.id)
  assert.deepEqual([readyAt, pagesSha256, failureMessage], [NOW.toISOString(), STAGED.pagesHash, null])
  const plain = await find(
    (await beginPreview(db, { madeBy: 'bob@example.com', only: undefined, now: NOW })).id,
  )
  assert.deepEqual([plain.edits, plain.hasMoreEdits, plain.selected], [[], false, undefined])
  assert.ok(existsSync(dataDir))
})

test('a preview without different pages fails, as does one that can’t be made or was ended', async (t) => {
  const { db, staging, begin, find, addFolder } = await aSite(t)
  const outcomes: [string | null, boolean][] = []
  const finish = async (options: ReturnType<typeof staging>, isEnded = false) => {
    const begun = await begin()
    const folder = addFolder(begun.key)
    if (isEnded) await endPreview(db, begun.id, { now: NOW })
    await finishPreview(db, begun, options)
    outcomes.push([(await find(begun.id)).failureMessage, existsSync(folder)])
  }
  await finish(staging())
  await finish(staging({ pageCount: 0 }))
  await finish({ ...staging(), stage: () => Promise.reject(new Error('no disk')) })
  await finish(staging(), true)
  const [[none] = [], [nothing] = [], ...others] = outcomes
  assert.equal(none, null)
  assert.match(nothing ?? '', /\S/)
  assert.deepEqual(
    [outcomes.map(([, isThere]) => isThere), others.map(([message]) => message)],
    [
      [true, false, false, false],
      ['no disk', null],
    ],
  )
})

test('a preview that its server left unfinished fails, unless another server may still make it', async (t) => {
  const { db, begin, make, find } = await aSite(t)
  const ready = await make()
  const failures = async (shared: object | undefined, now: Date) => {
    const { id } = await begin()
    await failLostPreviews(db, { ...(shared && { shared: shared as never }), now })
    return (await find(id)).failureMessage !== null
  }
  assert.deepEqual(
    [
      await failures(undefined, after(0)),
      await failures(undefined, after(1)),
      await failures({}, after(HOUR_MS)),
      await failures({}, after(HOUR_MS + 1)),
    ],
    [false, true, false, true],
  )
  assert.equal((await find(ready)).failureMessage, null)
})

test('the list shows the state of each preview', async (t) => {
  const { db, dataDir, begin, make, find, states } = await aSite(t)
  const only = [{ subject: 'entry' as const, subjectId: '3' }]
  const ids = {
    open: await make(),
    making: (await begin()).id,
    changes: await make(only),
    approved: await make(only),
    published: await make(),
    failed: await make(undefined, { pageCount: 0 }),
    ended: await make(),
    older: await make(only, { releaseId: '20261123T090000000Z' }),
  }
  const answer = { name: 'Cleo', note: '', isMailed: false, now: NOW }
  await answerPreview(db, ids.changes, { ...answer, kind: 'changes' })
  await approvePreview(db, ids.approved, { name: 'Cleo', note: '', now: NOW })
  await markPreviewPublished(db, ids.published, { now: NOW })
  await endPreview(db, ids.ended, { now: NOW })
  const expected = (changed: Partial<Record<keyof typeof ids, string>> = {}) =>
    Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [id, changed[name as keyof typeof ids] ?? name]),
    )
  assert.deepEqual(await states(), expected())
  assert.deepEqual(await states({ isRefreshing: (id) => id === ids.older }), expected({ older: 'making' }))
  const late = {
    open: 'expired',
    making: 'expired',
    changes: 'expired',
    approved: 'expired',
    older: 'expired',
  }
  assert.deepEqual(await states({ now: after(7 * DAY_MS) }), expected(late))
  assert.deepEqual(await states({ now: after(7 * DAY_MS - 1) }), expected())
  await addEntry(db, 'pages', { slug: 'new' })
  assert.deepEqual(await states(), expected({ open: 'older' }), 'a selection is not affected')
  const previews = await listPreviews(db, { limit: 99 })
  const [known] = await readPreviewStates(
    db,
    previews.filter(({ id }) => id === ids.changes),
    {
      ...{ dataDir: '/nowhere', now: NOW },
    },
  )
  assert.deepEqual([known?.state, known?.answers.length], ['older', 1])
  const everything = await find(await make(undefined, { changeId: (await findLogEnd(db)).id }))
  const [current] = await readPreviewStates(db, [everything], { dataDir, now: NOW })
  assert.equal(current?.state, 'open')
  assert.deepEqual(await readPreviewStates(db, [], { dataDir: '/nowhere', now: NOW }), [])
})

test('a preview of a draft is older once the draft is changed', async (t) => {
  const { db, dataDir, make, find } = await aSite(t)
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  await draftEntry(db, id, { title: 'Not yet' })
  await draftEntry(db, await addEntry(db, 'pages', { slug: 'news', title: 'News' }), { title: 'Old news' })
  const drafts = await listDrafts(db, { now: NOW })
  const [draft] = drafts.waiting.drafts
  assert.equal(draft?.subjectId, `${id}`)
  const selected = { subject: 'entry' as const, subjectId: `${id}`, draft: draft?.stamp }
  const other = { subject: 'entry' as const, subjectId: '99' }
  const preview = await find(await make([other, selected]))
  const stateOf = async (given = {}) =>
    (await readPreviewStates(db, [preview], { dataDir, now: NOW, ...given }))[0]?.state
  assert.equal(await stateOf(), 'open')
  await draftEntry(db, id, { title: 'Never' })
  assert.equal(await stateOf(), 'older')
  assert.equal(await stateOf({ drafts }), 'open')
  for (const part of [{ subject: 'setting' }, { subjectId: '98' }, { stamp: 'other' }]) {
    const changed: object = { waiting: { drafts: [{ ...draft, ...part }], count: 1 }, dated: [] }
    assert.equal(await stateOf({ drafts: changed }), 'older', JSON.stringify(part))
  }
  const dated = { waiting: { drafts: [], count: 0 }, dated: [{ ...draft, at: '2999-01-01' }] }
  assert.equal(await stateOf({ drafts: dated }), 'open')
})

test('a preview of selected changes is made again for the next release, unless they were edited', async (t) => {
  const { db, dataDir, make, find, begin, staging, requests, addFolder } = await aSite(t)
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  await draftEntry(db, id, { title: 'Not yet' })
  const drafts = await listDrafts(db, { now: NOW })
  const stamp = drafts.waiting.drafts[0]?.stamp
  const saved = (subjectId: string, changeId = 5) => ({ subject: 'entry' as const, subjectId, changeId })
  const draft = { subject: 'entry' as const, subjectId: `${id}`, draft: stamp }
  const ids = {
    everything: await make(),
    same: await make([saved('3')]),
    partly: await make([saved('3'), saved('4')]),
    live: await make([saved('4')]),
    edited: await make([saved('3', 4)]),
    drafted: await make([draft]),
    redrafted: await make([{ ...draft, draft: 'old' }, saved('3')]),
    ended: await make([saved('3')]),
    published: await make([saved('3')]),
    unready: (await begin([saved('3')])).id,
  }
  await endPreview(db, ids.ended, { now: NOW })
  await markPreviewPublished(db, ids.published, { now: NOW })
  const previews = await listPreviews(db, { limit: 99 })
  const changes = [{ subject: 'entry', subjectId: '3', changeId: 5 }] as UnpublishedChange[]
  const listed = async (options = {}) => {
    const found = await listRefreshable(db, previews, { dataDir, now: NOW, drafts, changes, ...options })
    const names = Object.entries(ids).filter(([, one]) => found.some((preview) => preview.id === one))
    return names.map(([name]) => name)
  }
  const refreshable = (folder: string, given = {}) =>
    listRefreshable(db, previews, { dataDir: folder, now: NOW, drafts, ...given })
  assert.deepEqual(await refreshable(dataDir, { changes }), [], 'the release is still live')
  const nowhere = join(dataDir, 'nowhere')
  assert.deepEqual(await refreshable(nowhere), [], 'no release is live')
  assert.equal((await refreshable(nowhere, { changes })).length, 3)
  await goLive(dataDir, { id: NEXT })
  assert.deepEqual(await listed(), ['same', 'partly', 'drafted'])
  assert.deepEqual(await listed({ drafts: undefined }), ['same', 'partly', 'drafted'])
  assert.deepEqual(await listed({ now: after(7 * DAY_MS) }), [])
  assert.deepEqual(await listed({ changes: undefined }), ['drafted'])

  const { tokenSha256: key, ...same } = await find(ids.same)
  const folders = [addFolder(key), addFolder(key, NEXT)]
  const left = () => folders.map((folder) => existsSync(folder))
  requests.length = 0
  const refresh = (staged: Partial<StagedPreview>) =>
    refreshPreview(db, { ...same, tokenSha256: key, edits: [{ ...EDIT, page: 'entry:3' }] }, staging(staged))
  assert.equal(await refresh({}), undefined, 'nothing is newer')
  assert.deepEqual(requests, [{ key, only: [saved('3')], first: ['entry:3'] }])
  assert.deepEqual(left(), [true, true])
  assert.equal(await refresh({ releaseId: NEXT, pageCount: 0 }), undefined)
  assert.deepEqual(left(), [true, false])
  addFolder(key, NEXT)
  const moved = await refresh({ releaseId: NEXT, changeId: 9 })
  assert.deepEqual([moved?.releaseId, moved?.changeId, moved?.readyAt], [NEXT, 9, NOW.toISOString()])
  assert.deepEqual(left(), [false, true])
})

test('an expired preview stays in the list for 30 days', async (t) => {
  const { db, dataDir, make } = await aSite(t)
  await make()
  const left = async (ms: number) => {
    await sweepPreviews(db, { dataDir, now: after(37 * DAY_MS + ms) })
    return (await listPreviews(db, { limit: 9 })).length
  }
  assert.deepEqual([await left(0), await left(1)], [1, 0])
})

test('files of previews are deleted after an hour, except those of open ones', async (t) => {
  const { dataDir, begin, db, addFolder } = await aSite(t)
  const store = temporaryFolder(t)
  const shared = { files: openDiskFiles(store), server: 'a', owner: 'a' }
  const age = (path: string, ms: number) => {
    const at = new Date(Date.now() - ms)
    utimesSync(path, at, at)
  }
  const { key } = await begin(undefined, new Date())
  for (const [name, ms] of [
    [key, 2 * HOUR_MS],
    ['old', HOUR_MS + 60_000],
    ['new', HOUR_MS - 60_000],
  ] as const) {
    await shared.files.write(`previews/${name}/${LIVE}/0`, new Blob(['part']))
    age(join(store, 'previews', name, LIVE, '0'), ms)
    addFolder(name)
    age(join(dataDir, 'previews', name), ms)
  }
  const release = `releases/${LIVE}/0`
  await shared.files.write(release, new Blob(['part']))
  age(join(store, release), 2 * HOUR_MS)
  const left = () => [
    ['old', 'new', key].filter((name) => existsSync(join(dataDir, 'previews', name))),
    ['old', 'new', key].filter((name) => existsSync(join(store, 'previews', name, LIVE, '0'))),
  ]
  const kept = new Set([key])
  await removePreviews({ dataDir }, { kept, now: new Date() })
  assert.deepEqual(left(), [
    ['new', key],
    ['old', 'new', key],
  ])
  await sweepPreviews(db, { dataDir, shared, now: new Date() })
  assert.deepEqual(left(), [
    ['new', key],
    ['new', key],
  ])
  await sweepPreviews(db, { dataDir, shared, now: new Date(Date.now() + 8 * DAY_MS) })
  assert.deepEqual(left(), [[], []])
  await removePreviews({ dataDir: join(dataDir, 'none'), shared }, { kept: new Set(), now: new Date() })

  for (const releaseId of [LIVE, NEXT]) {
    addFolder('new', releaseId)
    await shared.files.write(`previews/new/${releaseId}/0`, new Blob(['part']))
  }
  const folder = (releaseId: string) => previewFolder(dataDir, { key: 'new', releaseId })
  const isStored = (releaseId: string) => existsSync(join(store, 'previews/new', releaseId))
  await removePreview({ dataDir, shared }, 'new', LIVE)
  assert.deepEqual([existsSync(folder(LIVE)), existsSync(folder(NEXT))], [false, true])
  assert.deepEqual([isStored(LIVE), isStored(NEXT)], [false, true])
  await removePreview({ dataDir, shared }, 'new')
  assert.deepEqual([existsSync(folder(NEXT)), isStored(NEXT)], [false, false])
  assert.ok(existsSync(join(store, release)))
})

test('a preview is published once a release has exactly its pages', async (t) => {
  const { db, dataDir, begin, find, staging, addFolder } = await aSite(t)
  const release = releaseAt(dataDir, NEXT)
  mkdirSync(release.siteDir, { recursive: true })
  writeFileSync(join(release.siteDir, 'about.html'), 'About us')
  const isPublished = async (pages: Record<string, string> | undefined, isReady = true) => {
    const begun = await begin()
    if (isReady) await finishPreview(db, begun, staging())
    const folder = pages && addFolder(begun.key)
    for (const [name, html] of Object.entries(pages ?? {})) {
      mkdirSync(join(folder ?? '', name, '..'), { recursive: true })
      writeFileSync(join(folder ?? '', name), html)
    }
    await markLivePreviews(db, { dataDir, release, now: NOW })
    return (await find(begun.id)).publishedAt
  }
  const found = [
    await isPublished({ 'about.html': 'About us', 'areas/gone.html': '', 'picture.webp': 'new' }),
    await isPublished({ 'about.html': 'About them' }),
    await isPublished({ 'about.html': 'About us', 'areas/new.html': 'New' }),
    await isPublished({ 'picture.webp': 'new' }),
    await isPublished(undefined),
    await isPublished({ 'about.html': 'About us' }, false),
  ]
  assert.deepEqual(found, [NOW.toISOString(), null, null, null, null, null])
})

test('a link gets at most twenty answers, and no wishes after its approval', async (t) => {
  const { db, make } = await aSite(t)
  const answer = (id: number, kind: 'changes' | 'approved', note = '') =>
    answerPreview(db, id, { kind, name: 'Cleo', note, isMailed: note !== '', now: NOW })
  const [first, second] = [await make(), await make()]
  assert.ok(await answer(first, 'changes', 'Larger'))
  assert.ok(await answer(first, 'approved'))
  assert.ok(!(await answer(first, 'approved')))
  assert.ok(!(await answer(first, 'changes')))
  for (let sent = 0; sent < 20; sent += 1) assert.ok(await answer(second, 'changes'))
  assert.ok(!(await answer(second, 'changes')))
  const answers = await listAnswers(db, [first, second])
  assert.deepEqual(
    answers.slice(0, 2).map(({ kind, note, mailStatus }) => [kind, note, mailStatus]),
    [
      ['changes', 'Larger', 'pending'],
      ['approved', null, 'off'],
    ],
  )
  assert.equal(answers.length, 22)
  assert.equal((await listAnswers(db, [second])).length, 20)
  assert.deepEqual(await listAnswers(db, []), [])
})
