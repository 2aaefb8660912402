import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findEntry } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { openBrowser } from '../../support/browser.ts'
import { waitFor } from '../../support/running-site.ts'

async function openEditor(
  t: TestContext,
  site: AdminSite,
  options: Parameters<typeof openAdminPage>[2] = {},
) {
  const page = await openAdminPage(t, site, options)
  page.setDefaultTimeout(10_000)
  await page.goto('/admin/entries/services/1')
  await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor()
  return page
}

// The browser logs an answer of 401, which other pages of tests may not do.
async function openUnwatched(t: TestContext, site: AdminSite): Promise<Page> {
  const context = await (await openBrowser()).newContext({ baseURL: site.url })
  t.after(() => context.close())
  const [name = '', value = ''] = site.cookie.split('=')
  await context.addCookies([{ name, value, url: site.url }])
  return context.newPage()
}

const text = (page: Page) => page.locator('textarea[name=body]')
const preview = (page: Page) => page.frameLocator('iframe[name=preview]')

async function storedBody({ app }: AdminSite): Promise<string | undefined> {
  const type = await findContentType(app.db, 'services')
  return (await findEntry(app.db, type?.id ?? 0, 'ac-repair'))?.body
}

test('the editor of an entry', async (t) => {
  const site = await startAdmin(t)

  await t.test('the toolbar and its keys format a text, which Ctrl+S saves', async (t) => {
    const page = await openEditor(t, site)
    await text(page).fill('cold air')
    await text(page).press('ControlOrMeta+a')
    await page.getByRole('button', { name: 'Bold' }).click()
    assert.equal(await text(page).inputValue(), '**cold air**')
    await text(page).press('ControlOrMeta+b')
    assert.equal(await text(page).inputValue(), 'cold air')
    await page.getByRole('button', { name: 'Subheading' }).click()
    assert.equal(await text(page).inputValue(), '## cold air')
    await checkAccessibility(page)
    await text(page).press('ControlOrMeta+s')
    await page.getByText('“AC repair” saved.').waitFor()
    assert.equal(await storedBody(site), '## cold air')
    // The cursor is where it was.
    await page.locator('[name=body]:focus').waitFor()
  })

  await t.test('the preview scrolls to the part that is edited', async (t) => {
    const page = await openEditor(t, site)
    await text(page).fill(
      `Welcome to our shop.\n\n${'A long text about air.\n\n'.repeat(60)}The **last line** of it.`,
    )
    await page.getByRole('button', { name: 'Add question' }).click()
    await page.getByLabel('Question 1').fill('How soon can you come?')
    const isSeen = (words: string) =>
      preview(page)
        .getByText(words)
        .evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          return bottom > top && top >= 0 && bottom <= (element.ownerDocument.defaultView?.innerHeight ?? 0)
        })
    await waitFor(() => isSeen('How soon can you come?'))
    assert.equal(await isSeen('Welcome to our shop.'), false)
    await page.getByLabel('Answer 1').fill('The same day.')
    // In a question that is closed until then.
    await waitFor(() => isSeen('The same day.'))
    await text(page).focus()
    await text(page).press('ControlOrMeta+Home')
    await page.getByLabel('Title', { exact: true }).focus()
    await text(page).focus()
    await waitFor(() => isSeen('Welcome to our shop.'))
    // A placeholder is no text of the page; the line before it is.
    const long = 'A long text about air.\n\n'.repeat(60)
    await text(page).fill(`Welcome to our shop.\n\n${long}The **last line** of it.\n\n{{service}}`)
    await waitFor(() => isSeen('last line'))
  })

  await t.test('a link is made from a page found by name, and a broken one is named', async (t) => {
    const page = await openEditor(t, site)
    await text(page).fill('our prices')
    await text(page).press('ControlOrMeta+a')
    await text(page).press('ControlOrMeta+k')
    const dialog = page.getByRole('dialog', { name: 'Add link' })
    assert.equal(await dialog.getByLabel('Link text').inputValue(), 'our prices')
    await dialog.getByLabel('Page or address').fill('repair aus')
    await dialog.getByRole('button', { name: /AC repair in Austin/ }).waitFor()
    await checkAccessibility(page)
    // New results keep the focus in the list, here at the same page.
    const earlier = await dialog.getByRole('button', { name: /AC repair in Austin/ }).elementHandle()
    await dialog.getByLabel('Page or address').press('End')
    await page.keyboard.press('t')
    await page.keyboard.press('Tab')
    await waitFor(async () => (await earlier?.evaluate((row) => row.isConnected)) === false)
    await dialog.locator('button:focus', { hasText: 'AC repair in Austin' }).waitFor()
    await dialog.getByRole('button', { name: /AC repair in Austin/ }).click()
    assert.equal(await text(page).inputValue(), '[our prices](/services/ac-repair/austin)')
    await text(page).press('End')
    await text(page).press('ControlOrMeta+k')
    await dialog.getByLabel('Link text').fill('nowhere')
    await dialog.getByLabel('Page or address').fill('/nowhere')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save for next publish' }).click()
    await page.getByText('“AC repair” saved.').waitFor()
    await page.getByText('The link to /nowhere in Text is broken.').waitFor()
    assert.match((await storedBody(site)) ?? '', /\[nowhere\]\(\/nowhere\)/)
    assert.equal(await page.getByText('/services/ac-repair/austin under').count(), 0)

    // The text after a form has the same toolbar and the same check.
    await page.goto('/admin/forms/waitlist/settings')
    const after = page.getByLabel('Text', { exact: false }).and(page.locator('textarea[data-markdown]'))
    await after.fill('thanks')
    await after.press('ControlOrMeta+a')
    await page.getByRole('button', { name: 'Bold' }).click()
    assert.equal(await after.inputValue(), '**thanks**')
    await after.fill('Go [back](/nowhere)')
    await checkAccessibility(page)
    await after.press('ControlOrMeta+s')
    await page.getByText('The link to /nowhere in Text is broken.').waitFor()
  })

  await t.test('Ctrl+S in a row saves it and keeps the focus there', async (t) => {
    const page = await openEditor(t, site)
    const add = page.getByRole('button', { name: 'Add step' })
    const save = async () => {
      await page.keyboard.press('ControlOrMeta+s')
      await page.waitForURL('**/admin/entries/services/1')
      await page.getByText('“AC repair” saved.').waitFor()
    }
    const focus = () =>
      page.evaluate(() => [document.activeElement?.getAttribute('name'), document.activeElement?.textContent])
    await add.click()
    await add.click()
    // The first step stays empty, so that the second one becomes the first.
    await page.getByLabel('Title 2').fill('We look')
    await page.getByLabel('Text 2').fill('From the ladder.')
    await save()
    assert.deepEqual(await focus(), ['steps.0.text', 'From the ladder.'])
    await page.getByRole('button', { name: 'Remove this step' }).focus()
    await save()
    assert.deepEqual(await focus(), [null, '✕'])
    await add.click()
    await save()
    assert.deepEqual(await focus(), [null, 'Add step'])
    await page.getByRole('button', { name: 'Remove this step' }).click()
    await save()
    assert.deepEqual(await focus(), [null, 'Add step'])
  })

  await t.test('Ctrl+S in a row of the home page keeps the focus there', async (t) => {
    const page = await openAdminPage(t, site)
    await page.goto('/admin/home')
    const rows = page.getByRole('group', { name: 'Steps' })
    for (const step of [1, 2]) {
      await rows.getByRole('button', { name: 'Add step' }).click()
      await rows.getByLabel(`Title, step ${step}`).fill(`Step ${step}`)
      await rows.getByLabel(`Text, step ${step}`).fill('By hand.')
    }
    await page.keyboard.press('ControlOrMeta+s')
    await page.locator('[data-flash=success]').waitFor()
    const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    assert.equal(await label(), 'Text, step 2')
  })

  await t.test('every button that saves returns to the same place of the form', async (t) => {
    const page = await openEditor(t, site)
    for (const name of ['Save as draft', 'Save for next publish']) {
      const field = page.getByLabel('Duration')
      await field.fill(`After ${name}`)
      const top = async () => (await field.boundingBox())?.y ?? -1
      const before = await top()
      await page.getByRole('button', { name, exact: true }).click()
      await page.locator('[data-flash=success]').waitFor()
      await waitFor(async () => Math.abs((await top()) - before) < 20)
      assert.ok(((await page.locator('[data-flash=success]').boundingBox())?.y ?? -1) >= 0)
    }
  })

  await t.test('the preview beside the text follows it and keeps its place', async (t) => {
    const page = await openEditor(t, site)
    const paragraphs = Array.from({ length: 40 }, (_, index) => `Paragraph ${index + 1}`)
    await text(page).fill(paragraphs.join('\n\n'))
    await preview(page).getByText('Paragraph 40').waitFor()
    const frame = page.frames()[1]
    const place = await preview(page)
      .getByText('Paragraph 20')
      .evaluate((edited) => {
        const top = edited.getBoundingClientRect().top + scrollY - 40
        scrollTo({ top, behavior: 'instant' })
        return scrollY
      })
    const before = await frame?.evaluateHandle(() => document.querySelector('h1'))
    await text(page).evaluate((area: HTMLTextAreaElement) => {
      const end = area.value.indexOf('Paragraph 20') + 'Paragraph 20'.length
      area.setSelectionRange(end, end)
    })
    await page.keyboard.type(' and one more word')
    await preview(page).getByText('Paragraph 20 and one more word').waitFor()
    assert.equal(await frame?.evaluate(() => scrollY), place)
    const isSame = await frame?.evaluate((h1) => h1 === document.querySelector('h1'), before)
    assert.equal(isSame, true, 'what did not change is not drawn again')
    const boxes = await Promise.all(
      [text(page), page.locator('iframe[name=preview]')].map((one) => one.boundingBox()),
    )
    assert.ok((boxes[1]?.x ?? 0) > (boxes[0]?.x ?? 0) + (boxes[0]?.width ?? 0), 'it is beside the text')
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('')
    await page.getByText('Enter a title and an address').waitFor()
  })

  await t.test('on a phone a button opens the preview', async (t) => {
    const page = await openEditor(t, site, { width: 390, colorScheme: 'dark' })
    assert.equal(await page.locator('iframe[name=preview]').isVisible(), false)
    await text(page).fill('On the phone')
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await preview(page).getByText('On the phone').waitFor()
    assert.equal(await text(page).isVisible(), false)
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    assert.equal(await text(page).inputValue(), 'On the phone')
  })

  await t.test('unsaved text, with its rows, is restored after the tab was closed', async (t) => {
    const page = await openEditor(t, site)
    await page.getByRole('button', { name: 'Add step' }).click()
    await page.getByLabel('Title 1').fill('We look')
    await page.getByLabel('Text 1').fill('From the ladder.')
    await text(page).fill('Not saved yet')
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('Not saved yet'))
    const other = await page.context().newPage()
    await page.close({ runBeforeUnload: false })
    await other.goto('/admin/entries/services/1')
    await other.getByText(/You have unsaved text from \d/).waitFor()
    assert.notEqual(await text(other).inputValue(), 'Not saved yet')
    await checkAccessibility(other)
    await other.getByRole('button', { name: /Restore text from/ }).click()
    await other.waitForFunction(() => document.body.dataset.posted === 'true')
    assert.equal(await text(other).inputValue(), 'Not saved yet')
    assert.equal(await other.getByLabel('Title 1').inputValue(), 'We look')
    await other.getByRole('button', { name: 'Save for next publish' }).click()
    await other.getByText('“AC repair” saved.').waitFor()
    assert.equal(await storedBody(site), 'Not saved yet')
    await other.reload()
    await text(other).waitFor()
    assert.equal(await other.getByText(/You have unsaved text/).isVisible(), false)
  })

  await t.test('text sent without a session is offered again until discarded', async (t) => {
    const page = await openUnwatched(t, site)
    await page.goto('/admin/entries/services/1')
    await text(page).fill('Sent too late')
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save for next publish' }).click()
    await page.getByRole('heading', { name: /signed out|session/i }).waitFor()
    await page.context().addCookies(cookies)
    await page.goto('/admin/entries/services/1')
    await page.getByText(/You have unsaved text from/).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.reload()
    await text(page).waitFor()
    assert.equal(await page.getByText(/You have unsaved text/).isVisible(), false)
    assert.notEqual(await storedBody(site), 'Sent too late')
  })

  await t.test(
    'text typed before another user’s save shows a warning and doesn’t replace theirs',
    async (t) => {
      const page = await openEditor(t, site)
      await text(page).fill('Mine')
      await page.waitForFunction(() => JSON.stringify(localStorage).includes('Mine'))
      const context = page.context()
      await page.close()
      const other = await openEditor(t, site)
      await text(other).fill('Theirs')
      await text(other).press('ControlOrMeta+s')
      await other.getByText('saved.').waitFor()
      const again = await context.newPage()
      again.on('dialog', (dialog) => dialog.accept())
      await again.goto('/admin/entries/services/1')
      await again.getByText('The page has been saved since then.').waitFor()
      await again.getByRole('button', { name: /Restore text from/ }).click()
      await again.waitForFunction(() => document.body.dataset.posted === 'true')
      await again.getByRole('button', { name: 'Save for next publish' }).click()
      await again.getByText(/Someone else saved/).waitFor()
      assert.equal(await storedBody(site), 'Theirs')
    },
  )

  for (const width of [390, 1280])
    await t.test(
      `a menu leads to the sections and the versions, without a script, at ${width} px`,
      async (t) => {
        const page = await openEditor(t, site, { width, javaScriptEnabled: false })
        const menu = page.getByRole('navigation', { name: 'Sections of this page' })
        const link = menu.getByRole('link', { name: 'Steps' })
        assert.equal(await link.isVisible(), width > 390)
        if (width === 390) await menu.getByText('Jump to').click()
        await link.click()
        const tops = await Promise.all(
          [page.getByRole('group', { name: /^Steps/ }), width === 390 ? page.locator('header') : menu].map(
            (part) => part.boundingBox(),
          ),
        )
        assert.ok((tops[0]?.y ?? 0) >= (tops[1]?.y ?? 0) + (tops[1]?.height ?? 0), JSON.stringify(tops))
        await menu.getByRole('link', { name: 'Versions' }).click()
        await page.getByRole('heading', { name: 'Versions' }).waitFor()
      },
    )

  for (const width of [390, 1280])
    await t.test(
      `without a script the text is a plain field, and a button shows the preview, at ${width} px`,
      async (t) => {
        const page = await openEditor(t, site, { width, javaScriptEnabled: false })
        assert.equal(await page.getByRole('toolbar').isVisible(), false)
        await text(page).fill(`Plain ${width}`)
        await page.getByRole('button', { name: 'Preview', exact: true }).click()
        await preview(page).getByText(`Plain ${width}`).waitFor()
        await page.getByRole('button', { name: 'Save for next publish' }).click()
        await page.getByText('“AC repair” saved.').waitFor()
        assert.equal(await storedBody(site), `Plain ${width}`)
      },
    )
})
