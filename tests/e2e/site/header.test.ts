import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { parse, stringify } from 'yaml'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { publishSite } from '#src/publish/publish-site.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { startFront } from '../../support/front.ts'
import { aPartOfTheExample } from '../../support/part-of-example.ts'
import { PROJECT_DIR, waitFor } from '../../support/running-site.ts'

const WIDTHS = [320, 390, 768, 1024, 1280]
const LONG_NAME = 'Llanfairpwllgwyngyll Plumbing, Heating and Bathrooms since 1998'
const LONG_PHONE = '+44 20 7946 0958 ext. 1234'
const LOGOS = { 'wordmark.png': [400, 120], 'banner.png': [1200, 90], 'square.png': [300, 300] } as const

const MANY_LINKS = ['Services', 'About', 'Contact', 'Financing', 'Warranty', 'Privacy', 'Our people'].map(
  (label) => ({ label, path: '/about' }),
)

interface Look {
  name: string
  logo?: keyof typeof LOGOS
  logo_dark?: keyof typeof LOGOS
  logo_shows_name?: boolean
  phone?: string
  navigation?: typeof MANY_LINKS
  /** What of the name can be seen. */
  shown: string
}

const LOOKS: [string, Look][] = [
  [
    'a wordmark and a name of three words',
    aLook('Shannon Plumbing Heating', { logo: 'wordmark.png', shown: '' }),
  ],
  [
    'a very wide logo and a long phone number',
    aLook('Shannon', { logo: 'banner.png', phone: LONG_PHONE, shown: '' }),
  ],
  ['a square logo and a long name', aLook(LONG_NAME, { logo: 'square.png' })],
  [
    'a wide logo beside a long name',
    aLook(LONG_NAME, { logo: 'wordmark.png', logo_dark: 'square.png', logo_shows_name: false }),
  ],
  ['a long name and a long phone number', aLook(LONG_NAME, { phone: LONG_PHONE })],
  ['many links', aLook('Shannon Plumbing Heating', { navigation: MANY_LINKS })],
  ['a name in one long word', aLook('Donaudampfschifffahrtsgesellschaftskapitän')],
]

function aLook(name: string, look: Partial<Look> = {}): Look {
  return { name, shown: name, ...look }
}

test('the header fits every logo, name, and phone number', async (t) => {
  const contentDir = aPartOfTheExample(t)
  const settings = parse(readFileSync(join(contentDir, 'site.yaml'), 'utf8'))
  const pictures = join(contentDir, 'pictures')
  mkdirSync(pictures, { recursive: true })
  for (const [file, [width, height]] of Object.entries(LOGOS)) {
    const image = sharp({ create: { width, height, channels: 3, background: '#2f42a5' } })
    writeFileSync(join(pictures, file), await image.png().toBuffer())
  }
  const { app, url } = await startFront(t)
  const page = await openPage(t, await openBrowser(), {})

  const liveRelease = async () => (await (await fetch(`${url}/health`)).json()).release

  async function publish({ shown: _, ...look }: Look) {
    const before = await liveRelease()
    writeFileSync(join(contentDir, 'site.yaml'), stringify({ ...settings, ...look }))
    const result = await syncContent(app.db, {
      ...{
        contentDir,
        pictureFiles: openPictureFiles(app.config.dataDir),
        environment: {},
        secretBox: app.secretBox,
        now: new Date(),
        prefer: 'file',
      },
    })
    assert.equal(result.kind, 'synced', JSON.stringify(result))
    const { dataDir, siteUrl } = app.config
    const now = () => new Date()
    await publishSite(app.db, { projectDir: PROJECT_DIR, dataDir, siteUrl, now, progress: silentProgress })
    await waitFor(async () => (await liveRelease()) !== before)
  }

  for (const [described, look] of LOOKS) {
    await t.test(described, async () => {
      await publish(look)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(url)
        assert.deepEqual(await page.evaluate(faultsOfHeader), [], `at ${width} px`)
        await checkBrand(page, look)
        await page.getByRole('button', { name: /^(Menu|Services)$/ }).click()
        await page.getByRole('link', { name: 'All services and areas' }).waitFor()
      }
    })
  }
})

// What a visitor hears and sees of the name.
async function checkBrand(page: Page, { name, shown }: Look) {
  const brand = page.locator('header').getByRole('link', { name, exact: true })
  const text = await brand.evaluate((link) =>
    [...link.childNodes]
      .filter((part) => !(part instanceof Element && part.ariaHidden === 'true'))
      .map(({ textContent }) => textContent?.trim())
      .join(''),
  )
  assert.equal(text, shown)
}

// Runs in the page.
function faultsOfHeader(): string[] {
  const nameOf = (part: Element) => part.className || part.textContent?.trim() || part.tagName
  const parts = [
    ...document.querySelectorAll('header :is(.sp-brand, .sp-menu-button, .sp-links a, .sp-call)'),
  ]
  const shown = parts.filter((part) => part.getClientRects().length > 0)
  const isOver = (one: DOMRect, two: DOMRect) =>
    one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom
  const covering = shown.flatMap((part, index) =>
    shown
      .slice(index + 1)
      .filter((other) => isOver(part.getBoundingClientRect(), other.getBoundingClientRect()))
      .map((other) => `${nameOf(part)} covers ${nameOf(other)}`),
  )
  const outside = shown.filter((part) => part.getBoundingClientRect().right > innerWidth)
  const cutOff = shown.filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
  const { scrollWidth } = document.documentElement
  return [
    ...(scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide`] : []),
    ...outside.map((part) => `${nameOf(part)} leaves the window`),
    ...cutOff.map((part) => `${nameOf(part)} is cut off`),
    ...covering,
  ]
}
