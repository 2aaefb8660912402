import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOME_SCREEN, SETTINGS_SCREEN } from '#src/admin/settings/settings-screen.ts'
import {
  findVersionedHome,
  findVersionedSettings,
  labelOf,
  listChanged,
} from '#src/admin/settings/versioned-settings.ts'
import type { Versioned } from '#src/admin/versions/versioned.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { findEditedSettings, saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import type { StoredVersion } from '#src/versions/version-store.ts'
import { listVersionContents } from '#src/versions/version-store.ts'
import { anAdminPage } from '../../../support/admin-page.ts'
import { storeForm } from '../../../support/forms.ts'

type Page = Awaited<ReturnType<typeof anAdminPage>>

const saving = () => ({ now: new Date(), by: { source: 'admin', email: 'ann@example.com' } as const })
const described = async (versioned: Versioned, before: unknown, after: unknown) =>
  (await versioned.describe(before, after)).map((one) => `${one.label}: ${one.before} → ${one.after}`)

/** The versions of something, newest first. */
const versionsOf = ({ db }: Page, { subject }: Versioned) => listVersionContents(db, subject, { limit: 9 })
const newest = async (page: Page, versioned: Versioned) =>
  (await versionsOf(page, versioned))[0] as StoredVersion

/** The settings with a phone number, then another with a heading of the home page. */
async function theSettings(page: Page) {
  const { db, open } = page
  const change = async (changes: object) => {
    const outcome = await changeSiteSettings(db, { changes } as never, saving())
    assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
  }
  await change({ name: 'Acme', phone: '+1 512 555 0100' })
  const before = await findSiteSettings(db)
  await change({ phone: '+1 512 555 0199', home: { ...before.home, heading: 'Hello' } })
  const after = await findSiteSettings(db)
  const context = open('/admin/x')
  const [settings, home] = [await findVersionedSettings(context), await findVersionedHome(context)]
  return { before, after, settings, home, change }
}

test('the settings have versions, and the home page those of its own settings', async (t) => {
  const page = await anAdminPage(t)
  const { before, after, settings, home } = await theSettings(page)
  assert.deepEqual(
    [settings.self, settings.isPart, home.self, home.isPart],
    [...['/admin/settings', undefined, '/admin/home', true]],
  )
  assert.deepEqual([settings.trail[0]?.href, home.trail[0]?.href], ['/admin/settings', '/admin/home'])
  assert.equal(await settings.findShown(), 'none')
  assert.deepEqual(settings.listKeys?.(before, after).sort(), ['home.heading', 'phone'])
  assert.deepEqual(home.listKeys?.(before, after), ['home.heading'])
  // Only the screen of the home page leaves out that they are of it.
  const [all, own] = [settings.listLabels(before, after), home.listLabels(before, after)]
  assert.equal(own.length, 1)
  assert.ok(all.includes(`Home page: ${own[0]}`), `${all} / ${own}`)
  assert.deepEqual((await described(settings, before, after)).sort(), [
    `Home page: ${own[0]}:  → Hello`,
    'Phone: +1 512 555 0100 → +1 512 555 0199',
  ])
  assert.deepEqual(await described(home, before, after), [`${own[0]}:  → Hello`])
  // The first version shows what isn't empty.
  const first = await settings.describe(undefined, before)
  assert.ok(first.some(({ key, after: value }) => key === 'name' && value === 'Acme'))
  assert.ok(first.every(({ before: value }) => value === ''))
  assert.equal(labelOf('nothing.known'), labelOf('nothing.known').trim())
})

test('a version of the settings is restored whole, by value, or for the home page alone', async (t) => {
  const page = await anAdminPage(t)
  const { db } = page
  const { before, after, settings, home, change } = await theSettings(page)
  const versions = await versionsOf(page, settings)
  const earlier = versions.find(({ content }) => (content as typeof before).phone === before.phone)
  assert.ok(earlier)
  const now = () => findSiteSettings(db)
  assert.deepEqual(await home.restore(earlier.version, undefined), {
    ...{ kind: 'saved', value: { to: '/admin/home' } },
  })
  assert.deepEqual([(await now()).phone, (await now()).home.heading], [after.phone, null])
  await change({ home: after.home })
  await settings.restore(earlier.version, new Set(['phone']))
  assert.deepEqual([(await now()).phone, (await now()).home.heading], [before.phone, 'Hello'])
  await change({ phone: after.phone })
  assert.deepEqual(await settings.restore(earlier.version, undefined), {
    ...{ kind: 'saved', value: { to: '/admin/settings' } },
  })
  assert.deepEqual(await now(), before)
  assert.equal((await newest(page, settings)).version.source, 'restored')
  assert.equal((await settings.restore({ ...earlier.version, id: 9_999 }, undefined)).kind, 'not_found')
  // A version is restored as it is.
  assert.deepEqual(await settings.contentToRestore?.(earlier), earlier.content)
})

test('a draft of the settings is restored with its own values only', async (t) => {
  const page = await anAdminPage(t)
  const { db } = page
  const { settings, home, change } = await theSettings(page)
  const { stamp } = await findEditedSettings(db)
  const changes = { tagline: 'New', home: { ...(await findSiteSettings(db)).home, heading: 'Hi' } }
  const saved = await saveSettingsDraft(db, { changes, basedOn: stamp } as never, saving())
  assert.equal(saved.kind, 'saved', JSON.stringify(saved))
  await change({ phone: '+1 512 555 0111' })
  const edited = await findEditedSettings(db)
  const draft = (await versionsOf(page, settings)).find(({ version }) => version.state === 'draft')
  assert.ok(draft)
  assert.partialDeepStrictEqual(await settings.contentToRestore?.(draft), {
    ...{ tagline: 'New', phone: '+1 512 555 0111' },
  })
  assert.deepEqual(listChanged(HOME_SCREEN, edited), home.listLabels(edited.saved, edited.settings))
  const [tagline] = listChanged(SETTINGS_SCREEN, edited)
  assert.deepEqual(listChanged(SETTINGS_SCREEN, edited), [tagline])
  assert.equal(tagline, labelOf('tagline'))
  await settings.restore(draft.version, undefined)
  const now = await findSiteSettings(db)
  assert.deepEqual([now.tagline, now.phone, now.home.heading], ['New', '+1 512 555 0111', 'Hi'])
  assert.equal((await findEditedSettings(db)).draft, undefined)
})

test('only owners restore other tags', async (t) => {
  for (const [role, kind] of [
    ['owner', 'saved'],
    ['manager', 'invalid'],
  ] as const) {
    const page = await anAdminPage(t, { role })
    const { settings, change } = await theSettings(page)
    const untagged = await newest(page, settings)
    await change({ tags: { head: '<script src="https://a.example/a.js"></script>' } })
    assert.equal((await settings.restore(untagged.version, undefined)).kind, kind, role)
  }
})

test('settings are read like on their screen', async (t) => {
  const page = await anAdminPage(t)
  const { settings } = await theSettings(page)
  await storeForm(page.db, 'quote', { name: 'Get a quote' })
  const base = DEFAULT_SITE_SETTINGS
  const shown = async (change: object, before: object = base) => {
    const changes = await settings.describe(before, { ...before, ...change })
    return changes.map(({ before: former, after }) => `${former} → ${after}`)
  }
  assert.deepEqual(await shown({ default_form: 'quote' }), [`${await noneOf()} → Get a quote`])
  assert.match((await shown({ default_form: 'gone' }))[0] ?? '', /→ gone$/)
  assert.match((await shown({ country: 'DE' }))[0] ?? '', /United States.* → Germany$/)
  assert.match((await shown({ time_zone: 'America/New_York' }))[0] ?? '', / → America\/New York$/)
  assert.match((await shown({ business_type: 'Plumber' }))[0] ?? '', /^.+ → Plumber$/)
  assert.doesNotMatch((await shown({ attribution: false }))[0] ?? '', /false/)
  const hours = [
    { days: 'Monday', hours: '7 am' },
    { days: 'Sunday', hours: '' },
  ]
  const [rows = ''] = await shown({ opening_hours: hours })
  assert.match(rows, /^ → 1\. \S+: Monday\n\S+: 7 am\n2\. \S+: Sunday$/)
  const [order = ''] = await shown({ sections: { home: ['-faq', 'areas', 'services'] } })
  assert.ok(order.split(' → ')[0]?.includes('\n'))
  assert.equal(order.split(' → ')[1]?.split('\n').length, 2)
  const stages = [
    { slug: 'new', name: 'New' },
    { slug: 'sold', name: 'Sold', counts_as: 'won' },
  ]
  const [before = '', after = ''] = (await shown({ stages }))[0]?.split(' → ') ?? []
  assert.match(before, /^1\. \S.*\n2\. /)
  assert.match(after, /^1\. New\n2\. Sold\n.*: Won$/)

  async function noneOf() {
    return (await settings.describe({ ...base, default_form: 'quote' }, base))[0]?.after
  }
})
