import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import type { Page } from 'playwright-core'
import { pageFile } from '../../src/publish/page-file.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/database.ts'
import { hasJava, nuErrors } from '../support/nu-validator.ts'
import { startSite } from '../support/running-site.ts'

const PAGES = [
  '/',
  '/services',
  '/services/ac-repair',
  '/services/ac-repair/hyde-park',
  '/forms/quote',
  '/forms/quote/thanks',
  '/about',
  '/contact',
  '/404',
]
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[]
}

// One external module on pages with a form; nothing on any other.
async function assertScripts(page: Page, path: string) {
  const scripts = page.locator('script:not([type="application/ld+json"])')
  const found = await scripts.evaluateAll((all) =>
    all.map((script) => [script.getAttribute('type'), script.getAttribute('src'), script.textContent]),
  )
  const hasForm = (await page.locator('form').count()) > 0
  assert.equal(found.length, hasForm ? 1 : 0, path)
  for (const [type, src, text] of found) {
    assert.deepEqual([type, text], ['module', ''], path)
    assert.match(String(src), /^\/_astro\/[\w.-]+\.js$/, path)
  }
}

test('every page type is valid HTML, accessible in light and dark, and fits narrow and wide screens', async (t) => {
  const dataDir = temporaryFolder(t)
  const site = await startSite(t, { dataDir })

  await t.test('html-validate finds no error', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:standard'],
      // A matter of taste of the template's formatter, not of the page.
      rules: {
        'no-trailing-whitespace': 'off',
        'doctype-style': 'off',
        'void-style': 'off',
        'long-title': 'off',
      },
    })
    for (const path of PAGES) {
      const html = await (await fetch(site.url + path)).text()
      const { results } = await validator.validateString(html)
      const messages = results.flatMap((result) =>
        result.messages.map(({ ruleId, message, line }) => ({ ruleId, message, line })),
      )
      assert.deepEqual(messages, [], path)
    }
  })

  await t.test('the Nu validator finds no error', { skip: !hasJava() && 'there is no Java' }, () => {
    const siteDir = join(dataDir, 'current', 'site')
    const files = [...PAGES, '/410', '/500'].map((path) => join(siteDir, pageFile(path)))
    assert.deepEqual(nuErrors(files), [])
  })

  await t.test(
    'axe finds no violation, nothing is wider than the screen, no script but the form’s and no foreign request',
    async (t) => {
      const browser = await openBrowser(t)
      for (const [width, colorScheme] of [
        [390, 'light'],
        [390, 'dark'],
        [1280, 'light'],
        [1280, 'dark'],
      ] as const) {
        // The page's own policy forbids scripts from elsewhere, the checker's included.
        const options = { colorScheme, viewport: { width, height: 800 }, bypassCSP: true }
        const page = await openPage(t, browser, options)
        const requested: string[] = []
        page.on('request', (request) => requested.push(new URL(request.url()).origin))
        for (const path of PAGES.filter((candidate) => candidate !== '/404')) {
          await page.goto(site.url + path)
          await assertScripts(page, path)
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          assert.ok(overflow <= 0, `${path} is ${overflow} px too wide at ${width}`)
          await page.addScriptTag({ path: AXE })
          const { violations } = (await page.evaluate('axe.run()')) as AxeResults
          const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
          assert.deepEqual(found, [], `${path} at ${width} px, ${colorScheme}`)
        }
        assert.deepEqual([...new Set(requested)], [site.url])
      }
    },
  )
})
