import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { loadApprovals } from '#src/admin/publish/approvals/load-approvals.ts'
import { findLogEnd, type SelectedChange } from '#src/publish/changes/change-store.ts'
import { loadPending } from '#src/publish/pending/pending-changes.ts'
import { listDrafts } from '#src/publish/pending/waiting-draft-store.ts'
import { beginPreview } from '#src/publish/previews/make-preview.ts'
import { approvePreview, type Preview, storeStaged } from '#src/publish/previews/preview-store.ts'
import { entryKey } from '#src/site/pages/page-key.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase, temporaryFolder } from '../../../support/database.ts'
import { goLive } from '../../../support/live-release.ts'
import { draftEntry, editEntry } from '../../../support/small-edits.ts'
import { addEntry } from '../../../support/small-site.ts'

const LIVE = '20261124T090000000Z'
const NEXT = '20261124T110000000Z'
const NAMES = ['About', 'Team', 'News'] as const

/** A live site with three pages, of which the first two were edited since. */
async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const ids: number[] = []
  for (const title of NAMES) ids.push(await addEntry(db, 'pages', { slug: title.toLowerCase(), title }))
  const [about = 0, team = 0, news = 0] = ids
  const pages = ids.map((id) => ({ path: `/${id}`, key: entryKey({ id }), entryId: id }))
  const publish = async (id: string) =>
    goLive(dataDir, { id, facts: { position: await findLogEnd(db) }, pages })
  await changeSiteSettings(db, { changes: { name: 'Acme' } }, { now: new Date('2026-11-20T10:00:00.000Z') })
  await publish(LIVE)
  const edit = (id: number) => editEntry(db, id, { body: `Text ${Math.random()}` }, new Date())
  for (const id of [about, team]) await edit(id)
  const now = () => new Date()
  const select = async (...keys: number[]): Promise<SelectedChange[]> => {
    const changes = (await loadPending(db, { dataDir, now: now() }))?.changes ?? []
    return changes
      .filter(({ subjectId }) => keys.includes(Number(subjectId)))
      .map(({ subject, subjectId, changeId }) => ({ subject, subjectId, changeId }))
  }
  const selectDrafts = async (): Promise<SelectedChange[]> => {
    const { waiting, dated } = await listDrafts(db, { now: now() })
    return [...waiting.drafts, ...dated].map(({ subject, subjectId, stamp: draft }) => ({
      ...{ subject, subjectId, draft },
    }))
  }
  /** Makes a preview of all changes, or of the selected ones. */
  async function make(only?: readonly SelectedChange[], { isReady = true, isApproved = false } = {}) {
    const { id } = await beginPreview(db, { madeBy: 'ann@example.com', only, now: now() })
    const { id: changeId } = await findLogEnd(db)
    const staged = { releaseId: LIVE, changeId, pagesHash: 'b'.repeat(64), pageCount: 1, kinds: {} }
    if (isReady) await storeStaged(db, id, { ...staged, changes: [], now: now() })
    if (isApproved) await approvePreview(db, id, { name: 'Cleo', note: '', now: now() })
    return id
  }
  const refreshed: number[][] = []
  const options: unknown[] = []
  const load = async (isRefreshing = (_: number) => false) =>
    loadApprovals(db, {
      ...{ dataDir, now: now(), drafts: await listDrafts(db, { now: now() }) },
      refresher: {
        isRefreshing,
        async refresh(previews: readonly Preview[], given: unknown) {
          options.push(given)
          refreshed.push(previews.map(({ id }) => id))
          return [...previews]
        },
      },
    })
  const shown = async () => (await load()).map(({ preview }) => preview.id)
  return { db, about, team, news, edit, publish, select, selectDrafts, make, load, shown, refreshed, options }
}

test('a link of all changes says what was saved since', async (t) => {
  const { news, edit, make, load, refreshed, options } = await aSite(t)
  assert.deepEqual([await load(), refreshed], [[], []])
  const id = await make()
  const [first] = await load()
  assert.partialDeepStrictEqual(first, { state: 'open', since: '', others: '', selected: '' })
  assert.deepEqual([first?.preview.id, first?.hasSaved, first?.drafts.count], [id, true, 0])
  await edit(news)
  const [later] = await load()
  assert.partialDeepStrictEqual(later, { state: 'older', since: 'News', others: '' })
  assert.deepEqual(refreshed, [[id], [id]])
  // Large ones wait for a reader.
  assert.partialDeepStrictEqual(options, [{ isSmall: true }, { isSmall: true }])
})

test('a link of selected changes says which others there are', async (t) => {
  const { about, team, edit, select, make, load } = await aSite(t)
  await make(await select(about))
  const [first] = await load()
  assert.partialDeepStrictEqual(first, { state: 'open', since: '', others: 'Team', selected: 'About' })
  await edit(team)
  assert.partialDeepStrictEqual((await load())[0], { since: '', others: 'Team' })
  await edit(about)
  assert.partialDeepStrictEqual((await load())[0], { since: 'About', others: 'Team' })
})

test('nothing was saved after a link whose pages are still being made', async (t) => {
  const { news, edit, make, load } = await aSite(t)
  await make(undefined, { isReady: false })
  await edit(news)
  assert.partialDeepStrictEqual((await load())[0], { state: 'making', since: '' })
})

test('a link of another release is shown while some of it is unpublished', async (t) => {
  const { about, edit, publish, select, make, load, shown } = await aSite(t)
  const one = await make(await select(about))
  const all = await make()
  await publish(NEXT)
  // Everything in them is live.
  assert.deepEqual(await shown(), [])
  await edit(about)
  // A link of everything shows what was saved before it.
  assert.deepEqual(await shown(), [one])
  // Pages that are being made again are shown, too.
  const [left] = await load(() => true)
  assert.deepEqual([left?.preview.id, left?.state], [all, 'making'])
})

test('a link that is out of date without a change has no name for it', async (t) => {
  const { about, team, edit, publish, make, load, select } = await aSite(t)
  await make(await select(about, team))
  await publish(NEXT)
  await edit(about)
  const [found] = await load()
  assert.partialDeepStrictEqual(found, { state: 'older', since: 'About' })
  const { make: makeOther, publish: publishOther, load: loadOther, db, news } = await aSite(t)
  await draftEntry(db, news, { title: 'Drafted' })
  const [draft] = (await listDrafts(db, { now: new Date() })).waiting.drafts
  const { subject = 'entry', subjectId = '' } = draft ?? {}
  await makeOther([{ subject, subjectId, draft: 'former' }])
  await publishOther(NEXT)
  assert.partialDeepStrictEqual((await loadOther())[0], { state: 'older', since: undefined })
})

test('of several links with the same changes, the newest is shown, and an approved one beside it', async (t) => {
  const { about, team, select, make, shown } = await aSite(t)
  const both = await select(about, team)
  const old = await make(both)
  const approved = await make(both, { isApproved: true })
  const reversed = await make(both.toReversed())
  const all = await make()
  const one = await make(await select(about))
  assert.deepEqual(await shown(), [one, all, reversed, approved])
  assert.ok(old < approved)
  // No more than five.
  const other = await make(await select(team))
  await make(await select(team), { isApproved: true })
  const most = await shown()
  assert.deepEqual([most.length, most[1]], [5, other])
})

test('drafts of a link are named, and those that go live by themselves have their times', async (t) => {
  const { db, about, team, news, selectDrafts, select, make, load } = await aSite(t)
  await draftEntry(db, about, { title: 'Our story' })
  const [sooner, later] = ['2999-01-01T09:00:00.000Z', '2999-02-01T09:00:00.000Z']
  await draftEntry(db, team, { title: 'Team', publishAt: later })
  await draftEntry(db, news, { title: 'News', publishAt: sooner })
  const drafts = await selectDrafts()
  await make(drafts)
  const [found] = await load()
  assert.deepEqual([found?.hasSaved, found?.drafts.count], [false, 1])
  assert.match(found?.drafts.names ?? '', /^(?:About|Our story)$/)
  assert.deepEqual(
    found?.scheduled.map(({ name, at }) => [name, at]),
    [
      ['News', sooner],
      ['Team', later],
    ],
  )
  // Drafts that the link doesn't show aren't named.
  await make(drafts.filter(({ subjectId }) => subjectId === `${about}`))
  assert.deepEqual((await load())[0]?.scheduled, [])
  // With a saved change, the publish includes it, too.
  await make([...drafts, ...(await select(about))])
  assert.equal((await load())[0]?.hasSaved, true)
  // A link of everything saved shows no draft.
  await make()
  assert.partialDeepStrictEqual((await load())[0], { hasSaved: true, drafts: { count: 0 }, scheduled: [] })
})

test('settings are named by their screens', async (t) => {
  const { db, about, select, selectDrafts, make, load } = await aSite(t)
  await changeSiteSettings(db, { changes: { tagline: 'Saved' } }, { now: new Date() })
  await make(await select(about))
  const [others] = await load()
  assert.match(others?.others ?? '', /\bTeam\b/)
  assert.match(others?.others ?? '', /\bSettings\b/i)
  assert.doesNotMatch(others?.others ?? '', /home page/i)
  const saved = await findSiteSettings(db)
  const home = { ...saved.home, heading: 'Hi' }
  await changeSiteSettings(db, { changes: { tagline: saved.tagline, home } }, { now: new Date() })
  assert.match((await load())[0]?.others ?? '', /home page/i)
  await saveSettingsDraft(db, { changes: { tagline: 'Drafted' } }, { now: new Date() })
  await make(await selectDrafts())
  const [found] = await load()
  assert.equal(found?.drafts.count, 1)
  assert.match(found?.drafts.names ?? '', /settings/i)
  assert.match(found?.selected ?? '', /settings/i)
})
