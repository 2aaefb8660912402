import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTraffic } from '#src/submissions/results/traffic-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { addPerson } from '../../support/people.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

test('coverage offers a limited manager no change, and says whose results it shows', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const drains = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  const ennis = (await addPlaces(db, 'ennis')).get('ennis') as number
  const offers = 'Offer or remove services in bulk'
  const limited = await addPerson(site, 'manager', { places: [ennis] })
  const open = async (path: string) => readAnswer(await limited.fetch(path))
  const whose = /^Your places and their areas: /
  const plain = await open('/admin/coverage')
  assert.equal(plain.queryAllByText(offers).length, 0)
  assert.equal(plain.queryAllByText(whose).length, 0)
  const visit = {
    day: new Date().toISOString().slice(0, 10),
    source: 'direct',
    page: '/services/drains/ennis',
  }
  await addTraffic(db, [{ ...visit, service: `#${drains}`, place: `#${ennis}`, views: 9, taps: 2 }])
  const results = await open('/admin/coverage?results=show')
  results.getByText(whose)
  assert.match(results.words, /0 won, 9 views, 2 taps/)
  const all = await site.open('/admin/coverage?results=show')
  all.getByText(offers)
  assert.equal(all.queryAllByText(whose).length, 0)
})
