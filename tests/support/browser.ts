import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { withFileLock } from '#src/db/file-lock.ts'
import { atEnd } from './at-end.ts'

// Not the package's own list, which turns off web security, one of the things these tests check.
export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--font-render-hinting=none',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Fewer processes and threads per page: a quarter of the processor time of browser tests.
  '--in-process-gpu',
  '--disable-gpu',
  '--disable-site-isolation-trials',
  '--disable-threaded-animation',
  '--disable-partial-raster',
  '--num-raster-threads=1',
]

const MOST_LAUNCHES = 5

let shared: Promise<Browser> | undefined

/**
 * The Chromium of this test file; tests close whatever they open in it. It comes with the npm package, so nothing
 * has to be installed.
 */
export function openBrowser(): Promise<Browser> {
  shared ??= launch([])
  return shared
}

after(async () => (await shared)?.close())

/** Starts a Chromium with extra arguments, which closes when the test ends. */
export async function launchBrowser(t: TestContext, more: readonly string[]): Promise<Browser> {
  const browser = await launch(more)
  atEnd(t, () => browser.close())
  return browser
}

async function launch(more: readonly string[]): Promise<Browser> {
  // Imported lazily: most files that import this one open no browser, and loading it takes a third of a second.
  const { chromium } = await import('playwright-core')
  const options = {
    ...(await findChromium()),
    args: [...CHROMIUM_ARGUMENTS, ...more],
    headless: true,
  }
  // On a busy machine Chromium itself now and then crashes while it starts, even twice in a row.
  for (let left = MOST_LAUNCHES - 1; left > 0; left--) {
    try {
      return await chromium.launch(options)
    } catch {
      await setTimeout(1000)
    }
  }
  return chromium.launch(options)
}

/** Path of Chromium, and the environment that its process needs. */
export function findChromium() {
  // The package unpacks itself on first use, and test files run in parallel.
  return withFileLock(join(tmpdir(), 'signpost-test-chromium.lock'), unpackChromium)
}

// The package also contains the few libraries that a bare Linux lacks (NSS, Expat), used only there.
async function unpackChromium() {
  const { default: chromium, inflate } = await import('@sparticuz/chromium')
  const executablePath = await chromium.executablePath()
  const { stdout } = spawnSync('ldd', [executablePath], { encoding: 'utf8' })
  if (!stdout?.includes('not found')) return { executablePath, env: process.env }
  const packageFolder = dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium')))
  const libraries = await inflate(join(packageFolder, '..', 'bin', 'al2023.tar.br'))
  return { executablePath, env: { ...process.env, LD_LIBRARY_PATH: join(libraries, 'lib') } }
}

/** Opens a page that fails the test if anything on it throws or logs an error. */
export async function openPage(
  t: TestContext,
  browser: Browser,
  options: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    // A form with errors is answered with 422, which the browser logs like a missing file.
    if (message.type() === 'error' && !message.text().includes('status of 422')) errors.push(message.text())
  })
  atEnd(t, async () => {
    await context.close()
    if (errors.length > 0) throw new Error(`The page logged errors:\n${errors.join('\n')}`)
  })
  return page
}
