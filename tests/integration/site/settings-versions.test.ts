import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { readableSetting } from '#src/admin/settings/readable-setting.ts'
import type { Schema } from '#src/db/schema.ts'
import { deleteForm, findForm } from '#src/forms/form-store.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import { deletePictures, savePicture } from '#src/pictures/picture-store.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import { restoreSettings } from '#src/site/settings/restore-settings.ts'
import { SHOWN_SETTINGS, siteSettings } from '#src/site/settings/site-settings.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { DEFAULT_STAGES } from '#src/submissions/stages/stage-settings.ts'
import { keepVersion } from '#src/versions/keep-version.ts'
import { listVersionContents } from '#src/versions/version-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { aPicture } from '../../support/pictures.ts'
import { anyOf, randomFrom } from '../../support/requests/random.ts'
import { soakLength } from '../../support/soak.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const EDITS = soakLength(60, 1_000)

async function aSite(t: Parameters<typeof openTestDatabase>[0]) {
  const db = await openTestDatabase(t)
  await savePicture(db, aPicture({ name: 'van.jpg' }), { now: NOW })
  await saveSiteSettings(db, siteSettings.parse({ name: 'Before' }), { now: NOW })
  let time = Date.parse(NOW)
  const saving = () => {
    time += 1000
    return { now: new Date(time), by: { source: 'admin' as const, email: 'ann@example.com' } }
  }
  return {
    db,
    change: (changes: object) => changeSiteSettings(db, { changes }, saving()),
    restore: (versionId: number, mayChangeTags = true) =>
      restoreSettings(db, { versionId, mayChangeTags }, saving()),
    versions: () => listVersionContents(db, SETTINGS_SUBJECT, { limit: 2 * EDITS }),
  }
}

test('every version of the settings can be restored exactly, after random edits', async (t) => {
  const { db, change, restore, versions } = await aSite(t)
  const random = randomFrom(20)
  const text = () => `${anyOf(['Cool', 'Warm “air”', 'Überall', ' Line\nbreak '], random)} ${random()}`
  const edits = [
    () => ({ name: text() }),
    () => ({ tagline: anyOf([null, text()], random) }),
    () => ({ logo: anyOf([undefined, 'van.jpg'], random) }),
    () => ({ navigation: anyOf([[], [{ label: text(), path: '/about' }]], random) }),
    () => ({ home: { heading: text(), faq: [{ question: text(), answer: text() }] } }),
    () => ({ home: { hero: 'van.jpg', steps: [{ title: text(), text: text() }] } }),
    () => ({ theme: anyOf([{}, { radius: Math.floor(random() * 30) }], random) }),
    () => ({ sections: anyOf([undefined, { home: ['faq'] }], random) }),
  ]
  for (let edit = 0; edit < EDITS; edit += 1)
    assert.equal((await change(anyOf(edits, random)())).kind, 'saved')
  const kept = await versions()
  assert.deepEqual(kept.at(-1)?.content, siteSettings.parse({ name: 'Before' }))
  assert.ok(kept.length > EDITS / 2)
  for (const { version, content } of kept) {
    assert.equal((await restore(version.id)).kind, 'saved')
    assert.deepEqual(JSON.parse(JSON.stringify(await findSiteSettings(db))), content)
  }
  const [newest] = await versions()
  assert.deepEqual([newest?.version.savedBy, newest?.content], ['ann@example.com', kept.at(-1)?.content])
})

test('some values of a version can be restored, even if another value no longer fits', async (t) => {
  const { db, change, versions } = await aSite(t)
  await change({ logo: 'van.jpg', home: { heading: 'Old', faq: [] } })
  const [version] = await versions()
  await change({ logo: undefined, tagline: 'Later', home: { heading: 'New', faq: [] } })
  await deletePictures(db, ['van.jpg'])
  const of = { versionId: version?.version.id ?? 0, mayChangeTags: false }
  const saving = { now: new Date(NOW) }
  assert.equal((await restoreSettings(db, of, saving)).kind, 'invalid')
  const outcome = await restoreSettings(db, { ...of, paths: new Set(['home.heading']) }, saving)
  assert.equal(outcome.kind, 'saved')
  const { home, tagline, logo } = await findSiteSettings(db)
  assert.deepEqual([home?.heading, tagline, logo ?? null], ['Old', 'Later', null])
})

const ADDED = [...DEFAULT_STAGES, { slug: 'visit', name: 'Site visit' }]
const REPLACED = DEFAULT_STAGES.map((one) => (one.slug === 'won' ? { ...one, replaces: ['visit'] } : one))

/** Changes of the settings, of which the first no longer fits after a loss, and why. */
const LOST: {
  what: string
  first: object
  next: object
  lose: (db: Kysely<Schema>) => Promise<unknown>
  sentence: string
}[] = [
  {
    what: 'the default form was deleted',
    first: { default_form: 'quote' },
    next: { default_form: null },
    lose: async (db) => deleteForm(db, (await findForm(db, 'quote'))?.id ?? 0),
    sentence: 'The form quote doesn’t exist.',
  },
  {
    what: 'a stage has leads now',
    first: { stages: DEFAULT_STAGES },
    next: { stages: ADDED },
    lose: (db) => addLead(db, 'visit'),
    sentence:
      'This version doesn’t have the stage Site visit, but some leads are in that stage. Move them to another stage first.',
  },
  {
    what: 'a stage replaces one of leads now',
    first: { stages: DEFAULT_STAGES },
    next: { stages: REPLACED },
    lose: (db) => addLead(db, 'visit'),
    sentence:
      'This version doesn’t have the stage Won, but some leads are in that stage. Move them to another stage first.',
  },
]

async function addLead(db: Kysely<Schema>, stage: string) {
  const { id } = await storeForm(db, 'callback')
  await db
    .insertInto('form_submissions')
    .values({ form_id: id, submitted_at: NOW, data_json: '{}', stage, is_won: 0 })
    .execute()
}

for (const { what, first, next, lose, sentence } of LOST)
  test(`settings are restored until ${what}`, async (t) => {
    const { db, change, restore, versions } = await aSite(t)
    await storeForm(db, 'quote')
    assert.equal((await change(first)).kind, 'saved')
    const [version] = await versions()
    const restoreFirst = () => restore(version?.version.id ?? 0)
    assert.equal((await change(next)).kind, 'saved')
    assert.equal((await restoreFirst()).kind, 'saved')
    assert.equal((await change(next)).kind, 'saved')
    await lose(db)
    const before = await findSiteSettings(db)
    const refused = await restoreFirst()
    assert.ok(refused.kind === 'invalid')
    assert.deepEqual(refused.problems.map(describeProblem), [sentence])
    assert.deepEqual(await findSiteSettings(db), before)
  })

/** Stored values and what a comparison shows, as the settings screen does. */
const READABLE: [path: string, value: unknown, shown: string][] = [
  ['country', 'IE', 'Ireland'],
  ['country', undefined, 'United States (default)'],
  ['time_zone', 'America/New_York', 'America/New York'],
  ['business_type', 'HVACBusiness', 'HVAC business'],
  ['share_pictures', null, 'One per place (up to 5,000)'],
  ['attribution', false, 'Off'],
  ['default_form', 'contact', 'contact'],
  ['tagline', null, ''],
  ['home.gallery', ['van.jpg', 'roof.jpg'], 'van.jpg\nroof.jpg'],
  ['sections.home', ['faq', '-steps', 'before_after'], 'Questions and answers\nBefore and after'],
  ['navigation', [{ label: 'About', path: '/about' }], '1. Text: About\nURL: /about'],
  [
    'stages',
    [
      { slug: 'new', name: 'New' },
      { slug: 'won', name: 'Done', counts_as: 'won' },
    ],
    '1. New\n2. Done\nCounts as: Won',
  ],
]

test('a comparison shows settings as their screen does', async (t) => {
  const db = await openTestDatabase(t)
  for (const [path, value, shown] of READABLE) {
    const setting = SHOWN_SETTINGS.find(({ name }) => name === path)
    assert.equal(await readableSetting(db, { path, setting }, value), shown)
  }
})

test('a version of the settings that no longer fits is refused, and nothing changes', async (t) => {
  const { db, change, restore, versions } = await aSite(t)
  await change({ home: { hero: 'van.jpg' }, tags: { head: '<script></script>' } })
  await change({ home: {}, tags: undefined, name: 'After' })
  const [, withPicture] = await versions()
  const before = await findSiteSettings(db)
  const problemsOf = async (mayChangeTags: boolean) => {
    const outcome = await restore(withPicture?.version.id ?? 0, mayChangeTags)
    return outcome.kind === 'invalid' && outcome.problems.map(({ code }) => code)
  }
  assert.deepEqual(await problemsOf(false), ['tags_of_owners'])
  await deletePictures(db, ['van.jpg'])
  assert.deepEqual(await problemsOf(true), ['picture_unknown'])
  const removed = { ...before, home: { ...before.home, removed_section: 'Text' } }
  await keepVersion(db, SETTINGS_SUBJECT, { before: undefined, after: removed }, { now: NOW })
  const [withSection] = await versions()
  const refused = await restore(withSection?.version.id ?? 0)
  assert.ok(refused.kind === 'invalid')
  assert.match(refused.problems.map(describeProblem).join(' '), /removed_section/)
  assert.deepEqual(await findSiteSettings(db), before)
  assert.equal((await versions()).length, 4)
})
