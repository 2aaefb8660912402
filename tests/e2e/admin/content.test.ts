import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findEntry } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openAdminPage, startAdmin } from '../../support/admin.ts'
import { waitFor } from '../../support/running-site.ts'
import { addPlaces } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000
const LOCATIONS = '/admin/taxonomies/locations'

test('entries and settings are edited and published', async (t) => {
  const site = await startAdmin(t, { prepare: (app) => addPlaces(app.db, 'canada/ontario/toronto') })
  const page = await openAdminPage(t, site)
  const { db } = site.app

  await t.test(
    'a person writes a service, offers it in a branch, overrides one place and sees both before they are public',
    async () => {
      await page.goto('/admin/entries')
      await checkAccessibility(page)
      await page.getByRole('link', { name: 'Add service' }).click()
      await page.getByLabel('Title', { exact: true }).fill('Roof repair')
      await page.getByLabel('Summary').fill('Dry again.')
      await page.getByRole('button', { name: 'Add step' }).click()
      await page.getByLabel('Title 1').fill('We look')
      await page.getByLabel('Text 1').fill('From the ladder.')
      await page.locator('[name=body]').fill('## Slates\n\nWe **nail** them.')
      await checkAccessibility(page)
      const preview = page.frameLocator('iframe[name=preview]')
      await preview.getByRole('heading', { name: 'Slates' }).waitFor()
      await page.getByLabel('Title', { exact: true }).fill('Roof repairs')
      await preview.getByRole('heading', { name: 'Roof repairs' }).waitFor()
      await page.getByLabel('Title', { exact: true }).fill('Roof repair')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('“Roof repair” saved.').waitFor()
      await checkAccessibility(page)

      await page.goto('/admin/coverage?branch=ontario')
      await page.getByText('Offer or remove services in bulk').click()
      await page.getByRole('checkbox', { name: 'Roof repair' }).check()
      await checkAccessibility(page)
      await page.getByRole('button', { name: 'Preview changes' }).click()
      await page.getByText('2 pages to add:').waitFor()
      await checkAccessibility(page)
      await page.getByRole('button', { name: 'Offer Roof repair in all of Ontario' }).click()
      await page.getByText('2 pages added').waitFor()
      await page.getByRole('link', { name: 'Roof repair in Toronto: offered' }).click()

      await page.getByText('This page has no text of its own yet, so it shows the service’s text.').waitFor()
      await page.getByRole('button', { name: 'Copy the service’s text' }).click()
      assert.equal(await page.locator('[name=body]').inputValue(), '## Slates\n\nWe **nail** them.')
      await page.getByText('Your text replaces the service’s text on this page.').waitFor()
      await page.locator('[name=body]').fill('')
      await page.getByText('This page has no text of its own yet, so it shows the service’s text.').waitFor()
      await page.getByRole('button', { name: 'Add text for this place' }).click()
      await page.getByText('The service’s text will replace {{service}}').waitFor()
      await page.locator('[name=body]').fill('Only mine.')
      await page.getByText('Your text replaces the service’s text on this page.').waitFor()
      await page.locator('[name=body]').fill('Ladders of Toronto.\n\n{{service}}')
      await page.getByText('The service’s text will replace {{service}}').waitFor()
      await preview.getByText('Ladders of Toronto.').waitFor()
      await preview.getByRole('heading', { name: 'Slates' }).waitFor()
      await checkAccessibility(page)
      await page.locator('[name=body]').fill('')
      await checkAccessibility(page)
      await page.getByLabel('Phone').fill('(416) 555-0100')
      await page.getByRole('textbox', { name: 'Heading' }).fill('Roofs of Toronto')
      await preview.getByRole('heading', { name: 'Roofs of Toronto' }).waitFor()
      await page.getByRole('button', { name: 'Save for next publish' }).click()
      await page.getByText('custom content', { exact: true }).waitFor()
      await page.goto('/admin/coverage?branch=ontario')
      await page.getByRole('link', { name: 'Roof repair in Toronto: custom content' }).waitFor()

      const type = await findContentType(db, 'location_services')
      const entry = await findEntry(db, type?.id ?? 0, 'roof-repair/toronto')
      assert.equal(entry?.data.phone, '(416) 555-0100')
      const service = await findEntry(db, (await findContentType(db, 'services'))?.id ?? 0, 'roof-repair')
      assert.deepEqual(service?.data.steps, [{ title: 'We look', text: 'From the ladder.' }])
      assert.deepEqual(service?.data.offered_in, ['ontario/**'])
    },
  )

  await t.test('an edited setting is published with one button and reverted', async () => {
    const services = async () => (await fetch(`${site.url}/services`)).text()
    const siteName = async () => (await services()).match(/<title>([^<]*)/)?.[1]
    assert.match(await services(), /class="sp-top /)
    await page.goto('/admin/settings')
    await page.getByLabel('Name', { exact: true }).first().fill('Bluebonnet Home Services')
    const navigation = page.getByRole('group', { name: 'Navigation' })
    for (const [label, path] of [
      ['Services', '/services'],
      ['Start', '/'],
    ] as const) {
      await navigation.getByRole('button', { name: 'Add link' }).click()
      await page.keyboard.type(label)
      await page.keyboard.press('Tab')
      await page.keyboard.type(path)
    }
    await navigation.getByRole('button', { name: 'Move this link up' }).last().click()
    await checkAccessibility(page)
    await page.getByRole('radio', { name: 'Quiet' }).check()
    await page.getByRole('button', { name: 'Save for next publish' }).click()
    await page.getByText('Settings saved. Publish to show the changes to visitors.').waitFor()
    assert.equal(await navigation.getByLabel('Text, link 1').inputValue(), 'Start')
    assert.doesNotMatch((await siteName()) ?? '', /Bluebonnet/)

    await page.getByRole('link', { name: 'Publish' }).first().click()
    await page.getByText(/^Updates up to \d+ pages$/).waitFor({ timeout: PATIENCE_MS })
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('heading', { name: 'Publishing' }).waitFor()
    await checkAccessibility(page)
    await page.getByText('Everything is published').waitFor({ timeout: PATIENCE_MS })
    await waitFor(async () => (await siteName())?.includes('Bluebonnet'), PATIENCE_MS)
    assert.match(await services(), /class="shell sp-opening /, 'the look that was chosen')

    await page.getByRole('link', { name: 'Roll back to this release' }).click()
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Roll back site' }).click()
    await page.getByText('The site was rolled back to an earlier release').waitFor()
    await waitFor(async () => !(await siteName())?.includes('Bluebonnet'), PATIENCE_MS)
  })

  await t.test(
    'without scripts, on a small dark screen, an override is published, a visitor sees it, and it is reset',
    async (t) => {
      const plain = await openAdminPage(t, site, {
        width: 390,
        colorScheme: 'dark',
        javaScriptEnabled: false,
      })
      await plain.goto('/admin/entries/location_services?q=austin')
      await plain.getByRole('link', { name: 'AC repair in Austin', exact: true }).click()
      await plain.getByLabel('City').fill('ATX')
      await plain.getByRole('textbox', { name: 'Heading' }).fill('Cool homes in Austin')
      await plain.getByRole('button', { name: 'Save for next publish' }).click()
      await plain.getByText('custom content', { exact: true }).waitFor()
      const override = plain.url()
      await plain.getByRole('button', { name: 'Preview', exact: true }).click()
      await plain.frameLocator('iframe[name=preview]').getByText('ATX').first().waitFor()

      await plain.goto('/admin/publish')
      await plain.getByText(/pages? will change/).waitFor({ timeout: PATIENCE_MS })
      await plain.getByRole('button', { name: 'Publish now' }).click()
      await plain.getByText('Visitors see the current site').waitFor()
      await plain.getByText('live now').waitFor({ timeout: PATIENCE_MS })
      await plain.getByText('Everything is published').waitFor({ timeout: PATIENCE_MS })
      await plain.goto('/services/ac-repair/austin')
      await plain.getByRole('heading', { name: 'Cool homes in Austin' }).waitFor()

      await plain.goto(override)
      await plain.getByRole('button', { name: 'Reset to default' }).first().click()
      assert.equal(await plain.getByLabel('City').inputValue(), '')
      await plain.getByRole('link', { name: 'Reset to service text' }).click()
      await plain.getByRole('button', { name: 'Reset to service text' }).click()
      await plain.getByText('same as the service', { exact: true }).waitFor()
      await plain.goto('/admin/coverage')
      await plain.getByRole('link', { name: 'Usa', exact: true }).click()
      await plain.getByRole('link', { name: /Texas: .*, 1 missing from search/ }).waitFor()
    },
  )

  await t.test(
    'the dashboard and the content types have nothing that axe finds, empty and filled',
    async () => {
      await page.setViewportSize({ width: 390, height: 900 })
      await page.goto('/admin')
      await page.getByText('No leads in the last 30 days.').waitFor()
      await checkAccessibility(page)
      const submitted_at = new Date().toISOString()
      await db.insertInto('form_submissions').values({ form_id: 1, submitted_at }).execute()
      await page.reload()
      await page.getByText('1 lead in the last 30 days, 1 today, excluding spam.').waitFor()
      await page.getByText('Show as table').first().click()
      await checkAccessibility(page)
      for (const path of [
        '/admin/content-types',
        '/admin/content-types/new',
        '/admin/content-types/services',
      ]) {
        await page.goto(path)
        await checkAccessibility(page)
      }
    },
  )
})

// The tree as it is shown: every term with how deep it stands.
function shownTree(page: Page) {
  return page.locator('[data-term]').evaluateAll((terms) =>
    terms.map((term) => {
      const depth = term.closest('form')?.querySelectorAll(':scope [data-parent]') ?? []
      const above = [...depth].filter((list) => list.contains(term)).length - 1
      return `${'-'.repeat(above)}${term.querySelector('a')?.textContent?.trim()}`
    }),
  )
}

test('the coverage keeps its header in view and finds a place', async (t) => {
  const lines = Array.from({ length: 30 }, (_, index) => `canada/town-${index}`)
  const site = await startAdmin(t, { prepare: (app) => addPlaces(app.db, ...lines) })
  const page = await openAdminPage(t, site)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/admin/coverage?branch=canada')
  await page.getByRole('rowheader', { name: 'Town 29' }).scrollIntoViewIfNeeded()
  const [header, matrix] = [
    page.getByRole('columnheader'),
    page.getByRole('region', { name: 'Services and' }),
  ]
  const top = await matrix.evaluate((element) => element.getBoundingClientRect().top)
  for (const cell of await header.all()) {
    const shown = await cell.evaluate((element) => element.getBoundingClientRect().top)
    assert.ok(shown >= 0 && Math.abs(shown - top) <= 2, `${shown} instead of ${top}`)
  }
  await page.getByRole('searchbox', { name: 'Find a place' }).fill('town 17')
  await page.keyboard.press('Enter')
  await page.getByRole('rowheader', { name: 'Town 17' }).waitFor()
  assert.equal(await page.getByRole('rowheader').count(), 1)
  await checkAccessibility(page)
})

test('terms', async (t) => {
  const site = await startAdmin(t)

  await t.test(
    'without JavaScript everything is there: moves, another slug with its warning, and a deletion with its list',
    async (t) => {
      const page = await openAdminPage(t, site, { javaScriptEnabled: false, width: 390 })
      await page.goto(LOCATIONS)
      assert.deepEqual(await shownTree(page), ['Usa', '-Texas', '--Austin'])
      await page.getByRole('button', { name: 'Move Austin out one level' }).click()
      assert.deepEqual(await shownTree(page), ['Usa', '-Texas', '-Austin'])
      await page.getByRole('link', { name: 'Austin', exact: true }).click()
      await page.getByLabel('Page address', { exact: true }).fill('austin-tx')
      await page.getByRole('button', { name: 'Save place' }).click()
      await page.getByLabel('Change page addresses').check()
      await page.getByRole('button', { name: 'Save place' }).click()
      await page.getByText('Austin saved.').waitFor()
      await page.getByRole('link', { name: 'Delete' }).click()
      await page.getByText('1 local page').waitFor()
      await page.getByRole('button', { name: 'Delete Austin' }).click()
      await page.getByText('Austin deleted.').waitFor()
      assert.deepEqual(await shownTree(page), ['Usa', '-Texas'])
    },
  )

  await t.test('a user pastes a list of places, drags one, and moves one by keyboard', async (t) => {
    const page = await openAdminPage(t, site)
    await page.goto(`${LOCATIONS}/terms/new`)
    await page.getByLabel('Names').fill('Kansas\n  Wichita\n  Topeka')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { name: /to add$/ }).waitFor()
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Add places' }).click()
    await page.getByText('added.').waitFor()
    await checkAccessibility(page)

    // Dropped below another term it stays there.
    const topeka = page.locator('[data-term]', { hasText: /^\s*⠿\s*Topeka/ })
    const handle = topeka.locator('[data-handle]').first()
    await handle.waitFor()
    const from = await handle.boundingBox()
    const to = await page.locator('[data-term] [data-handle]').first().boundingBox()
    assert.ok(from && to)
    await page.mouse.move(from.x + 4, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(to.x + 8, to.y + 14, { steps: 12 })
    await page.mouse.move(to.x + 8, to.y + 4, { steps: 6 })
    await Promise.all([page.waitForNavigation(), page.mouse.up()])
    await page.getByText('Topeka moved.').waitFor()
    assert.ok(!(await shownTree(page)).includes('-Topeka'), 'it left Kansas')

    // Step by step, the button keeping the focus.
    const countries = async () => (await shownTree(page)).filter((line) => !line.startsWith('-'))
    const before = await countries()
    await page.getByRole('button', { name: 'Move Kansas up' }).focus()
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await page.getByText('Kansas moved.').waitFor()
    assert.notDeepEqual(await countries(), before)
    await page.locator('[aria-label="Move Kansas up"]:focus').waitFor()
  })
})
