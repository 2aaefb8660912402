import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from '../../support/accessibility.ts'
import { ADMINISTRATOR, openAdminPage, startAdmin } from '../../support/admin.ts'
import { adminPages } from '../../support/admin-routes.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { startFront } from '../../support/front.ts'
import { isSoak, printFigure } from '../../support/soak.ts'
import { storeMarkup } from '../../support/stored-markup.ts'

const OWN_SCREENS = [
  ...['/admin/inbox', '/admin/inbox?status=spam', '/admin/inbox?location=nothing', '/admin/inbox/1'],
  ...['/admin/users', '/admin/users/new', '/admin/users/sessions/removal'],
  ...['/admin/account', '/admin/account/password', '/admin/account/sessions/removal'],
  ...['/admin/account/two-factors', '/admin/account/two-factors/removal', '/admin/audit'],
  '/admin/privacy',
]
const NO_MISTAKES = { ran: false, markup: [], wrongDefaults: [] }
// What stands for the parameters of a route: rows that hold markup.
const NAMES: Record<string, string> = {
  form: 'waitlist',
  field: 'full_name',
  slug: 'locations',
  type: 'services',
}
const PUBLIC_PAGES = [
  ...['/', '/services', '/services/ac-repair', '/services/ac-repair/austin', '/forms/waitlist'],
  '/forms/waitlist/thanks',
]

// Pages for those who are not signed in, that only take posts, or that the small site has no row for.
const WITHOUT_PAGE = [
  ...['/admin/1', '/admin/setup', '/admin/login', '/admin/login/code', '/admin/login/ended', '/admin/logout'],
  // A passkey opens no account of another user; its name is on that of its own.
  ...['/admin/account/passkeys/new', '/admin/account/passkeys/1/removal'],
  ...['/admin/account/report', '/admin/reports/mail', '/admin/login/passkey', '/admin/login/passkey/options'],
  ...['/admin/theme', '/admin/account/recovery-codes', '/admin/account/sessions/1/end'],
  '/admin/users/two-factors',
  ...['/admin/login/reset', '/admin/password-reset/1', '/admin/privacy/erasure'],
  '/admin/forbidden',
  ...['/admin/pictures/1', '/admin/pictures/1/removal', '/admin/pictures/1/replacement'],
  ...['/admin/invitation/1', '/admin/users/1/invitation', '/admin/users/1/two-factors/removal'],
  ...[
    '/admin/inbox/removal',
    '/admin/inbox/sorting',
    '/admin/inbox/1/progress',
    '/admin/inbox/1/notes',
    '/admin/inbox/1/notes/1/removal',
  ],
  ...['/admin/forms/waitlist/removal', '/admin/taxonomies/locations/removal', '/admin/publish/1/rollback'],
  ...['/admin/content-types/services/removal', '/admin/entries/services/1/reset', '/admin/coverage/offers'],
]

function pathsWithMarkup(): string[] {
  const paths = adminPages.map((route) => route.replace(/\[\.{0,3}(\w+)\]/g, (_, name) => NAMES[name] ?? '1'))
  const places = ['', '/removal', '/reset'].map((end) => `/admin/entries/location_services/2${end}`)
  const offers = '/admin/coverage/offers?change=remove&reach=branch&place=usa&service=1'
  const shown = paths.filter((path) => !WITHOUT_PAGE.includes(path))
  return [...shown, ...places, offers, '/admin/content-types/services', ...PUBLIC_PAGES]
}

/** Markup that a page let become elements, and what Enter would press in its forms: of this HTML, or of what is open. */
function lookForMistakes(page: Page, html?: string) {
  return page.evaluate((html) => {
    const shown = html === undefined ? document : new DOMParser().parseFromString(html, 'text/html')
    const markup = 'img[src="x"], [href^="javascript:" i], [src^="javascript:" i], [action^="javascript:" i]'
    const scripts = [...shown.scripts].filter(({ src, type }) => !src && type !== 'application/ld+json')
    const isDefault = (button: Element | null) => button?.matches('.btn-primary, .btn-error, [aria-hidden]')
    const forms = [...shown.querySelectorAll('main form')].filter((form) => {
      const buttons = form.querySelectorAll('button[type=submit]')
      const fields = form.querySelectorAll('input:not([type=hidden])')
      return fields.length > 0 && buttons.length > 1 && !isDefault(buttons[0] ?? null)
    })
    return {
      ran: 'ran' in window,
      markup: [...shown.querySelectorAll(markup), ...scripts].map((element) => element.outerHTML),
      wrongDefaults: forms.map((form) => form.outerHTML.slice(0, 200)),
    }
  }, html)
}

/** Returns true if a page's scripts might make markup of what it says: that of every admin page only writes times. */
function hasOwnScript(path: string, html: string): boolean {
  return !path.startsWith('/admin') || [...html.matchAll(/<script[^>]* src="\/_admin\//g)].length !== 1
}

async function send(url: string, answers: object) {
  const body = JSON.stringify({
    email: 'ann@example.com',
    phone: '+1 512 555 0100',
    role: 'owner',
    ...answers,
  })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/forms/waitlist/submissions`, { method: 'POST', headers, body })
  assert.equal(response.status, 201)
}

test('issue 5: set up, sign out and in, find a submission, sort it, export it', async (t) => {
  const { app, url } = await startFront(t)
  await send(url, { full_name: 'Ann Archer', bottleneck: 'A leak in the kitchen' })
  await send(url, { full_name: 'Bob Builder' })
  const page = await openPage(t, await openBrowser(), { baseURL: url })

  await page.goto(`/admin/setup?code=${await app.setup.findCode()}`)
  await checkAccessibility(page)
  await page.getByLabel('Email address').fill('office@example.com')
  await page.getByLabel('Your name').fill('Office')
  await page.getByLabel('Password').fill(ADMINISTRATOR.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('you are signed in').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto('/admin/inbox')
  await checkAccessibility(page)
  await page.getByLabel('Email address').fill('office@example.com')
  await page.getByLabel('Password').fill(ADMINISTRATOR.password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.getByRole('searchbox').fill('leak')
  await page.keyboard.press('Enter')
  await page.getByText('Bob Builder').waitFor({ state: 'detached' })
  assert.doesNotMatch(page.url(), /leak/)
  await page.getByRole('link', { name: 'Ann Archer' }).click()
  assert.equal(
    await page.getByRole('link', { name: 'ann@example.com' }).getAttribute('href'),
    'mailto:ann@example.com',
  )
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByText('1 lead archived.').waitFor()

  await page.goto('/admin/inbox')
  await page.getByRole('checkbox', { name: 'Select the lead from Bob Builder' }).check()
  await page.getByText('1 selected:').waitFor()
  await page.getByRole('button', { name: 'Mark as spam' }).click()
  await page.getByText('You’re all caught up').waitFor()
  await page.getByRole('link', { name: 'Archived' }).click()
  await page.getByText('A leak in the kitchen').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const csv = await readFile(await download.path(), 'utf8')
  assert.match(csv, /Ann Archer/)
  assert.doesNotMatch(csv, /Bob/)
})

test('without JavaScript everything is there too, stored markup never runs, and axe finds nothing', async (t) => {
  const site = await startAdmin(t, { prepare: storeMarkup })
  const page = await openAdminPage(t, site, { width: 390, colorScheme: 'dark' })
  page.on('dialog', (dialog) => assert.fail(`a dialog: ${dialog.message()}`))
  await page.goto('/admin')
  const paths = new Set([...pathsWithMarkup(), ...OWN_SCREENS])
  for (const path of paths) {
    const response = await site.fetch(path)
    const html = await response.text()
    assert.equal(response.status, 200, path)
    // The browser's parser tells what becomes an element; a page that can do no more is not opened, which takes long.
    assert.deepEqual(await lookForMistakes(page, html), NO_MISTAKES, path)
    if (!isSoak && !OWN_SCREENS.includes(path) && !hasOwnScript(path, html)) continue
    const opened = await page.goto(path)
    assert.equal(opened?.status(), 200, path)
    assert.deepEqual(await lookForMistakes(page), NO_MISTAKES, path)
    // Half a second for each screen there is.
    if (isSoak || OWN_SCREENS.includes(path)) await checkAccessibility(page)
    if (!OWN_SCREENS.includes(path)) continue
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
      `${path} is too wide`,
    )
  }
  printFigure(t, `0 of ${paths.size} screens ran it or showed it as markup`)

  const plain = await openAdminPage(t, site, { javaScriptEnabled: false, width: 390 })
  await plain.goto('/admin')
  await plain.getByRole('link', { name: 'Menu' }).click()
  await plain.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Inbox' }).click()
  await plain.getByRole('searchbox').fill('nobody@example.com')
  await plain.getByRole('button', { name: 'Search' }).click()
  await plain.getByText('No leads found').waitFor()
  assert.doesNotMatch(plain.url(), /nobody/)
  await plain.getByRole('link', { name: 'Clear' }).click()
  await plain
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check()
  await plain.getByRole('button', { name: 'Mark as unread' }).click()
  await plain.getByText('1 lead marked as unread.').waitFor()
  await plain.getByRole('button', { name: 'Delete…' }).waitFor()
  await plain
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check()
  await plain.getByRole('button', { name: 'Delete…' }).click()
  await plain.getByRole('button', { name: 'Delete 1 lead' }).click()
  await plain.getByText('1 lead deleted.').waitFor()
})
