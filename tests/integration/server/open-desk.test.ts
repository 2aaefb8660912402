import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Config } from '#src/config.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { openDesk } from '#src/server/forms/open-desk.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { createProofOfWork } from '#src/submissions/limits/proof-of-work.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { storedSubmission } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const NAME = { name: 'full_name', label: 'Name', required: true }
const BUDGET = { name: 'budget', label: 'Budget', required: true }
const FROM = { cameFrom: { referrer: 'https://www.google.com/' } }
const DAY_MS = 24 * 3_600_000

/** The running program's desk over a form `quote`, with workers that note that they were woken. */
async function someDesk(t: TestContext, { hasMail = true } = {}) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const woken: string[] = []
  const worker = (name: string) => ({ wake: () => woken.push(name) })
  const site = { siteUrl: 'https://a.example', formOrigins: ['https://b.example'], databaseUrl: 'file:' }
  const secretKeys = fixedRing(new Uint8Array(32).fill(7))
  const desk = openDesk({ ...site, dataDir } as unknown as Config, {
    ...{
      db,
      postLimits: undefined,
      metrics: undefined,
      log: { error: (details: object) => assert.fail(JSON.stringify(details)) },
    },
    proofOfWork: createProofOfWork({ secretKeys, now: () => new Date() }),
    ...{ dispatcher: worker('dispatcher'), searchIndex: worker('search') },
    mailWorker: hasMail ? worker('mail') : undefined,
  })
  return { db, dataDir, desk, woken }
}

test('a stored post wakes the workers', async (t) => {
  for (const hasMail of [true, false]) {
    const { db, desk, woken } = await someDesk(t, { hasMail })
    await storeForm(db, 'quote', { fields: [NAME] })
    assert.equal((await desk.accept('quote', {})).kind, 'invalid')
    assert.deepEqual(woken, [])
    assert.equal((await desk.accept('quote', { full_name: 'Ann' })).kind, 'accepted')
    assert.deepEqual(woken, hasMail ? ['dispatcher', 'mail', 'search'] : ['dispatcher', 'search'])
  }
})

test('a lead keeps its source while the site keeps sources', async (t) => {
  const { db, desk } = await someDesk(t)
  await storeForm(db, 'quote', { fields: [NAME] })
  const post = (referrer: string) => desk.accept('quote', { full_name: 'Ann' }, { cameFrom: { referrer } })
  const sourceOf = async (referrer: string) => (await storedSubmission(db, await post(referrer))).sourceName
  assert.equal(await sourceOf('https://www.google.com/'), 'search:google')
  assert.equal(await sourceOf('https://b.example/contact'), 'unknown', 'the site itself')
  const settings = await findSiteSettings(db)
  await saveSiteSettings(db, { ...settings, attribution: false }, { now: new Date().toISOString() })
  desk.invalidate()
  assert.equal(await sourceOf('https://www.google.com/'), null)
})

test('a page of a kept release may post the form that it shows', async (t) => {
  const { db, dataDir, desk } = await someDesk(t)
  await storeForm(db, 'quote', { fields: [NAME] })
  await storeForm(db, 'quote', { fields: [NAME, BUDGET] })
  const replacedAt = new Date(Date.now() - 40 * DAY_MS).toISOString()
  await db.updateTable('form_versions').set({ created_at: replacedAt }).where('version', '=', 2).execute()
  const post = async () => (await desk.accept('quote', { full_name: 'Ann', _v: '1' }, FROM)).kind
  assert.equal(await post(), 'invalid')
  mkdirSync(join(dataDir, 'releases/20200101T000000000Z/site'), { recursive: true })
  assert.equal(await post(), 'accepted')
})
