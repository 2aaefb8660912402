import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { compareVersions } from '#src/content-files/conflicts/compare-versions.ts'
import { listConflicts } from '#src/content-files/conflicts/conflict-store.ts'
import { findContentFileBase } from '#src/content-files/content-file-store.ts'
import { updateEntry } from '#src/entries/entry-store.ts'
import { aPage, getEntryOf, openWorkspace } from './workspace.ts'

const LATER = '2026-11-21T10:00:00.000Z'
const ABOUT = 'pages/about.md'

// The text changed on both sides, the title in the admin, the summary in the file.
async function aConflict(t: TestContext) {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage({ title: 'Both', body: 'Text of both' }) })
  await workspace.synced()
  const entry = await getEntryOf(workspace, 'pages', 'about')
  const edited = { ...entry, title: 'From the admin', body: 'Text of the admin' }
  await updateEntry(workspace.db, entry.id, edited, { now: LATER })
  workspace.write(ABOUT, aPage({ title: 'Both', summary: 'Of the file', body: 'Text of the file' }))
  await workspace.sync()
  const [conflict] = await listConflicts(workspace.db, { limit: 1 })
  assert.ok(conflict)
  const shown = async () => {
    const { title, body, data } = await getEntryOf(workspace, 'pages', 'about')
    return [title, body, data.summary]
  }
  return { workspace, conflict, shown }
}

test('a conflict tells fields that changed on both sides from the others', async (t) => {
  const { workspace, conflict } = await aConflict(t)
  const base = await findContentFileBase(workspace.db, ABOUT)
  assert.deepEqual(
    compareVersions({ ...conflict, base }).map(({ field, changedIn }) => [field, changedIn]),
    [
      ['title', 'admin'],
      ['summary', 'file'],
      ['text', 'both'],
    ],
  )
  assert.deepEqual(new Set(compareVersions(conflict).map(({ changedIn }) => changedIn)), new Set(['both']))
})

test('the file version keeps what only the admin changed', async (t) => {
  const { workspace, conflict, shown } = await aConflict(t)
  await workspace.synced({ only: ABOUT, prefer: 'file', basedOn: conflict.version })
  assert.deepEqual(await shown(), ['From the admin', 'Text of the file', 'Of the file'])
  await workspace.synced()
  assert.deepEqual(await shown(), ['From the admin', 'Text of the file', 'Of the file'])
})

test('a sync that prefers files keeps what only the admin changed', async (t) => {
  const { workspace, shown } = await aConflict(t)
  await workspace.synced({ prefer: 'file' })
  assert.deepEqual(await shown(), ['From the admin', 'Text of the file', 'Of the file'])
})

test('a decision field by field includes what only the file changed', async (t) => {
  const { workspace, conflict, shown } = await aConflict(t)
  await workspace.synced({ only: ABOUT, fields: [], basedOn: conflict.version })
  assert.deepEqual(await shown(), ['From the admin', 'Text of the admin', 'Of the file'])
})
