import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Db } from '#src/db/schema.ts'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { openLiveContent } from '#src/publish/live/open-live-content.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { aPublishedSite } from '#tests/support/publishing.ts'

const TABLES = ['taxonomy_terms', 'content_entries', 'entry_taxonomy_terms', 'picture_uses'] as const

async function aSite(t: TestContext) {
  const site = await aPublishedSite(t)
  const folder = join(site.dataDir, 'live-content')
  const setBody = (body: string) =>
    site.db.updateTable('content_entries').set({ body }).where('slug', '=', 'ac-repair/dallas').execute()
  const open = async () => {
    const release = findCurrentRelease(site.dataDir)
    assert.ok(release)
    const live = await openLiveContent(site.dataDir, release)
    assert.ok(live)
    return live
  }
  /** The rows that a scheduled publish starts from. */
  async function read() {
    const live = await open()
    const rows = await rowsOf(live.db)
    await live.close()
    return rows
  }
  const copies = () => readdirSync(folder).filter((name) => name.endsWith('.db'))
  return { ...site, folder, setBody, open, read, copies }
}

async function rowsOf(db: Db) {
  const tables: [string, string[]][] = []
  for (const table of TABLES) {
    const rows = await db.selectFrom(table).selectAll().execute()
    tables.push([table, rows.map((row) => JSON.stringify(row)).sort()])
  }
  return Object.fromEntries(tables)
}

test('the live rows are read once, and each change to them is discarded', async (t) => {
  const site = await aSite(t)
  await site.setBody('![A house](house.jpg)')
  await site.publish()
  const first = await site.open()
  const before = await rowsOf(first.db)
  assert.match(String(before.picture_uses), /"house\.jpg"/)
  await first.db.deleteFrom('content_entries').execute()
  await first.close()
  const [copy = ''] = site.copies()
  const { ino } = statSync(join(site.folder, copy))
  assert.deepEqual(await site.read(), before)
  assert.deepEqual(site.copies(), [copy])
  assert.equal(statSync(join(site.folder, copy)).ino, ino)
})

test('a publish passes the rows on, and only later ones are read', async (t) => {
  const site = await aSite(t)
  await site.publish()
  await site.read()
  await site.setBody('![A house](house.jpg)')
  assert.equal((await site.publish()).scope, 'changes')
  await site.setBody('![A yard](yard.jpg)')
  assert.equal((await site.publish()).scope, 'changes')
  const [passed = ''] = site.copies()
  const { ino } = statSync(join(site.folder, passed))
  const rows = await site.read()
  assert.match(String(rows.picture_uses), /"yard\.jpg"/)
  assert.doesNotMatch(String(rows.picture_uses), /"house\.jpg"/)
  const [copy = ''] = site.copies()
  assert.ok(copy.startsWith(`${findCurrentRelease(site.dataDir)?.id}.`))
  assert.notEqual(statSync(join(site.folder, copy)).ino, ino)
  rmSync(join(site.folder, copy))
  assert.deepEqual(await site.read(), rows)
})

test('what a killed process left of the live rows is removed', async (t) => {
  const site = await aSite(t)
  await site.publish()
  await site.read()
  mkdirSync(join(site.folder, 'open'))
  writeFileSync(join(site.folder, 'open', 'live.db'), 'half a file')
  const live = await site.open()
  assert.ok(await findEntryById(live.db, site.service.id))
  await live.close()
  assert.ok(!readdirSync(site.folder).includes('open'))
  mkdirSync(join(site.folder, 'open'))
  await site.setTitle('Cool in Dallas')
  await site.publish()
  assert.ok(!readdirSync(site.folder).includes('open'))
})
