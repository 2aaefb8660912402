import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'node:test'
import { skipWithout } from '../needed-tool.ts'
import { openChromium, openFirefox } from './puppeteer.ts'
import type { BrowserTab } from './tab.ts'
import { openWebKit } from './webkit.ts'

export interface InstalledBrowser {
  name: string
  /** Reason for skipping its tests on this machine, or false. */
  withoutBrowser: string | false
  open(t: TestContext, options?: { reducedMotion?: boolean }): Promise<BrowserTab>
}

const FIREFOX = find('firefox-esr')

/** The three engines that visitors use. Chromium comes with the npm packages, the others from Debian. */
export const BROWSERS: InstalledBrowser[] = [
  { name: 'Chromium', withoutBrowser: false, open: openChromium },
  {
    name: 'Firefox',
    withoutBrowser: missing(['firefox-esr'], Boolean(FIREFOX)),
    open: (t, options) => openFirefox(t, FIREFOX ?? 'firefox-esr', options),
  },
  {
    name: 'WebKitGTK',
    withoutBrowser: missing(['webkit2gtk-driver', 'xvfb'], Boolean(find('WebKitWebDriver') && find('Xvfb'))),
    open: openWebKit,
  },
]

function missing(packages: string[], isThere: boolean): string | false {
  return skipWithout(isThere, `install ${packages.join(' and ')} to run it`)
}

function find(program: string): string | undefined {
  const folders = process.env.PATH?.split(delimiter) ?? []
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}
