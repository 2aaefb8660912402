import assert from 'node:assert/strict'
import { test } from 'node:test'
import { savePicture } from '#src/pictures/picture-store.ts'
import { findMailLook } from '#src/site/settings/mail-look.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aPicture } from '../../support/pictures.ts'

const SITE = { siteUrl: 'https://www.example.com' }
const NOW = '2026-11-24T00:00:00.000Z'

test('the look of emails follows the settings, and its icon is the square logo', async (t) => {
  const db = await openTestDatabase(t)
  for (const picture of [
    { name: 'mark.png', width: 400, height: 400 },
    { name: 'wide.png', width: 900, height: 200 },
  ])
    await savePicture(db, aPicture({ ...picture, sha256: 'ab'.repeat(32), crop: null }), { now: NOW })
  const lookWith = async (settings: object) => {
    await saveSiteSettings(db, siteSettings.parse({ name: 'Shannon Plumbing', ...settings }), { now: NOW })
    return findMailLook(db, SITE)
  }
  const look = await lookWith({
    ...{ logo: 'mark.png', phone: '065 682 1234', country: 'IE', address: 'Ennis' },
    theme: { preset: 'prairie', colors: { band: '#112233' } },
  })
  assert.equal(look.siteName, 'Shannon Plumbing')
  assert.deepEqual(look.phone, { text: '065 682 1234', dial: '+353656821234' })
  assert.deepEqual([look.address, look.email], ['Ennis', null])
  assert.deepEqual(
    [look.light.band, look.light.primary, look.dark.primary],
    ['#112233', '#236343', '#8fd3a8'],
  )
  assert.match(look.icon ?? '', /^https:\/\/www\.example\.com\/_astro\/icon-2-abababababababab-180\.png$/)
  assert.equal((await lookWith({ logo: 'wide.png' })).icon, null)
  assert.equal((await lookWith({})).icon, null)
})
