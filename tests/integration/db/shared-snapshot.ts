import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { joinSnapshot, openSharedSnapshot } from '#src/db/snapshot.ts'
import { truncateLog } from '#src/db/truncate-log.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { waitFor } from '../../support/running-site.ts'

const NOW = '2026-11-20T10:00:00.000Z'

/** What the processes of a publish rely on: all see the content of one moment. */
export function testSharedSnapshot(
  engine: string,
  databaseUrlOf: (t: TestContext) => string | Promise<string>,
): void {
  test(`${engine}: a snapshot and its readers see one state despite concurrent writes`, async (t) => {
    const databaseUrl = await databaseUrlOf(t)
    const writer = connectDatabase(databaseUrl)
    await migrate(writer)
    const name = (to: string) =>
      saveSiteSettings(writer, { ...DEFAULT_SITE_SETTINGS, name: to }, { now: NOW })
    await name('Before')
    const joined: Awaited<ReturnType<typeof joinSnapshot>>[] = []
    const snapshot = await openSharedSnapshot(databaseUrl, async (token) => {
      joined.push(await joinSnapshot(databaseUrl, token), await joinSnapshot(databaseUrl, token))
    })
    await name('After')
    for (const { db } of [snapshot, ...joined]) assert.equal((await findSiteSettings(db)).name, 'Before')
    await name('Later')
    for (const { db } of [snapshot, ...joined]) assert.equal((await findSiteSettings(db)).name, 'Before')
    for (const one of [...joined, snapshot]) await one[Symbol.asyncDispose]()
    assert.equal((await findSiteSettings(writer)).name, 'Later')
    await writer.destroy()
  })

  test(`${engine}: a snapshot that others fail to join leaves no connection and no lock`, async (t) => {
    const databaseUrl = await databaseUrlOf(t)
    const writer = connectDatabase(databaseUrl)
    t.after(() => writer.destroy())
    await sql`create table settings (key text)`.execute(writer)
    const joining = openSharedSnapshot(databaseUrl, () => Promise.reject(new Error('a reader ended')))
    await assert.rejects(joining, /^Error: a reader ended$/)
    await sql`insert into settings values ('a')`.execute(writer)
    // A reader that stayed would keep the log.
    assert.equal(await truncateLog(writer), true)
    if (databaseUrl.startsWith('file:')) return
    await assert.rejects(joinSnapshot(databaseUrl, 'no-such-snapshot'), /snapshot/)
    await waitFor(async () => (await countSessions(writer)) === 1)
  })
}

async function countSessions(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity where datname = current_database()`.execute(db)
  return rows[0]?.count ?? 0
}
