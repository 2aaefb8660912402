import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import { composeReport } from '#src/server/monthly-reports/compose-report.ts'
import { addTraffic } from '#src/submissions/results/traffic-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { addPerson } from '../../support/people.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

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
  assert.doesNotMatch(await inbox(), /being matched to places/)
  const older = { form_id: 1, data_json: '{}', location_slug: 'salem' }
  await site.app.db.insertInto('form_submissions').values(older).execute()
  assert.match(await inbox(), /being matched to places/)
  const ofForms = await addPerson(site, 'office', { forms: [1] })
  assert.equal((await ofForms.fetch(path)).status, 403)
  assert.match(await (await own.fetch('/admin')).text(), /href="\/admin\/reports"/)
  assert.doesNotMatch(await (await ofForms.fetch('/admin')).text(), /href="\/admin\/reports"/)
})

test('a place’s results include its areas, on screen and in the report by email', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const ids = await addPlaces(db, 'ohio/columbus/bexley', 'ohio/columbus/gahanna', 'ohio/dayton/kettering')
  const leads = { columbus: 2, bexley: 3, gahanna: 4, dayton: 5, kettering: 1 }
  for (const [slug, count] of Object.entries(leads))
    for (let lead = 0; lead < count; lead += 1)
      await db
        .insertInto('form_submissions')
        .values({
          ...{ form_id: 1, data_json: '{}', location_id: ids.get(slug) as number, location_path: slug },
          submitted_at: '2025-10-20T10:00:00.000Z',
        })
        .execute()
  const screen = await site.open('/admin/reports?period=2025-10')
  // Each place with its views, phone taps, leads, and won leads.
  assert.match(
    screen.getByRole('table', { name: 'By place' }).textContent ?? '',
    /Ohio00150Columbus0090Gahanna0040Bexley0030Columbus itself0020Dayton0060Dayton itself0050Kettering0010$/,
  )
  const service = `#${await addEntry(db, 'services', { slug: 'gutters', title: 'Gutter cleaning' })}`
  const visit = { day: '2025-10-21', service, place: '', source: 'direct', page: '/services/gutters' }
  await addTraffic(db, [{ ...visit, views: 3, taps: 1 }])
  const asked = { period: '2025-10', adminUrl: 'https://www.example.com', now: new Date() }
  const ofAll = await composeReport(db, { limits: NO_LIMITS }, asked)
  assert.match(ofAll.text, /^Ohio: 15 leads, 0 won, 0 views\nColumbus · Ohio: 9 leads/m)
  assert.match(ofAll.text, /^Top services:\nGutter cleaning: 0 leads, 0 won, 3 views, 1 phone tap$/m)
  const columbus = [ids.get('columbus') as number]
  const { text } = await composeReport(db, { limits: { places: columbus, forms: null } }, asked)
  assert.match(text, /areas:\nColumbus · Ohio: 9 leads, 0 won, 0 views\nGahanna · Columbus · Ohio: 4 leads/)
  assert.doesNotMatch(text, /^Ohio/m)
})
