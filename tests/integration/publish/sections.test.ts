import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { editEntry } from '../../support/small-edits.ts'

const STEPS = [{ title: 'We look', text: 'From the ladder.' }]
const FAQ = [{ question: 'How long?', answer: 'An hour.' }]
const HEADINGS = /<h2[^>]*>([^<]*)<\/h2>/g

async function headingsOf(dataDir: string, file: string): Promise<string[]> {
  const siteDir = findCurrentRelease(dataDir)?.siteDir ?? ''
  const html = await readFile(join(siteDir, file), 'utf8')
  // The footer has its own headings.
  const [main = ''] = html.split('<footer')
  return [...main.matchAll(HEADINGS)].map(([, text = '']) => text.trim())
}

test('sections follow the order of the settings, and only affected pages are rendered', async (t) => {
  const { db, dataDir, publish } = await aPublishedSite(t)
  const home = { steps: STEPS, faq: FAQ }
  const save = (sections?: object) =>
    saveSiteSettings(db, siteSettings.parse({ name: 'Bluebonnet', home, ...(sections && { sections }) }), {
      now: '2026-11-20T11:00:00.000Z',
    })
  await save()
  await publish()
  const usual = await headingsOf(dataDir, 'index.html')
  assert.ok(usual.indexOf('How it works') < usual.indexOf('Frequently asked questions'), `${usual}`)

  await save({ home: ['faq', 'service_list', 'steps'] })
  const { plan } = await publish()
  assert.deepEqual([plan.added, plan.changed, plan.removed], [0, 1, 0])
  const moved = await headingsOf(dataDir, 'index.html')
  assert.ok(moved.indexOf('Frequently asked questions') < moved.indexOf('Services'), `${moved}`)
  assert.ok(moved.indexOf('Services') < moved.indexOf('How it works'), `${moved}`)

  await save({ home: [] })
  await publish()
  const none = await headingsOf(dataDir, 'index.html')
  assert.ok(!none.includes('How it works') && !none.includes('Services'), `${none}`)
})

test('location pages follow the order of the settings, and one page its own', async (t) => {
  const { db, dataDir, publish, service } = await aPublishedSite(t)
  await editEntry(db, service.id, { data: { steps: STEPS, faq: FAQ } })
  const settings = { name: 'Bluebonnet', sections: { location_service: ['faq', 'steps'] } }
  await saveSiteSettings(db, siteSettings.parse({ name: 'Bluebonnet' }), { now: '2026-11-20T11:00:00.000Z' })
  await publish()
  const [austin, dallas] = ['austin', 'dallas'].map((place) => `services/ac-repair/${place}.html`)
  const orderOf = async (file = '') => {
    const headings = await headingsOf(dataDir, file)
    return headings.filter((text) => text === 'How it works' || text === 'Frequently asked questions')
  }
  assert.deepEqual(await orderOf(austin), ['How it works', 'Frequently asked questions'])

  await saveSiteSettings(db, siteSettings.parse(settings), { now: '2026-11-20T12:00:00.000Z' })
  const { plan } = await publish()
  assert.deepEqual([plan.added, plan.changed, plan.removed], [0, 2, 0])
  for (const file of [austin, dallas])
    assert.deepEqual(await orderOf(file), ['Frequently asked questions', 'How it works'])

  const { id } = await db
    .selectFrom('content_entries')
    .select('id')
    .where('slug', '=', 'ac-repair/austin')
    .executeTakeFirstOrThrow()
  await editEntry(db, id, { data: { sections: ['steps'] } })
  const own = await publish()
  assert.deepEqual([own.plan.added, own.plan.changed, own.plan.removed], [0, 1, 0])
  assert.deepEqual(await orderOf(austin), ['How it works'])
  assert.deepEqual(await orderOf(dallas), ['Frequently asked questions', 'How it works'])
})
