import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listConflicts } from '#src/content-files/conflicts/conflict-store.ts'
import { updateEntry } from '#src/entries/entry-store.ts'
import { aPage, findEntryOf, getEntryOf, openWorkspace } from './workspace.ts'

const LATER = '2026-11-21T10:00:00.000Z'
const ABOUT = 'pages/about.md'

// Title and text changed on both sides.
async function aConflict(t: TestContext) {
  const workspace = await openWorkspace(t, { [ABOUT]: aPage({ title: 'Both', body: 'Text of both' }) })
  await workspace.synced()
  const entry = await getEntryOf(workspace, 'pages', 'about')
  const edited = { ...entry, title: 'From the admin', body: 'Text of the admin' }
  await updateEntry(workspace.db, entry.id, edited, { now: LATER })
  workspace.write(ABOUT, aPage({ title: 'From the file', body: 'Text of the file' }))
  await workspace.sync()
  const [conflict] = await listConflicts(workspace.db, { limit: 1 })
  assert.ok(conflict)
  return { workspace, basedOn: conflict.version }
}

const shown = async (workspace: Awaited<ReturnType<typeof openWorkspace>>) => {
  const entry = await findEntryOf(workspace, 'pages', 'about')
  return [entry?.title, entry?.body]
}

test('contract §3 a conflict is resolved field by field, and stays resolved', async (t) => {
  const { workspace, basedOn } = await aConflict(t)
  const result = await workspace.sync({ only: ABOUT, fields: ['text'], basedOn })
  assert.equal(result.kind, 'synced', JSON.stringify(result))
  assert.deepEqual(await shown(workspace), ['From the admin', 'Text of the file'])
  assert.equal((await workspace.sync()).kind, 'synced')
  assert.deepEqual(await shown(workspace), ['From the admin', 'Text of the file'])
})

test('with the sides swapped, or with no field chosen, the rest is the admin’s', async (t) => {
  const title = await aConflict(t)
  await title.workspace.sync({ only: ABOUT, fields: ['title'], basedOn: title.basedOn })
  assert.deepEqual(await shown(title.workspace), ['From the file', 'Text of the admin'])
  const none = await aConflict(t)
  await none.workspace.sync({ only: ABOUT, fields: [], basedOn: none.basedOn })
  assert.deepEqual(await shown(none.workspace), ['From the admin', 'Text of the admin'])
})

test('fields chosen for another version of the file resolve nothing', async (t) => {
  const { workspace, basedOn } = await aConflict(t)
  workspace.write(ABOUT, aPage({ title: 'From the file again', body: 'Text of the file' }))
  const result = await workspace.sync({ only: ABOUT, fields: ['title'], basedOn })
  assert.equal(result.kind, 'outdated')
  assert.deepEqual(await shown(workspace), ['From the admin', 'Text of the admin'])
})
