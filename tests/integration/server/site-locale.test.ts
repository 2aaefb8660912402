import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSiteLocale } from '#src/server/site-locale.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { DEFAULT_STAGES } from '#src/submissions/stages/stage-settings.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase } from '../../support/database.ts'
import { waitFor } from '../../support/running-site.ts'

// Waits without timers, which the test stops.
async function nextTurns(isDone: () => boolean) {
  for (let turn = 0; turn < 1_000 && !isDone(); turn += 1) await new Promise(setImmediate)
  assert.ok(isDone())
}

test('settings in memory follow those that are saved, at once or within five seconds', async (t) => {
  const db = await openTestDatabase(t)
  const log = { error: (fields: object) => assert.fail(JSON.stringify(fields)) }
  const locale = await openSiteLocale({ db, log })
  const read = () => [locale.current().timeZone, locale.recordsReading(), locale.stages()]
  const [timeZone] = read()
  assert.deepEqual(read(), [timeZone, false, DEFAULT_STAGES])
  const stages = [{ slug: 'new', name: 'Fresh' }]
  const save = (values: object) =>
    saveSiteSettings(db, siteSettings.parse({ name: 'A', ...values }), { now: '2026-11-20T10:00:00.000Z' })
  await save({ time_zone: 'Asia/Tokyo', record_reading: true, stages })
  assert.deepEqual(read(), [timeZone, false, DEFAULT_STAGES])
  await locale.refresh()
  assert.deepEqual(read(), ['Asia/Tokyo', true, stages])
  t.mock.timers.enable({ apis: ['setTimeout'] })
  atEnd(t, () => locale.stop())
  // The first build of a site syncs its settings before the workers start.
  await save({ time_zone: 'Europe/Dublin' })
  locale.start()
  await nextTurns(() => locale.current().timeZone === 'Europe/Dublin' && !locale.recordsReading())
  await save({ time_zone: 'America/Chicago' })
  t.mock.timers.tick(4_000)
  await new Promise(setImmediate)
  assert.equal(locale.current().timeZone, 'Europe/Dublin')
  t.mock.timers.tick(1_000)
  t.mock.timers.reset()
  await waitFor(async () => locale.current().timeZone === 'America/Chicago')
  assert.equal(locale.recordsReading(), false)
})
