import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { checkRelease } from '#src/doctor/check-site.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { readCheckReport, saveCheckReport } from '#src/publish/check-report.ts'
import { checkSite } from '#src/publish/publish-site.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { rollBack } from '#src/publish/release/roll-back.ts'
import { createSiteCheck } from '#src/server/background/site-check.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { aPublishedSite } from '#tests/support/publishing.ts'
import { PROJECT_DIR, waitFor } from '#tests/support/running-site.ts'

const AUSTIN = 'services/ac-repair/austin.html'
const DALLAS = 'services/ac-repair/dallas.html'
const NOTHING = { damaged: 0, outdated: 0, hasDamagedFiles: false }

async function aCheckedSite(t: TestContext) {
  const site = await aPublishedSite(t)
  const { db, dataDir, now } = site
  await site.publish()
  const pathOf = (file: string) => join(String(findCurrentRelease(dataDir)?.siteDir), file)
  const read = (file: string) => readFileSync(pathOf(file), 'utf8')
  const options = { projectDir: PROJECT_DIR, dataDir, siteUrl: 'https://example.com', now }
  return {
    ...site,
    read,
    /** Changes a byte of a file of the live release, and none of its size. */
    damage: (file: string) => writeFileSync(pathOf(file), `X${read(file).slice(1)}`),
    check: () => checkSite(db, { ...options, progress: silentProgress }),
  }
}

test('a check of an intact site finds nothing', async (t) => {
  const { dataDir, check } = await aCheckedSite(t)
  const before = findCurrentRelease(dataDir)?.id
  assert.deepEqual(await check(), NOTHING)
  assert.equal(findCurrentRelease(dataDir)?.id, before)
})

test('a check repairs files whose bytes were damaged on disk', async (t) => {
  const { read, damage, check } = await aCheckedSite(t)
  const [page, sitemap] = [read(AUSTIN), read('sitemap-0.xml')]
  damage(AUSTIN)
  assert.deepEqual(await check(), { ...NOTHING, damaged: 1 })
  assert.equal(read(AUSTIN), page)
  damage('sitemap-0.xml')
  assert.deepEqual(await check(), { ...NOTHING, hasDamagedFiles: true })
  assert.equal(read('sitemap-0.xml'), sitemap)
  assert.deepEqual(await check(), NOTHING)
})

test('a check publishes changes that the change log missed', async (t) => {
  const { db, read, setTitle, publish, check } = await aCheckedSite(t)
  await setTitle('Cool in Dallas')
  await sql`delete from content_changes where id = (select max(id) from content_changes)`.execute(db)
  assert.equal((await publish()).kind, 'unchanged')
  assert.deepEqual(await check(), { ...NOTHING, outdated: 1 })
  assert.match(read(DALLAS), /Cool in Dallas/)
})

test('a check keeps unpublished changes off the site, and still repairs it', async (t) => {
  const { read, setTitle, publish, damage, check } = await aCheckedSite(t)
  const page = read(AUSTIN)
  await setTitle('Cool in Dallas')
  damage(AUSTIN)
  assert.deepEqual(await check(), { ...NOTHING, damaged: 1 })
  assert.equal(read(AUSTIN), page)
  assert.doesNotMatch(read(DALLAS), /Cool in Dallas/)
  const { plan } = await publish()
  assert.equal(plan.changed, 1)
  assert.match(read(DALLAS), /Cool in Dallas/)
})

test('changes saved while a check runs stay off the site', async (t) => {
  const { db, read, setTitle, publish } = await aCheckedSite(t)
  const { id } = await findLogEnd(db)
  await setTitle('Cool in Dallas')
  assert.equal((await publish({ check: true, lastChangeId: id })).kind, 'unchanged')
  assert.doesNotMatch(read(DALLAS), /Cool in Dallas/)
})

test('a rolled-back site stays unchanged', async (t) => {
  const { db, dataDir, now, setTitle, publish, check } = await aCheckedSite(t)
  await setTitle('Cool in Dallas')
  await publish()
  await rollBack(db, { dataDir, starter: { startedBy: 'command' }, now: now() })
  assert.deepEqual(await check(), NOTHING)
})

test('findings stay in the report for two weeks, and doctor lists them', async (t) => {
  const { dataDir } = await aCheckedSite(t)
  const config = { dataDir } as Parameters<typeof checkRelease>[0]
  const day = (number: number) => new Date(Date.UTC(2026, 10, number, 3))
  saveCheckReport(dataDir, { ...NOTHING, damaged: 2 }, day(1))
  saveCheckReport(dataDir, NOTHING, day(2))
  assert.equal(readCheckReport(dataDir)?.checkedAt, day(2).toISOString())
  assert.equal(checkRelease(config).code, 'siteRepaired')
  saveCheckReport(dataDir, NOTHING, day(20))
  assert.equal(checkRelease(config).code, 'release')
})

/** Looks at a site again and again at this moment; each check is written down and takes until it is broken off, if it hangs. */
async function aNightlyCheck(t: TestContext, at: string, { hangs = false } = {}) {
  const { db, dataDir } = await aCheckedSite(t)
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, time_zone: 'America/Chicago' }, { now: at })
  let looks = 0
  let checks = 0
  const siteCheck = createSiteCheck({
    ...{ db, dataDir, lookEveryMs: 1, now: () => new Date(at) },
    isPublishing() {
      looks += 1
      return false
    },
    async check(signal) {
      checks += 1
      if (!hangs || checks > 1) return saveCheckReport(dataDir, NOTHING, new Date(at))
      await new Promise((_, reject) => signal.addEventListener('abort', reject))
    },
    log: { error: (details: object) => assert.fail(JSON.stringify(details)) },
  })
  siteCheck.start()
  atEnd(t, () => siteCheck.stop())
  return { siteCheck, counts: () => ({ looks, checks }) }
}

// The site is of November 20, 10:00 UTC; Chicago is six hours behind.
const NIGHTS = [
  ['2026-11-21T09:00:00.000Z', 1, 'at three in the night'],
  ['2026-11-20T10:30:00.000Z', 0, 'soon after a publish'],
  ['2026-11-21T18:00:00.000Z', 0, 'at noon'],
  ['2026-11-23T18:00:00.000Z', 1, 'at noon of the third day'],
] as const

for (const [at, expected, what] of NIGHTS)
  test(`a check starts once or not at all: ${what}`, async (t) => {
    const { counts } = await aNightlyCheck(t, at)
    const enough = counts().looks + 5
    await waitFor(() => counts().looks >= enough)
    assert.equal(counts().checks, expected)
  })

test('a check yields to a publish and starts over', async (t) => {
  const { siteCheck, counts } = await aNightlyCheck(t, '2026-11-21T09:00:00.000Z', { hangs: true })
  await waitFor(() => counts().checks === 1)
  siteCheck.giveWay()
  await waitFor(() => counts().checks === 2)
})
