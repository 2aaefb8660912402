import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import lighthouse from 'lighthouse'
import { LOOKS } from '#src/site/theme/looks.ts'
import { launchBrowser } from '../support/browser.ts'
import { temporaryFolder } from '../support/database.ts'
import { aPartOfTheExample } from '../support/part-of-example.ts'
import { EXAMPLE_CONTENT, freePort, startSite } from '../support/running-site.ts'

// Not among the tests of `npm test`: speed is measured with the machine to itself. `npm run lighthouse`

const PAGES = [
  '/',
  '/services',
  '/services/ac-repair',
  '/services/ac-repair/hyde-park',
  '/taxonomy/locations/texas',
  '/forms/quote',
  '/about',
]
const LOOK_PAGES = ['/', '/services/ac-repair/hyde-park']
const LEAST = { accessibility: 100, 'best-practices': 100, seo: 100, performance: 99 }
/** A busy machine makes a page slower, never faster: the best of these counts. */
const MOST_RUNS = 8
const FIGURES = [
  'first-contentful-paint',
  'speed-index',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
]

type Scores = Record<keyof typeof LEAST, number>

test('Lighthouse scores 100 on the pages where visitors arrive', async (t) => {
  const site = await startSite(t, { dataDir: temporaryFolder(t), contentDir: withArchive(t) })
  const port = await freePort()
  await launchBrowser(t, [`--remote-debugging-port=${port}`])
  for (const path of PAGES) await t.test(path, (t) => assertScores(t, site.url + path, port))
})

test('Lighthouse scores 100 for every look, with large pictures', async (t) => {
  const port = await freePort()
  await launchBrowser(t, [`--remote-debugging-port=${port}`])
  for (const { name } of LOOKS) {
    const site = await startSite(t, { dataDir: temporaryFolder(t), contentDir: inLook(t, name) })
    for (const path of LOOK_PAGES)
      await t.test(`${name} ${path}`, (t) => assertScores(t, site.url + path, port))
    await site.end('SIGTERM')
  }
})

async function assertScores(t: TestContext, url: string, port: number) {
  const scores = await bestOf(url, port, (text) => t.diagnostic(text))
  for (const [category, least] of Object.entries(LEAST))
    assert.ok(scores[category as keyof Scores] >= least, `${category} of ${url}`)
}

// A part of the example, with its picture at the top and in a gallery. Every page is listed.
function inLook(t: TestContext, look: string): string {
  const contentDir = aPartOfTheExample(t)
  const settings = join(contentDir, 'site.yaml')
  const text = readFileSync(settings, 'utf8')
  const pictures = (keys: string) => `${keys}hero: austin-shop.webp\n${keys}gallery: [austin-shop.webp]\n`
  writeFileSync(
    settings,
    `${text.replace(/preset: .*/, `preset: ${look}`).replace('home:\n', `home:\n${pictures('  ')}`)}\nquality_threshold: 0\n`,
  )
  const service = join(contentDir, 'services', 'ac-repair.md')
  writeFileSync(service, readFileSync(service, 'utf8').replace('---\n', `---\n${pictures('')}`))
  return contentDir
}

// The example, with a page for each place.
function withArchive(t: TestContext): string {
  const contentDir = join(temporaryFolder(t), 'content')
  cpSync(EXAMPLE_CONTENT, contentDir, { recursive: true })
  const file = join(contentDir, 'taxonomies', 'locations.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('archive: false', 'archive: true'))
  return contentDir
}

async function bestOf(url: string, port: number, tell: (text: string) => void): Promise<Scores> {
  let best: Scores | undefined
  for (let run = 0; run < MOST_RUNS; run++) {
    const { scores, text } = await measure(url, port)
    tell(text)
    if (!best || scores.performance > best.performance) best = scores
    if (best.performance >= LEAST.performance) break
  }
  return best as Scores
}

async function measure(url: string, port: number): Promise<{ scores: Scores; text: string }> {
  const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: Object.keys(LEAST) })
  assert.ok(result)
  const { categories, audits } = result.lhr
  const scores = Object.fromEntries(
    Object.keys(LEAST).map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
  ) as Scores
  const figures = FIGURES.map((name) => `${audits[name]?.title} ${audits[name]?.displayValue}`)
  const marks = Object.entries(scores).map(([name, score]) => `${name} ${score}`)
  return { scores, text: [...marks, ...figures].join(', ') }
}
