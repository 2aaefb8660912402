import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOUCH_KEYS } from '#src/db/tables/submission-source.ts'
import { leadUrl, submissionMeta } from '#src/webhooks/body/submission-meta.ts'

const LEAD = {
  ...{ id: 7, submittedAt: '2026-11-20T10:00:00.000Z', form: { id: 3, slug: 'quote', name: 'Quote' } },
  ...{ pagePath: '/services/ac-repair/austin', serviceSlug: 'ac-repair', serviceName: 'AC repair' },
  ...{ locationSlug: 'austin', locationName: 'Austin', locationPath: 'usa/texas/austin' },
}
const SITE = { siteUrl: 'https://www.example.com' }
const noTouch = (before: string) => Object.fromEntries(TOUCH_KEYS.map((key) => [before + key, null]))

test('contract §6: meta has the form, the page, the service, and the place of a lead', () => {
  assert.deepEqual(submissionMeta(LEAD, SITE), {
    ...{ submission_id: 7, form_id: 3, form_slug: 'quote', form_name: 'Quote' },
    submitted_at: '2026-11-20T10:00:00.000Z',
    page_url: 'https://www.example.com/services/ac-repair/austin',
    page_path: '/services/ac-repair/austin',
    ...{ service_slug: 'ac-repair', service_name: 'AC repair' },
    ...{ location_slug: 'austin', location_name: 'Austin', location_path: 'usa/texas/austin' },
    ...{ site_url: 'https://www.example.com', admin_url: 'https://www.example.com/admin/inbox/7' },
    ...{ is_test: false, source_kind: null, first_source_kind: null, pages_seen: null },
    ...{ ...noTouch(''), ...noTouch('first_') },
  })
  const elsewhere = submissionMeta({ ...LEAD, pagePath: null }, SITE)
  assert.deepEqual([elsewhere.page_url, elsewhere.page_path], [null, null])
})

test('contract §8: meta has the keys of the last touch, and of the first prefixed with first_', () => {
  const touch = { utm_source: 'google', gclid: 'x' }
  const source = { first: { utm_source: 'bing' }, last: touch, pages: ['/a', '/b'] }
  const meta = submissionMeta({ ...LEAD, source }, SITE)
  assert.equal(meta.pages_seen, '/a, /b')
  assert.deepEqual(
    [meta.utm_source, meta.gclid, meta.utm_medium, meta.first_utm_source, meta.first_gclid],
    ['google', 'x', null, 'bing', null],
  )
})

test('a lead’s URL is in the admin, on ADMIN_HOST if set', () => {
  const { admin_url } = submissionMeta(LEAD, { ...SITE, adminUrl: 'https://office.example.com' })
  assert.equal(admin_url, 'https://office.example.com/admin/inbox/7')
  assert.equal(leadUrl(0, 'https://a.example'), 'https://a.example/admin/inbox')
})
