import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findOldNumberTexts } from '#src/publish/notices/old-number-texts.ts'
import { findFormerNumber, findOldNumbers, listOldUses } from '#src/publish/notices/old-uses.ts'
import { recordSettings } from '#src/site/settings/record-settings.ts'
import { type SiteSettings, siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry } from '../../support/small-site.ts'

type Given = Parameters<typeof siteSettings.parse>[0]

/** A site whose settings were saved one after the other. */
async function aSite(t: TestContext, ...saved: object[]) {
  const db = await openTestDatabase(t)
  let settings: SiteSettings = siteSettings.parse({ name: 'Acme' })
  for (const [index, given] of saved.entries()) {
    settings = siteSettings.parse({ name: 'Acme', ...given } satisfies Given)
    const now = new Date(Date.UTC(2026, 10, 20, 10, index)).toISOString()
    await recordSettings(db, () => saveSiteSettings(db, settings, { now }), { now })
  }
  const add = (slug: string, body: string, values = {}) =>
    addEntry(db, 'pages', { slug, title: slug, body, ...values })
  return { db, settings, add }
}

test('texts with one of the last three names or numbers are found', async (t) => {
  const phone = (end: string) => `(512) 555-01${end}`
  const { db, settings, add } = await aSite(
    t,
    { name: 'Old Acme', phone: phone('01') },
    { name: 'Acme', phone: phone('02') },
    { name: 'Ace', phone: '55-501' },
    { name: 'Best Acme', phone: phone('03') },
    { name: 'Best Acme', phone: phone('03'), tagline: 'Cool' },
    { name: 'Next Acme', phone: phone('04') },
    { name: 'Next Acme', phone: '512.555.0100', phones: [{ label: 'Office', number: phone('99') }] },
    { name: 'Next Acme', phone: phone('99') },
    {
      ...{ name: 'Acme Cooling', phone: phone('00'), phones: [{ label: 'Office', number: phone('99') }] },
      ...{ tagline: 'Once Next Acme', home: { intro: 'Call 512.555.0104.' } },
      tags: { head: `<script>track('${phone('03')}')</script>` },
    },
  )
  const ids = [
    await add('about', 'Acme Cooling was Best Acme.'),
    await add('call', 'Call +1 512 555\n0103 or 512/555/0104.'),
    await add('older', 'Old Acme, 512 555 0101'),
    await add('place', 'In Ace, Texas: 55-501'),
    await add('today', 'Acme Cooling, 512 555 0100'),
  ]
  await add('draft', 'Next Acme', { status: 'draft' })
  const named = (...slugs: number[]) => slugs.map((index) => ids[index])
  const found = async (limit: number) =>
    (await listOldUses(db, settings, { limit })).map(({ screens, pages, ...use }) => ({
      ...use,
      screens: screens.map(({ adminPath }) => adminPath),
      pages: pages.map(({ id }) => id),
    }))
  const [next, best, plain, last, third, ...others] = await found(9)
  assert.deepEqual(
    [next, best, plain, last, third, others],
    [
      { setting: 'name', value: 'Next Acme', screens: ['/admin/settings'], pages: [], count: 0 },
      { setting: 'name', value: 'Best Acme', screens: [], pages: named(0), count: 1 },
      // Today's name doesn't count.
      { setting: 'name', value: 'Acme', screens: ['/admin/settings'], pages: named(0, 2), count: 2 },
      { setting: 'phone', value: phone('04'), screens: ['/admin/home'], pages: named(1), count: 1 },
      { setting: 'phone', value: phone('03'), screens: [], pages: named(1), count: 1 },
      [],
    ],
  )
  assert.deepEqual(
    (await found(1)).map(({ pages, count }) => [pages.length, count]),
    [
      [0, 0],
      [1, 1],
      [1, 2],
      [1, 1],
      [1, 1],
    ],
  )
  const params = (title: string, end: string) => ({ title, phone: phone(end) })
  assert.deepEqual(await findOldNumbers(db, settings), [
    { code: 'old_number', params: params('Home page', '04'), adminPath: '/admin/home' },
    { code: 'old_number', params: params('call', '04'), adminPath: `/admin/entries/pages/${ids[1]}` },
    { code: 'old_number', params: params('call', '03'), adminPath: `/admin/entries/pages/${ids[1]}` },
  ])
})

test('a former number is known by its spelling in the settings', async (t) => {
  const two = '(512) 555-0105 / (512) 555-0106'
  const { db, settings } = await aSite(
    t,
    { phone: two },
    { phone: '0049 30 1234' },
    { phone: '(512) 555-0107' },
    { phone: '(512) 555-0100' },
  )
  const find = (phone: string) => findFormerNumber(db, settings, phone)
  const value = '(512) 555-0107'
  assert.deepEqual(await find(value), { value, digits: '5125550107', countryCode: '1' })
  assert.deepEqual(await find(two), { value: two })
  assert.deepEqual(await find('0049 30 1234'), { value: '0049 30 1234', digits: '49301234' })
  for (const other of ['512-555-0107', '(512) 555-0100', '']) assert.equal(await find(other), undefined)
  const short = await aSite(t, { phone: '55-501' }, { phone: '555-010' }, { phone: '(512) 555-0100' })
  const findShort = (phone: string) => findFormerNumber(short.db, short.settings, phone)
  assert.deepEqual([await findShort('55-501'), (await findShort('555-010'))?.value], [undefined, '555-010'])
})

test('each paragraph with a former number is shown with the present one', async (t) => {
  const [old, present] = ['(512) 555-0142', '(512) 555-0100']
  const { db, settings, add } = await aSite(
    t,
    { phone: old },
    {
      phone: present,
      ...{ tagline: `Call ${old}`, address: '1 Main St', tags: { head: `<script>track('${old}')</script>` } },
      home: { heading: 'Hot house?', faq: [{ question: 'Call?', answer: `Yes, ${old}!` }] },
    },
  )
  const words = 'word '.repeat(20)
  const about = await add('about', `Welcome.\n\nCall us:\n${old}.\n\n\nOr [text](sms:5125550142).`)
  const long = await add('long', `${words}Call ${old} today. ${words}`)
  await add('other', 'Call 512 555 0199.')
  const found = await findOldNumberTexts(db, settings, old)
  assert.ok(found)
  const change = (before: string, after: string) => ({ before, after })
  assert.equal(found.phone, present)
  assert.equal(found.replace(`${old} ${present} 512-555-0142`), `${present} ${present} ${present}`)
  assert.deepEqual(found.entries, [
    {
      ...{ id: about, type: 'pages', name: 'about' },
      texts: [
        change(`Call us:\n${old}.`, `Call us:\n${present}.`),
        change('Or [text](sms:5125550142).', 'Or [text](sms:+15125550100).'),
      ],
    },
    {
      ...{ id: long, type: 'pages', name: 'long' },
      texts: [
        change(
          `…${`${words}Call (512) 555-01`.slice(-60)}42 today. ${words.slice(0, 52)}…`,
          `…${`${words}Call (512) 555-01`.slice(-60)}00 today. ${words.slice(0, 52)}…`,
        ),
      ],
    },
  ])
  assert.deepEqual(found.ofSettings, [
    { path: 'tagline', texts: [change(`Call ${old}`, `Call ${present}`)] },
    { path: 'home.faq', texts: [change(`Yes, ${old}!`, `Yes, ${present}!`)] },
  ])
  assert.deepEqual(Object.keys(found.settings).toSorted(), ['home', 'tagline'])
  assert.deepEqual(found.settings.home?.faq, [{ question: 'Call?', answer: `Yes, ${present}!` }])

  assert.equal(await findOldNumberTexts(db, settings, present), undefined)
  assert.equal(await findOldNumberTexts(db, { ...settings, phone: null }, old), undefined)
})

test('only the part of a number that differs is left out of a shortened text', async (t) => {
  const { db, settings, add } = await aSite(t, { phone: '555-0142-0' }, { phone: '555-0142-0 0' })
  await add('about', 'Call 555-0142-0')
  const found = await findOldNumberTexts(db, settings, '555-0142-0')
  assert.deepEqual(found?.entries[0]?.texts, [{ before: 'Call 555-0142-0', after: 'Call 555-0142-0 0' }])
})
