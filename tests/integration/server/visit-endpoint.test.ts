import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { localeOf } from '#src/lib/locale/locale.ts'
import { openVisits } from '#src/server/visits/open-visits.ts'
import { createVisitEndpoint, isVisitReport } from '#src/server/visits/visit-endpoint.ts'
import type { Visit } from '#src/server/visits/visit-tally.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase } from '../../support/database.ts'
import { serveEndpoint } from '../../support/endpoint.ts'
import { waitFor } from '../../support/running-site.ts'

const siteLocale = { current: () => localeOf({ time_zone: 'Asia/Tokyo' }) }
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function anEndpoint(t: TestContext) {
  const counted: Visit[] = []
  const app = {
    visits: { count: (visit: Visit) => counted.push(visit) },
    config: { trustedProxies: 1, siteUrl: 'https://a.example', formOrigins: ['https://b.example'] },
  }
  const endpoint = createVisitEndpoint(app as unknown as Parameters<typeof createVisitEndpoint>[0])
  const url = await serveEndpoint(t, endpoint)
  async function report(fields: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'user-agent': FIREFOX, ...headers },
    })
    assert.deepEqual([response.status, await response.text()], [204, ''])
    return counted.splice(0)
  }
  return { url, report }
}

test('pages report visits by a post to their address', () => {
  for (const [url, method, is] of [
    ['/api/visits', 'POST', true],
    ['/api/visits', 'GET', false],
    ['/api/visits/', 'POST', false],
  ] as const)
    assert.equal(isVisitReport({ url, method } as Parameters<typeof isVisitReport>[0]), is)
})

test('a view or tap counts for its page with the source that the page knows', async (t) => {
  const { report } = await anEndpoint(t)
  const visit = (values: Partial<Visit>) => [
    { path: '/a', source: 'onsite', views: 1, taps: 0, isServed: false, ...values },
  ]
  const came = (touch: object) => JSON.stringify({ last: { at: '2026-11-20T10:00:00.000Z', ...touch } })
  const view = { event: 'view', page: '/a' }
  const tap = { views: 0, taps: 1 }
  for (const [fields, headers, expected] of [
    [view, {}, visit({})],
    [{ event: 'tap', page: '/a' }, {}, visit({ ...tap, source: 'unknown' })],
    [{ ...view, page: '/' }, {}, visit({ path: '/' })],
    [{ ...view, page: '/index.html' }, {}, visit({ path: '/index' })],
    [{ ...view, page: '/a/b.html' }, {}, visit({ path: '/a/b' })],
    [{ ...view, page: '/a.html/' }, {}, visit({ path: '/a' })],
    [{ ...view, page: '/a///' }, {}, visit({ path: '/a' })],
    [{ ...view, page: '/a.htmls' }, {}, visit({ path: '/a.htmls' })],
    [{ ...view, visit: came({ utm_source: 'news' }) }, {}, visit({ source: 'campaign:news' })],
    [{ ...view, visit: came({ referrer: 'https://c.example/' }) }, {}, visit({ source: 'site:c.example' })],
    [{ ...view, visit: came({ referrer: 'https://b.example/' }) }, {}, visit({ source: 'direct' })],
    [{ ...view, visit: came({ utm_source: 'news' }) }, { 'sec-gpc': '1' }, visit({ source: 'unknown' })],
    [view, { 'sec-gpc': '1' }, visit({ source: 'unknown' })],
    [view, { 'sec-gpc': '0' }, visit({})],
  ] as const)
    assert.deepEqual(await report(fields, headers), expected, JSON.stringify([fields, headers]))
})

test('what is no visit of a person counts nothing, and is answered the same', async (t) => {
  const { url, report } = await anEndpoint(t)
  const view = { event: 'view', page: '/a' }
  for (const [fields, headers] of [
    [{ ...view, event: 'click' }, {}],
    [{ event: 'view' }, {}],
    [{ ...view, page: 'a' }, {}],
    [{ ...view, page: '//b.example' }, {}],
    [{ ...view, page: '/a?b' }, {}],
    [{ ...view, page: `/${'a'.repeat(512)}` }, {}],
    [{ ...view, visit: 'x'.repeat(33_000) }, {}],
    [view, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
    [view, { 'content-type': 'application/json' }],
  ] as const)
    assert.deepEqual(await report(fields, headers), [], JSON.stringify([fields, headers]).slice(0, 99))
  assert.equal((await report({ ...view, page: `/${'a'.repeat(511)}` })).length, 1)
  const json = { 'user-agent': FIREFOX, 'content-type': 'application/json' }
  assert.equal((await fetch(url, { method: 'POST', body: '{', headers: json })).status, 204)
})

test('each address has 120 reports a minute', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 * 60_000 })
  const { report } = await anEndpoint(t)
  const from = (address: string) =>
    report({ event: 'view', page: '/a' }, { 'x-forwarded-for': `198.51.100.${address}` })
  for (let time = 0; time < 120; time += 1) assert.equal((await from('1')).length, 1)
  assert.equal((await from('1')).length, 0)
  assert.equal((await from('2')).length, 1)
  t.mock.timers.setTime(1_001 * 60_000 - 1)
  assert.equal((await from('1')).length, 0)
  t.mock.timers.setTime(1_001 * 60_000)
  assert.equal((await from('1')).length, 1)
})

test('views are added to the database while the server runs, without their sources if the site keeps none', async (t) => {
  const db = await openTestDatabase(t)
  const log = { error: (fields: object) => assert.fail(JSON.stringify(fields)) }
  const at = new Date('2026-11-19T23:59:00.000Z')
  const config = { siteUrl: 'https://a.example', formOrigins: ['https://b.example'] }
  const sources = async () => {
    const rows = await db
      .selectFrom('traffic_counts')
      .select(['subject', 'views'])
      .where('dimension', '=', 'source')
      .where('period', '=', '2026-11')
      .where('place', '=', '')
      .orderBy('subject')
      .execute()
    return rows.map(({ subject, views }) => `${subject} ${views}`)
  }
  for (const [attribution, expected] of [
    [true, ['onsite 1', 'site:c.example 1']],
    [false, ['onsite 1', 'site:c.example 1', 'unknown 2']],
  ] as const) {
    await saveSiteSettings(db, siteSettings.parse({ name: 'A', attribution }), { now: at.toISOString() })
    const visits = openVisits(config, { db, siteLocale, log, now: () => at })
    atEnd(t, () => visits.stop())
    visits.start()
    await visits.stop()
    for (const referer of ['https://c.example/', 'https://b.example/'])
      visits.countView(
        { method: 'GET', url: '/?a', headers: { 'user-agent': FIREFOX, referer } } as IncomingMessage,
        '/',
      )
    await visits.stop()
    assert.deepEqual(await sources(), expected)
  }
  const days = await db.selectFrom('traffic_counts').select('period').distinct().orderBy('period').execute()
  assert.deepEqual(
    days.map(({ period }) => period),
    ['2026', '2026-11', '2026-11-20'],
  )
})

test('leads are added up while the server runs', async (t) => {
  const db = await openTestDatabase(t)
  const log = { error: (fields: object) => assert.fail(JSON.stringify(fields)) }
  const config = { siteUrl: 'https://a.example', formOrigins: [] }
  const [form] = await db.selectFrom('forms').select('id').execute()
  assert.ok(form)
  const lead = { form_id: form.id, data_json: '{}', page_path: '/', submitted_at: '2026-11-20T10:00:00.000Z' }
  await db.insertInto('form_submissions').values(lead).execute()
  const visits = openVisits(config, { db, siteLocale, log, now: () => new Date() })
  atEnd(t, () => visits.stop())
  visits.start()
  await waitFor(async () => !(await db.selectFrom('lead_changes').select('id').executeTakeFirst()))
})
