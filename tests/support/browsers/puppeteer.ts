import type { TestContext } from 'node:test'
import type { ElementHandle, LaunchOptions, Page } from 'puppeteer-core'
import { atEnd } from '../at-end.ts'
import { CHROMIUM_ARGUMENTS, findChromium } from '../browser.ts'
import { type BrowserTab, scrollTo, WINDOW_HEIGHT, waitForFonts } from './tab.ts'

/** Chromium from the npm package, over the DevTools protocol. */
export async function openChromium(t: TestContext, { reducedMotion = false } = {}): Promise<BrowserTab> {
  const motion = reducedMotion ? ['--force-prefers-reduced-motion'] : []
  return launch(t, { ...(await findChromium()), browser: 'chrome', args: [...CHROMIUM_ARGUMENTS, ...motion] })
}

/** The Firefox of this machine, over WebDriver BiDi. */
export function openFirefox(t: TestContext, executablePath: string, { reducedMotion = false } = {}) {
  return launch(t, {
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: { 'ui.prefersReducedMotion': Number(reducedMotion) },
  })
}

// The other tests use Playwright with Chromium. Playwright can't drive an unpatched Firefox older than itself: it
// sends `emulation.setMediaFeaturesOverride`, which Firefox 153 doesn't know.
async function launch(t: TestContext, options: LaunchOptions): Promise<BrowserTab> {
  const { launch: start } = await import('puppeteer-core')
  const browser = await start({ ...options, headless: true })
  atEnd(t, () => browser.close())
  // A new tab, because in Firefox the initial one is never in front and receives no keys.
  return tabOf(await browser.newPage())
}

function tabOf(page: Page): BrowserTab {
  return {
    async open(url) {
      await page.goto(url)
      await page.evaluate(waitForFonts)
    },
    setWidth: (width) => page.setViewport({ width, height: WINDOW_HEIGHT }),
    run: (code, argument) => page.evaluate(code as never, argument) as never,
    async click(selector) {
      await page.$eval(selector, scrollTo)
      await page.locator(selector).click()
    },
    type: (selector, text) => page.type(selector, text),
    press: (key) => page.keyboard.press(key),
    write: (text) => page.keyboard.type(text),
    async choose(selector, file) {
      const input = (await page.$(selector)) as ElementHandle<HTMLInputElement> | null
      await input?.uploadFile(file)
    },
  }
}
