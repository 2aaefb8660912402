import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFileErrors, listFileErrors } from '#src/content-files/file-error-store.ts'
import { formatMistake } from '#src/content-files/parsing/mistake.ts'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import type { Db } from '#src/db/schema.ts'
import { describeFileFault, type FileFault } from '#src/messages/files/mistakes.ts'
import { CONTENT_WITH_MISTAKES } from '../../fixtures/content-with-mistakes.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { aPage, NOW, openWorkspace, secretBox } from './workspace.ts'

const ABOUT = 'pages/about.md'
const UNKNOWN_KEY = '---\ntitel: About\n---\n'

async function errorsIn(db: Db): Promise<string[]> {
  const errors = await listFileErrors(db, { limit: 100 })
  assert.equal(await countFileErrors(db), errors.length)
  return errors.map(({ server, path, line, fault }) => `${server} ${path}:${line} ${fault.code}`)
}

test('a sync stores every error that it reports, with the same words', async (t) => {
  const workspace = await openWorkspace(t, CONTENT_WITH_MISTAKES)
  const result = await workspace.sync()
  assert.equal(result.kind, 'mistakes')
  const stored = await listFileErrors(workspace.db, { limit: 100 })
  assert.ok(stored.length > 20)
  assert.deepEqual(
    stored.map((error) => formatMistake(error, '')),
    result.mistakes.map((mistake) => formatMistake(mistake, '')),
  )
})

test('the next full sync replaces the errors, and a dry run or a decision about one file does not', async (t) => {
  const workspace = await openWorkspace(t, { [ABOUT]: UNKNOWN_KEY, 'pages/faq.md': UNKNOWN_KEY })
  await workspace.sync({ dryRun: true })
  assert.deepEqual(await errorsIn(workspace.db), [])
  await workspace.sync()
  const both = [ABOUT, 'pages/faq.md'].flatMap((path) => [
    ` ${path}:2 value_missing`,
    ` ${path}:2 unknown_key`,
  ])
  assert.deepEqual(await errorsIn(workspace.db), both)
  workspace.write(ABOUT, aPage())
  await workspace.sync({ dryRun: true })
  await workspace.sync({ prefer: 'file', only: ABOUT })
  assert.deepEqual(await errorsIn(workspace.db), both)
  await workspace.sync()
  assert.deepEqual(await errorsIn(workspace.db), both.slice(2))
  workspace.write('pages/faq.md', aPage())
  await workspace.synced()
  assert.deepEqual(await errorsIn(workspace.db), [])
})

test('each server replaces the errors in its own files, and those of a stopped one go after an hour', async (t) => {
  const engine = postgresEngine()
  t.after(() => engine.close())
  const db = await engine.openMigrated()
  const workspace = await openWorkspace(t, { [ABOUT]: UNKNOWN_KEY })
  const sync = (server: string | undefined) =>
    syncContent(db, { ...workspace, environment: {}, secretBox, now: NOW, server })
  await sync('a')
  await sync('b')
  const codes = [`${ABOUT}:2 value_missing`, `${ABOUT}:2 unknown_key`]
  const of = (server: string) => codes.map((code) => `${server} ${code}`)
  assert.deepEqual(await errorsIn(db), [...of('a'), ...of('b')])
  workspace.write(ABOUT, aPage())
  await sync('a')
  assert.deepEqual(await errorsIn(db), of('b'))
  await db
    .insertInto('servers')
    .values({
      ...{ id: 'x', machine: 'b', version: '1', started_at: NOW.toISOString(), seen_at: NOW.toISOString() },
      release_id: null,
    })
    .execute()
  await db.updateTable('content_errors').set({ found_at: '2020-01-01T00:00:00.000Z' }).execute()
  assert.deepEqual(await errorsIn(db), of('b'))
  await db.deleteFrom('servers').execute()
  assert.deepEqual(await errorsIn(db), [])
  await db.updateTable('content_errors').set({ found_at: '2999-01-01T00:00:00.000Z' }).execute()
  assert.deepEqual(await errorsIn(db), of('b'))
  await sync(undefined)
  assert.deepEqual(await errorsIn(db), [])
})

test('an error that only a newer version knows is shown as its code', () => {
  assert.equal(describeFileFault({ code: 'of_the_future' } as unknown as FileFault), 'of_the_future')
})
