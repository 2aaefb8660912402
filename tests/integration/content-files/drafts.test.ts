import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { saveDraft } from '#src/entries/history/entry-draft.ts'
import { useDueDrafts } from '#src/entries/history/scheduled-draft.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { aPage, findEntryOf, getEntryOf, NOW, openWorkspace, type Workspace } from './workspace.ts'

const OPENING = '2026-11-26T09:00:00.000Z'
const AT_OPENING = new Date('2026-11-26T09:00:02.000Z')
const SYNCED = new Date('2026-11-21T10:00:00.000Z')
const ABOUT = 'pages/about.md'

/** Saves a draft that changes only the summary, with this date. */
async function draftSummary(workspace: Workspace) {
  const { id, slug, title, body } = await getEntryOf(workspace, 'pages', 'about')
  const type = await findContentType(workspace.db, 'pages')
  assert.ok(type)
  const input = {
    ...emptyEntryInput({ summary: 'A new summary' }),
    ...{ slug, title, body, publishAt: OPENING },
  }
  const outcome = await saveDraft(workspace.db, { type, id, input }, { now: NOW })
  assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
}

test('a page that a file delays stays off the site, although its draft has the former date', async (t) => {
  const at = (moment: string) => aPage().replace('title:', `publish_at: ${moment}\ntitle:`)
  const workspace = await openWorkspace(t, { [ABOUT]: at(OPENING) })
  await workspace.synced()
  // The editor posts the page's own date: nobody scheduled the draft.
  await draftSummary(workspace)
  const delayed = '2026-12-24T09:00:00.000Z'
  workspace.write(ABOUT, at(delayed))
  await workspace.synced({ now: SYNCED })
  const { used } = await useDueDrafts(workspace.db, { now: AT_OPENING })
  assert.deepEqual([used, (await getEntryOf(workspace, 'pages', 'about')).publishAt], [[], delayed])
})

test('a scheduled draft keeps a text that a file changed after it', async (t) => {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage() })
  await workspace.synced()
  await draftSummary(workspace)
  workspace.write(ABOUT, aPage({ body: 'We moved to Main Street.' }))
  await workspace.synced({ now: SYNCED })
  await useDueDrafts(workspace.db, { now: AT_OPENING })
  assert.equal((await getEntryOf(workspace, 'pages', 'about')).body, 'We moved to Main Street.')
})

test('a scheduled draft keeps the address that a file gave its page', async (t) => {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage() })
  await workspace.synced()
  await draftSummary(workspace)
  workspace.remove(ABOUT)
  workspace.write('pages/team.md', aPage().replace('title:', 'redirect_from: [/about]\ntitle:'))
  await workspace.synced({ now: SYNCED })
  await useDueDrafts(workspace.db, { now: AT_OPENING })
  assert.ok(await findEntryOf(workspace, 'pages', 'team'))
})

test('a page that a file takes offline stays offline', async (t) => {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage() })
  await workspace.synced()
  await draftSummary(workspace)
  workspace.write(ABOUT, aPage().replace('title:', 'status: draft\ntitle:'))
  await workspace.synced({ now: SYNCED })
  await useDueDrafts(workspace.db, { now: AT_OPENING })
  assert.equal((await getEntryOf(workspace, 'pages', 'about')).status, 'draft')
})
