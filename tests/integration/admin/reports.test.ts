import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTraffic } from '#src/submissions/results/traffic-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { addPerson } from '../../support/people.ts'
import { addPlaces } from '../../support/small-site.ts'

test('a month’s results are shown by service, place, source, and page', async (t) => {
  const site = await startAdmin(t)
  const visit = { day: '2026-11-20', service: '=ac-repair', place: '=usa/texas/austin', source: 'ads:google' }
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

test('users with a place limit see their places’ results; users with a form limit see none', async (t) => {
  const site = await startAdmin(t)
  const ids = await addPlaces(site.app.db, 'oregon/salem', 'oregon/bend')
  const visit = { day: '2026-11-20', source: 'direct', views: 5, taps: 0 }
  for (const slug of ['salem', 'bend'])
    await addTraffic(site.app.db, [
      { ...visit, service: `=service-${slug}`, place: `#${ids.get(slug)}`, page: `/page-${slug}` },
    ])
  const path = '/admin/reports?period=2026-11'
  const own = await addPerson(site, 'office', { places: [ids.get('salem') as number] })
  const html = await (await own.fetch(path)).text()
  assert.match(html, /Salem · Oregon.*page-salem/s)
  assert.doesNotMatch(html, /bend/i)
  const inbox = async () => (await own.fetch('/admin/inbox')).text()
  assert.doesNotMatch(await inbox(), /being sorted by place/)
  const older = { form_id: 1, data_json: '{}', location_slug: 'salem' }
  await site.app.db.insertInto('form_submissions').values(older).execute()
  assert.match(await inbox(), /being sorted by place/)
  const ofForms = await addPerson(site, 'office', { forms: [1] })
  assert.equal((await ofForms.fetch(path)).status, 403)
  assert.match(await (await own.fetch('/admin')).text(), /href="\/admin\/reports"/)
  assert.doesNotMatch(await (await ofForms.fetch('/admin')).text(), /href="\/admin\/reports"/)
})
