import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTimeZone } from '#src/doctor/check-time-zone.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { startFront } from '../../support/front.ts'
import { said } from '../../support/said.ts'

test('doctor reports a site without a time zone, and names the zone of its emails', async (t) => {
  const { app } = await startFront(t)
  const save = (settings: object) =>
    saveSiteSettings(app.db, { ...DEFAULT_SITE_SETTINGS, ...settings }, { now: '2026-11-24T00:00:00.000Z' })
  await save({})
  const { state, says } = said(await checkTimeZone(app.config))
  assert.equal(state, 'warning')
  assert.match(
    says,
    /^The site has no time zone, so emails, exports, and results use the server's time zone, \S+\. Choose one/,
  )
  await save({ time_zone: 'America/Chicago' })
  const { check, ...set } = said(await checkTimeZone(app.config))
  assert.deepEqual([check, set], ['Time zone', { state: 'ok', says: 'America/Chicago' }])
})
