import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTraffic } from '#src/submissions/results/traffic-store.ts'
import { startAdmin } from '../../support/admin.ts'

test('the results of a month are shown by service, place, source and page', async (t) => {
  const site = await startAdmin(t)
  const visit = { day: '2026-11-20', service: 'ac-repair', place: 'usa/texas/austin', source: 'ads:google' }
  await addTraffic(site.app.db, [{ ...visit, page: '/services/ac-repair/austin', views: 4_321, taps: 12 }])
  const html = await site.read('/admin/reports?period=2026-11')
  for (const text of [
    '4,321',
    'ac-repair',
    'austin · texas · usa',
    'Google Ads',
    '/services/ac-repair/austin',
  ])
    assert.ok(html.includes(text), text)
})
