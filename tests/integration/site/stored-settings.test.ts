import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '#src/site/settings/change-site-settings.ts'
import { DEFAULT_SITE_SETTINGS, siteSettings, storedSiteSettings } from '#src/site/settings/site-settings.ts'
import {
  deleteSiteSettings,
  findSavedSiteSettings,
  findSettingsRow,
  findSiteSettings,
  saveSiteSettings,
} from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase } from '../../support/database.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const LATER = '2026-11-21T10:00:00.000Z'

type Database = Awaited<ReturnType<typeof openTestDatabase>>

/** Stores these settings as an earlier program may have. */
async function store(db: Database, value: object) {
  await deleteSiteSettings(db)
  const row = { key: 'site', value_json: JSON.stringify(value), updated_at: NOW }
  await db.insertInto('settings').values(row).execute()
  return findSiteSettings(db)
}

test('settings are the saved ones, or the defaults', async (t) => {
  const db = await openTestDatabase(t)
  await deleteSiteSettings(db)
  assert.deepEqual(await findSiteSettings(db), DEFAULT_SITE_SETTINGS)
  assert.equal(await findSavedSiteSettings(db), undefined)
  const settings = { ...DEFAULT_SITE_SETTINGS, name: 'Acme' }
  await saveSiteSettings(db, settings, { now: NOW })
  assert.deepEqual(await findSettingsRow(db), { settings, updatedAt: NOW })
  await saveSiteSettings(db, { ...settings, name: 'Ajax' }, { now: LATER })
  assert.deepEqual(await findSettingsRow(db), { settings: { ...settings, name: 'Ajax' }, updatedAt: LATER })
})

test('stored settings of removed sections, looks, and fonts are left out', async (t) => {
  const db = await openTestDatabase(t)
  const removed = await store(db, {
    name: 'Acme',
    sections: { home: ['faq', 'removed', '-steps', '-gone'], service: ['gone'] },
    home: { heading: 'Hot house?', removed_heading: 'Gone' },
    theme: { preset: 'removed', fonts: 'gone', radius: 3 },
  })
  assert.deepEqual(removed.sections, { home: ['faq', '-steps'], service: [] })
  assert.equal(removed.home.heading, 'Hot house?')
  assert.ok(!('removed_heading' in removed.home))
  const defaults = DEFAULT_SITE_SETTINGS.theme
  assert.deepEqual(removed.theme, { ...defaults, radius: 3 })
  const kept = await store(db, { name: 'Acme', theme: { preset: 'prairie', fonts: 'slab' } })
  assert.deepEqual(kept.theme, { ...defaults, preset: 'prairie', fonts: 'slab' })
  assert.equal((await store(db, { theme: { fonts: 'system' } })).theme.fonts, 'system')
})

test('a stored value of a section of the site’s own is read whatever its rules are now', () => {
  const settings = { name: 'Acme', home: { heading: 'Hot house?', guarantee_heading: 'Longer than allowed' } }
  assert.ok(!siteSettings.safeParse(settings).success)
  const { home } = storedSiteSettings.parse(settings)
  assert.deepEqual(home, { ...DEFAULT_SITE_SETTINGS.home, ...settings.home })
})

test('other settings can be changed while a section no longer accepts a stored value', async (t) => {
  const db = await openTestDatabase(t)
  const stored = { name: 'Acme', home: { guarantee_heading: 'Longer than allowed' } }
  const before = storedSiteSettings.parse(stored)
  const check = async (changes: object) => {
    const { settings, problems } = await checkSettings(db, {
      before,
      after: { ...before, ...changes },
      changes,
    })
    return settings?.tagline ?? problems.map(({ path }) => path[0])
  }
  assert.equal(await check({ tagline: 'Cool' }), 'Cool')
  assert.deepEqual(await check({ home: { ...before.home, heading: 'Hot house?' } }), ['home'])
})

test('blank texts that were stored count as missing, with their row of a list', async (t) => {
  const db = await openTestDatabase(t)
  const settings = await store(db, {
    ...{ name: ' ', tagline: '', phone: '512 555 0142' },
    phones: [
      { label: 'Night', number: '512 555 0143' },
      { label: ' ', number: '512 555 0144' },
    ],
    home: { heading: ' \n', intro: 'Cool' },
  })
  const { name, tagline, phone, phones, home } = settings
  assert.deepEqual([name, tagline, phone], [DEFAULT_SITE_SETTINGS.name, null, '512 555 0142'])
  assert.deepEqual(phones, [{ label: 'Night', number: '512 555 0143' }])
  assert.deepEqual([home.heading, home.intro], [DEFAULT_SITE_SETTINGS.home.heading, 'Cool'])
})
