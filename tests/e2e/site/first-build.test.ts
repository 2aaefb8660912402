import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ensureBundle } from '#src/publish/render/bundle.ts'
import { createStaticSite } from '#src/server/http/static-site.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { atEnd } from '../../support/at-end.ts'
import { openBrowser } from '../../support/browser.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

test('contract §1 during the first build a visitor sees a waiting page, then the site', async (t) => {
  const { dataDir, publish } = await aPublishedSite(t)
  const { clientDir } = await ensureBundle(PROJECT_DIR)
  const site = createStaticSite({ dataDir, log: { error: assert.ifError }, clientDir })
  const server = createServer((request, response) => void site.serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/ac-repair/austin`

  const answer = await fetch(url)
  assert.deepEqual(
    [answer.status, answer.headers.get('refresh'), answer.headers.get('retry-after')],
    [503, '2', '2'],
  )
  assert.match(
    String(answer.headers.get('content-security-policy')),
    /^default-src 'none'; style-src 'sha256-/,
  )
  const head = await fetch(url, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [503, ''])

  const browser = await openBrowser()
  const context = await browser.newContext({ isMobile: true, viewport: { width: 390, height: 800 } })
  t.after(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('heading', { name: 'Building the site' }).waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.clientWidth), 390)
  const grounds: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await checkAccessibility(page)
    grounds.push(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor))
  }
  assert.deepEqual(grounds, ['rgb(255, 255, 255)', 'rgb(16, 20, 24)'])
  await publish()
  await page.getByRole('heading', { name: 'AC repair in Austin' }).waitFor()
})
