import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { aPublishedSite } from '../../support/publishing.ts'

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
