import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTraffic } from '#src/submissions/results/traffic-store.ts'
import { openAdminPage, startAdmin } from '../../support/admin.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { addEntry } from '../../support/small-site.ts'

const LONG = 'x'.repeat(300)

test('a lead of long words fits a phone: its answers, source, notes, emails, and deliveries', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const at = new Date().toISOString()
  const answers = {
    full_name: LONG,
    email: `${LONG}@example.com`,
    phone: '+1 512 555 0142',
    bottleneck: LONG,
  }
  const touch = { utm_source: LONG, utm_campaign: LONG, utm_term: LONG, landing_page: `/${LONG}` }
  const values = {
    ...{ form_id: 1, data_json: JSON.stringify(answers), submitted_at: at },
    ...{ page_path: `/${LONG}`, source: `campaign:${LONG}` },
    source_json: JSON.stringify({ first: touch, last: touch, pages: [`/${LONG}`, `/${LONG}`] }),
  }
  const leads = await db.insertInto('form_submissions').values([values, values]).returning('id').execute()
  const id = Math.max(...leads.map((lead) => lead.id))
  await db
    .insertInto('submission_notes')
    .values({ submission_id: id, user_email: 'ann@example.com', body: LONG })
    .execute()
  const mail = {
    submission_id: id,
    form_id: 1,
    created_at: at,
    last_error: `550 ${LONG}`,
    status: 'failed' as const,
  }
  await db
    .insertInto('notification_mails')
    .values({ ...mail, recipient: `${LONG}@example.com` })
    .execute()
  await db
    .insertInto('reply_mails')
    .values({ ...mail, recipient: `${LONG}@example.com`, limit_key: 'x' })
    .execute()
  const day = at.slice(0, 10)
  const visit = { day, service: '', place: '', source: `campaign:${LONG.slice(0, 60)}`, page: `/${LONG}` }
  await addTraffic(db, [{ ...visit, views: 1_234_567, taps: 12_345 }])
  const page = await openPage(t, await openBrowser(), {
    baseURL: site.url,
    viewport: { width: 390, height: 844 },
  })
  const [name = '', value = ''] = site.cookie.split('=')
  await page.context().addCookies([{ name, value, url: site.url }])
  for (const path of [`/admin/inbox/${id}`, '/admin/inbox', '/admin/reports']) {
    await page.goto(path)
    const tooWide = await page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth && one.children.length === 0)
        .map((one) => one.outerHTML.slice(0, 120)),
    )
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(overflow <= 0, `${path} is ${overflow} px too wide:\n${tooWide.join('\n')}`)
  }
  const broken = await page.evaluate(() =>
    [...document.querySelectorAll('main section > table :is(td, thead th)')]
      .filter((cell) => {
        const text = document.createRange()
        text.selectNodeContents(cell)
        const bar = cell.querySelector('svg')
        if (bar) text.setEndBefore(bar)
        const lines = new Set([...text.getClientRects()].map(({ top }) => top)).size
        return lines > (cell.textContent ?? '').trim().split(' ').length
      })
      .map(({ textContent }) => textContent?.trim()),
  )
  assert.deepEqual(broken, [], 'a figure or a word of a heading breaks')
  assert.ok((await page.getByText('1,234,567').count()) >= 4)
})

test('lists show whole names beside their buttons on a phone', async (t) => {
  const name = 'Electrical panel upgrades and repairs'
  const place = 'San Francisco and the northern counties'
  const site = await startAdmin(t, {
    prepare: async ({ db }) => {
      await addEntry(db, 'services', { slug: 'panels', title: name })
      const [austin] = await db
        .selectFrom('taxonomy_terms')
        .select('id')
        .where('slug', '=', 'austin')
        .execute()
      await db
        .updateTable('taxonomy_terms')
        .set({ name: place })
        .where('id', '=', austin?.id ?? 0)
        .execute()
    },
  })
  const page = await openAdminPage(t, site, { width: 390 })
  for (const [path, shown] of [
    ['/admin/entries/services', name],
    ['/admin/entries/services/order', name],
    ['/admin/taxonomies/locations', place],
  ] as const) {
    await page.goto(path)
    const found = page.getByText(shown, { exact: true }).first()
    const { cut, width } = await found.evaluate((one) => ({
      cut: one.scrollWidth > one.clientWidth && getComputedStyle(one).overflow === 'hidden',
      width: one.getBoundingClientRect().width,
    }))
    assert.ok(!cut && width >= 140, `${path} leaves ${width} px to a name`)
  }
  await addEntry(site.app.db, 'pages', { slug: 'new', title: name })
  for (const path of [
    '/admin/entries/services',
    '/admin/entries/pages',
    '/admin/publish',
    '/admin/publish/changes',
  ]) {
    await page.goto(path)
    const hidden = await page
      .locator('main section:has(> table)')
      .evaluateAll((tables) => Math.max(0, ...tables.map((one) => one.scrollWidth - one.clientWidth)))
    assert.equal(hidden, 0, `${path} has a table that is ${hidden} px too wide`)
  }
})

test('the history of publishes shows an email address on one line', async (t) => {
  const email = 'frontdesk@bluebonnethomeservices.example'
  const site = await startAdmin(t)
  const { db } = site.app
  await db.updateTable('admin_users').set({ email }).execute()
  await db.updateTable('publishes').set({ user_id: site.administratorId }).execute()
  const page = await openAdminPage(t, site)
  await page.goto('/admin/publish')
  const lines = await page
    .getByRole('table')
    .getByText(email)
    .first()
    .evaluate((shown) => {
      const text = document.createRange()
      text.selectNodeContents(shown)
      return new Set([...text.getClientRects()].map(({ top }) => top)).size
    })
  assert.equal(lines, 1)
})

test('a dialog moves nothing on the page', async (t) => {
  const page = await openAdminPage(t, await startAdmin(t), { width: 390 })
  await page.goto('/admin/entries/services/1')
  const widthOf = async () => (await page.locator('main').boundingBox())?.width
  const before = await widthOf()
  await page.getByRole('button', { name: 'Choose picture' }).first().click()
  await page.getByRole('dialog', { name: 'Choose a picture' }).waitFor()
  assert.equal(await widthOf(), before)
})
