import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { openTestDatabase } from '../../support/database.ts'
import { everyMail, HOSTILE } from '../../support/every-mail.ts'

const LOOKS = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'light', width: 800 },
  { colorScheme: 'dark', width: 800 },
] as const

// The surface of the theme, and that of emails from Signpost itself.
const GROUNDS = {
  site: { light: 'rgb(240, 243, 252)', dark: 'rgb(25, 31, 60)' },
  plain: { light: 'rgb(243, 244, 246)', dark: 'rgb(17, 20, 24)' },
}

/** One of each kind, and how its ground looks. All others have the same frame. */
const LOOKED_AT = {
  lead: GROUNDS.site,
  reply: GROUNDS.site,
  report: GROUNDS.plain,
  invitation: GROUNDS.plain,
  previewChanges: GROUNDS.plain,
}

test('emails fit phones and desktops, light and dark, and show visitors’ markup as text', async (t) => {
  const page = await openPage(t, await openBrowser(), {})
  const mails = await everyMail(await openTestDatabase(t))
  for (const [name, grounds] of Object.entries(LOOKED_AT)) {
    await page.setContent(mails[name]?.html ?? '')
    for (const { colorScheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 700 })
      const { overflow, ground } = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - innerWidth,
        ground: getComputedStyle(document.body).backgroundColor,
      }))
      assert.ok(overflow <= 0, `${name} is ${overflow} px too wide at ${width}`)
      assert.equal(ground, grounds[colorScheme], name)
      await checkAccessibility(page, ['color-contrast', 'link-in-text-block'])
    }
  }
  for (const name of ['previewChanges', 'lead']) {
    await page.setContent(mails[name]?.html ?? '')
    assert.equal(await page.locator('img, b').count(), 0)
    await page.getByText(HOSTILE).waitFor()
  }
})
