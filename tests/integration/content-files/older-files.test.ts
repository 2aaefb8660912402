import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { aPage, findEntryOf, openWorkspace, type Workspace } from './workspace.ts'

const WARRANTY = 'pages/warranty.md'
const NEW = 'pages/new.md'
const titleOf = async (workspace: Workspace, slug: string) =>
  (await findEntryOf(workspace, 'pages', slug))?.title

/** Two servers of one database, whose folders were the same until now. */
async function twoServers(t: TestContext) {
  const workspace = await openWorkspace(t, { [WARRANTY]: aPage({ title: 'Old' }) })
  const restart = (server: string) => workspace.synced({ server })
  await restart('a')
  await restart('b')
  return { workspace, restart }
}

test('a server with an older file reverts nothing and syncs the newer one', async (t) => {
  const { workspace, restart } = await twoServers(t)
  workspace.write(WARRANTY, aPage({ title: 'New' }))
  await restart('a')
  workspace.write(WARRANTY, aPage({ title: 'Old' }))
  for (const server of ['b', 'joining']) {
    assert.deepEqual((await restart(server)).changed, [], server)
    assert.equal(await titleOf(workspace, 'warranty'), 'New', server)
  }
  workspace.write(WARRANTY, aPage({ title: 'New' }))
  await restart('b')
  workspace.write(WARRANTY, aPage({ title: 'Newer' }))
  await restart('b')
  assert.equal(await titleOf(workspace, 'warranty'), 'Newer')
})

test('a server deletes no page it never had and restores none that another one deleted', async (t) => {
  const { workspace, restart } = await twoServers(t)
  workspace.write(NEW, aPage({ title: 'Added on A' }))
  await restart('a')
  workspace.remove(NEW)
  await restart('b')
  assert.equal(await titleOf(workspace, 'new'), 'Added on A')
  workspace.write(NEW, aPage({ title: 'Added on A' }))
  await restart('b')
  workspace.remove(NEW)
  await restart('a')
  assert.equal(await titleOf(workspace, 'new'), undefined)
  workspace.write(NEW, aPage({ title: 'Added on A' }))
  await restart('b')
  assert.equal(await titleOf(workspace, 'new'), undefined)
})

test('reverting a text on a server that had the newer one is an edit, and so is --prefer', async (t) => {
  const { workspace, restart } = await twoServers(t)
  workspace.write(WARRANTY, aPage({ title: 'New' }))
  await restart('a')
  workspace.write(WARRANTY, aPage({ title: 'Old' }))
  await workspace.synced({ server: 'b', prefer: 'file' })
  assert.equal(await titleOf(workspace, 'warranty'), 'Old')
  workspace.write(WARRANTY, aPage({ title: 'New' }))
  await restart('b')
  workspace.write(WARRANTY, aPage({ title: 'Old' }))
  await restart('b')
  assert.equal(await titleOf(workspace, 'warranty'), 'Old')
})

test('a conflict remains at the next start', async (t) => {
  const { workspace, restart } = await twoServers(t)
  const page = await findEntryOf(workspace, 'pages', 'warranty')
  await workspace.db
    .updateTable('content_entries')
    .set({ title: 'Admin' })
    .where('id', '=', page?.id ?? 0)
    .execute()
  workspace.write(WARRANTY, aPage({ title: 'File' }))
  assert.equal((await workspace.sync({ server: 'a' })).kind, 'conflicts')
  assert.equal((await workspace.sync({ server: 'a' })).kind, 'conflicts')
  workspace.write(WARRANTY, aPage({ title: 'Old' }))
  await restart('b')
  assert.equal(await titleOf(workspace, 'warranty'), 'Admin')
})
