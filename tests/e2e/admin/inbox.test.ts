import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { checkAccessibility } from '../../support/accessibility.ts'
import { ADMINISTRATOR, type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { adminPages } from '../../support/admin-routes.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { startFront } from '../../support/front.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { addPerson } from '../../support/people.ts'
import { addPlaces } from '../../support/small-site.ts'
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
  ...[
    '/admin/pictures/1/versions',
    '/admin/pictures/1/versions/1',
    '/admin/settings/versions/1',
    '/admin/home/versions/1',
    '/admin/settings/replacement',
  ],
  ...['/admin/invitation/1', '/admin/users/1/invitation', '/admin/users/1/two-factors/removal'],
  ...[
    '/admin/inbox/removal',
    '/admin/inbox/sorting',
    '/admin/inbox/1/progress',
    '/admin/inbox/progress',
    '/admin/inbox/1/notes',
    '/admin/inbox/1/notes/1/removal',
  ],
  ...['/admin/forms/waitlist/removal', '/admin/taxonomies/locations/removal', '/admin/publish/1/rollback'],
  ...['/admin/content-types/services/removal', '/admin/entries/services/1/reset', '/admin/coverage/offers'],
  ...['/admin/forms/waitlist/versions/1', '/admin/taxonomies/locations/terms/1/versions/1'],
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
  const [menu, csvLink] = [
    page.getByText('Export', { exact: true }),
    page.getByRole('link', { name: 'CSV', exact: true }),
  ]
  await menu.click()
  await csvLink.focus()
  await page.keyboard.press('Escape')
  assert.equal(await csvLink.isVisible(), false)
  await menu.click()
  await page.getByRole('heading', { name: 'Inbox' }).click()
  assert.equal(await csvLink.isVisible(), false)
  await menu.click()
  const [download] = await Promise.all([page.waitForEvent('download'), csvLink.click()])
  const csv = await readFile(await download.path(), 'utf8')
  assert.match(csv, /Ann Archer/)
  assert.doesNotMatch(csv, /Bob/)
})

test('without JavaScript everything works, stored markup never runs, and axe finds no violation', async (t) => {
  // No mail server listens there; some screens need one.
  const environment = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'forms@example.com' }
  const site = await startAdmin(t, { prepare: storeMarkup, environment })
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

interface WorkingSite {
  site: AdminSite
  mail: MailServer
  placeIds: Map<string, number>
  /** A page of a new browser in which this user is signed in. */
  signIn: (email: string, options?: BrowserContextOptions) => Promise<Page>
}

/** A mail server, leads of two places, and browsers of their users. */
async function startWork(t: TestContext): Promise<WorkingSite> {
  const mail = await startMailServer(t)
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'Signpost <forms@example.com>' }
  const site = await startAdmin(t, { environment })
  const placeIds = await addPlaces(site.app.db, 'ohio/dayton')
  const details = Object.fromEntries(
    Array.from({ length: 20 }, (_, number) => [
      `detail_${number}`,
      'It is a long story about a house. '.repeat(5),
    ]),
  )
  const asks = { text: 'The unit upstairs runs all day.', phone: '+1 512 555 0100' }
  const rows = Array.from({ length: 60 }, (_, number) => ({
    ...{ form_id: 1, status: 'new' as const, stage: number < 55 ? 'new' : 'won' },
    data_json: JSON.stringify({
      full_name: `Ann ${number}`,
      email: `ann${number}@example.com`,
      ...asks,
      ...details,
    }),
    ...{ location_id: placeIds.get(number < 2 ? 'dayton' : 'ohio') as number, location_slug: 'dayton' },
    submitted_at: new Date(Date.now() - number * 60_000).toISOString(),
  }))
  await site.app.db.insertInto('form_submissions').values(rows).execute()
  return {
    ...{ site, mail, placeIds },
    signIn: async (email, options = {}) => {
      const page = await openPage(t, await openBrowser(), { baseURL: site.url, ...options })
      await page.goto('/admin/login')
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password').fill(ADMINISTRATOR.password)
      await page.keyboard.press('Enter')
      await page.waitForURL('/admin')
      return page
    },
  }
}

// Of a mail whose HTML is quoted-printable.
function htmlOf(raw: string): string {
  const part = raw.slice(raw.indexOf('Content-Type: text/html'))
  const coded = part.slice(part.indexOf('\r\n\r\n'), part.indexOf('\r\n--')).replaceAll('=\r\n', '')
  const bytes = coded.replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const fitsItsWidth = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

test('issue 22: a receptionist, an owner, and a manager do their work with leads', async (t) => {
  const { site, mail, placeIds, signIn } = await startWork(t)
  const { db } = site.app

  await t.test('on a phone: open a lead, call, write a note, set the stage, and continue', async () => {
    const { email } = await addPerson(site, 'office', { places: [placeIds.get('dayton') as number] })
    const page = await signIn(email, PHONE)
    await page.goto('/admin/inbox')
    assert.equal(await page.getByLabel('Stage').isVisible(), false, 'the filters are folded')
    assert.equal(await page.getByRole('link', { name: /^Ann \d/ }).count(), 2, 'only leads of the place')
    assert.ok(await fitsItsWidth(page))
    await page.getByRole('link', { name: 'Ann 0' }).tap()
    const call = page.getByRole('link', { name: '+1 512 555 0100' })
    assert.equal(await call.getAttribute('href'), 'tel:+15125550100')
    const size = await call.boundingBox()
    assert.ok(size && size.height >= 40 && size.y < 844, 'a finger hits it without scrolling')
    const stage = await page.getByLabel('Stage').boundingBox()
    assert.ok(stage && stage.y + stage.height < 844, `nor does the stage need scrolling: ${stage?.y}`)
    await page.getByLabel('New note').fill('Called: the technician comes on Friday.')
    await page.getByRole('button', { name: 'Add note' }).tap()
    await page.getByText('the technician comes on Friday').waitFor()
    await page.getByLabel('Stage').selectOption('Contacted')
    await page.getByRole('button', { name: 'Save progress' }).tap()
    await page.getByText('Progress saved.').waitFor()
    const order = ['answers', 'progress', 'notes', 'more-answers', 'origin', 'deliveries'].map((id) =>
      page.locator(`#${id}`),
    )
    const tops = await Promise.all(order.map(async (one) => (await one.boundingBox())?.y ?? 0))
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => a - b),
      'work first, then what the program did',
    )
    assert.ok(await fitsItsWidth(page))
    await checkAccessibility(page)
    await page.getByRole('link', { name: 'Older lead' }).tap()
    await page.getByRole('heading', { name: 'Ann 1' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Older lead' }).count(), 0, 'it was the last one')
    const lead = await db.selectFrom('form_submissions').select('stage').where('id', '=', 1).execute()
    assert.deepEqual(lead, [{ stage: 'contacted' }])
  })

  await t.test(
    'with the keyboard: invite a colleague for one place, and look at the monthly report',
    async () => {
      const page = await signIn(ADMINISTRATOR.email, { viewport: { width: 1280, height: 900 } })
      const press = async (role: 'link' | 'button', name: string) => {
        await page.getByRole(role, { name, exact: true }).focus()
        await page.keyboard.press('Enter')
      }
      await page.goto('/admin/users')
      assert.ok(await fitsItsWidth(page))
      await press('link', 'Invite user')
      await page.getByLabel('Email address').focus()
      await page.keyboard.type('dayton@example.com')
      await page.getByRole('radio', { name: 'Office' }).press('Space')
      await page.getByRole('checkbox', { name: 'Dayton' }).press('Space')
      await press('button', 'Invite user')
      await page.getByText('We emailed this link to dayton@example.com.').waitFor()
      const link = (await page.getByLabel('Invitation link').textContent()) ?? ''
      const [invitation] = mail.received.filter(({ recipients }) => recipients[0] === 'dayton@example.com')
      assert.match(String(invitation?.raw), /^Subject: Join .* on Signpost/m)

      const colleague = await openPage(t, await openBrowser(), { baseURL: site.url, ...PHONE })
      await colleague.goto(link.trim())
      await colleague.getByLabel('Password').fill(ADMINISTRATOR.password)
      await colleague.getByRole('button', { name: 'Set password' }).tap()
      await colleague.getByText('you are signed in').waitFor()
      await colleague.goto('/admin/inbox')
      assert.equal(await colleague.getByRole('link', { name: /^Ann \d/ }).count(), 2)

      await page.goto('/admin/account')
      await press('button', 'Stop reports')
      await page.getByText('You’ll no longer get the report.').waitFor()
      await press('button', 'Send me reports')
      await page.getByText('You’ll get the report each month.').waitFor()
      await page.goto('/admin/reports')
      await checkAccessibility(page)
      await press('button', 'Send me this report')
      await page.getByText(`Report sent to ${ADMINISTRATOR.email}.`).waitFor()
      await page.goto('about:blank')
      await page.setContent(htmlOf(String(mail.received.at(-1)?.raw)))
      await page.getByRole('row', { name: /^Leads 60/ }).waitFor()
      await page.getByRole('link', { name: /results/i }).waitFor()
    },
  )

  await t.test('without JavaScript: save a filter, and change every lead of it at once', async () => {
    const { email } = await addPerson(site, 'manager')
    const page = await signIn(email, { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false })
    await page.goto('/admin/inbox')
    await page.getByLabel('Stage').selectOption('New')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'Save filter…' }).click()
    await page.getByLabel('Name').fill('Not called yet')
    await page.getByRole('button', { name: 'Save filter' }).click()
    await page.getByText('Filter “Not called yet” saved.').waitFor()
    await page.goto('/admin/inbox')
    await page.getByRole('link', { name: 'Not called yet' }).click()
    await page.getByRole('link', { name: 'Select all matching leads…' }).click()
    await page.getByText('54 leads match these filters:').waitFor()
    await page.getByLabel('Action').selectOption('Change stage to Contacted')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Move 54 leads to Contacted?' }).waitFor()
    await page.getByRole('button', { name: 'Change stage to Contacted' }).click()
    await page.getByText('54 leads moved to Contacted.').waitFor()
    const stages = await db
      .selectFrom('form_submissions')
      .select(['stage', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy('stage')
      .orderBy('stage')
      .execute()
    assert.deepEqual(stages, [
      { stage: 'contacted', count: 55 },
      { stage: 'won', count: 5 },
    ])
  })
})
