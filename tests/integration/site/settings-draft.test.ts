import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from '#src/lib/canonical-json.ts'
import { deletePictures, savePicture } from '#src/pictures/picture-store.ts'
import { listPicturePlaces } from '#src/site/pictures/picture-places.ts'
import { changeSiteSettings, settingsVersion } from '#src/site/settings/change-site-settings.ts'
import { compareSettings } from '#src/site/settings/compare-settings.ts'
import { mergeDraft } from '#src/site/settings/merge-draft.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import { restoreSettings } from '#src/site/settings/restore-settings.ts'
import {
  discardSettingsDraft,
  findEditedSettings,
  saveEditedSettings,
  saveSettingsDraft,
} from '#src/site/settings/settings-draft.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aPicture } from '../../support/pictures.ts'
import { anyOf, randomFrom } from '../../support/requests/random.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const BY = { source: 'admin', email: 'ann@example.com' } as const

async function aSite(t: Parameters<typeof openTestDatabase>[0]) {
  const db = await openTestDatabase(t)
  await saveSiteSettings(db, siteSettings.parse({ name: 'Ours' }), { now: NOW.toISOString() })
  const saving = { now: new Date(NOW.getTime() + 1000), by: BY }
  return {
    db,
    draft: (changes: object, basedOn?: string) => saveSettingsDraft(db, { changes, basedOn }, saving),
    change: (changes: object) => changeSiteSettings(db, { changes }, saving),
    use: (changes: object = {}, { mayChangeTags = true, basedOn = undefined as string | undefined } = {}) =>
      saveEditedSettings(db, { changes, basedOn, mayChangeTags }, saving),
    states: async () =>
      (await listVersions(db, SETTINGS_SUBJECT, { limit: 20 })).map(({ state }) => state).reverse(),
    logged: async () => Number((await db.selectFrom('content_changes').select('id').execute()).length),
  }
}

test('a draft of the settings changes nothing else, and replaces the draft before it', async (t) => {
  const { db, draft, states, logged } = await aSite(t)
  const before = [await findSiteSettings(db), await logged()]
  assert.deepEqual(await draft({ tagline: 'Cool' }), { kind: 'saved', value: ['tagline'] })
  assert.deepEqual(await draft({ name: 'Theirs' }), { kind: 'saved', value: ['name'] })
  assert.deepEqual(await draft({ name: 'Theirs' }), { kind: 'saved', value: [] })
  assert.deepEqual([await findSiteSettings(db), await logged()], before)
  const { settings, draft: found } = await findEditedSettings(db)
  assert.deepEqual([settings.name, settings.tagline], ['Theirs', 'Cool'])
  assert.deepEqual([found?.version.savedBy, found?.replaced], ['ann@example.com', []])
  assert.deepEqual(await states(), ['saved', 'former_draft', 'draft'])
})

test('a used draft is saved with further changes, and a draft set back to the saved settings is none', async (t) => {
  const { db, draft, use, states } = await aSite(t)
  await draft({ tagline: 'Cool', home: { heading: 'Hot house?' } })
  assert.deepEqual(await use({ name: 'Theirs' }), { kind: 'saved', value: ['name', 'tagline', 'home'] })
  const { name, tagline, home } = await findSiteSettings(db)
  assert.deepEqual([name, tagline, home.heading], ['Theirs', 'Cool', 'Hot house?'])
  assert.deepEqual(await states(), ['saved', 'former_draft', 'saved'])
  await draft({ tagline: 'Warm' })
  assert.deepEqual(await draft({ tagline: 'Cool' }), { kind: 'saved', value: ['tagline'] })
  assert.equal((await findEditedSettings(db)).draft, undefined)
  await draft({ tagline: 'Warm' })
  const { version } = (await findEditedSettings(db)).draft ?? {}
  assert.equal(await discardSettingsDraft(db, (version?.id ?? 0) - 1), false)
  assert.equal(await discardSettingsDraft(db, version?.id ?? 0), true)
  assert.equal((await findEditedSettings(db)).settings.tagline, 'Cool')
})

test('a draft keeps settings that were saved after it, and names those that it replaces', async (t) => {
  const { db, draft, change, use } = await aSite(t)
  await draft({ tagline: 'Draft', home: { heading: 'Draft' } })
  await change({ tagline: 'Saved', home: { heading: null, intro: 'Saved' }, country: 'IE' })
  const { settings, draft: found } = await findEditedSettings(db)
  assert.deepEqual(found?.replaced, ['tagline'])
  assert.deepEqual([settings.home.heading, settings.home.intro, settings.country], ['Draft', 'Saved', 'IE'])
  const [first] = (await listVersions(db, SETTINGS_SUBJECT, { limit: 20 })).slice(-1)
  await restoreSettings(db, { versionId: first?.id ?? 0, mayChangeTags: true }, { now: NOW })
  assert.equal((await findEditedSettings(db)).settings.tagline, 'Draft')
  await use()
  const { tagline, country } = await findSiteSettings(db)
  assert.deepEqual([tagline, country], ['Draft', undefined])
})

test('a draft that is outdated, invalid, or has tags of an owner is refused, and nothing changes', async (t) => {
  const { db, draft, change, use, states } = await aSite(t)
  await savePicture(db, aPicture({ name: 'van.jpg' }), { now: NOW.toISOString() })
  const { stamp } = await findEditedSettings(db)
  assert.equal(stamp, settingsVersion(await findSiteSettings(db)))
  const codesOf = async (outcome: ReturnType<typeof draft>) => {
    const { kind, ...rest } = await outcome
    return 'problems' in rest ? rest.problems.map(({ code }) => code) : kind
  }
  assert.deepEqual(await codesOf(draft({ logo: 'nope.png' })), ['picture_unknown'])
  assert.deepEqual(await codesOf(draft({ phone: '12' })), ['undialable'])
  await draft({ logo: 'van.jpg', tags: { head: '<script></script>' } }, stamp)
  assert.equal(await codesOf(draft({ tagline: 'Cool' }, stamp)), 'outdated')
  assert.equal(await codesOf(use({}, { basedOn: stamp })), 'outdated')
  assert.deepEqual(await codesOf(use({}, { mayChangeTags: false })), ['tags_of_owners'])
  assert.equal((await listPicturePlaces(db, 'van.jpg')).places[0]?.isDraft, true)
  await deletePictures(db, ['van.jpg'])
  assert.deepEqual(await codesOf(use()), ['picture_unknown'])
  assert.deepEqual(await states(), ['saved', 'draft'])
  assert.equal(await codesOf(change({ tagline: 'Saved' })), 'saved')
  assert.deepEqual(await states(), ['saved', 'draft', 'saved'])
})

test('a draft of any settings, merged with any that were saved since, has the changes of both', () => {
  const random = randomFrom(20)
  const text = () => anyOf(['Cool', 'Warm', 'Über “all”'], random)
  const edit = () =>
    siteSettings.parse({
      name: text(),
      tagline: anyOf([null, text()], random),
      navigation: anyOf([[], [{ label: text(), path: '/about' }]], random),
      theme: anyOf([{}, { radius: 8 }, { colors: { primary: '#2f42a5' } }], random),
      sections: anyOf([undefined, { home: ['faq'] }], random),
      home: { heading: anyOf([null, text()], random), intro: anyOf([null, text()], random) },
    })
  for (let round = 0; round < 100; round += 1) {
    const [base, saved, draft] = [edit(), edit(), edit()]
    const { settings, replaced } = mergeDraft({ saved, base, draft })
    const drafted = new Set(compareSettings(base, draft).map(({ path }) => path))
    const againstDraft = compareSettings(settings, draft).map(({ path }) => path)
    const againstSaved = compareSettings(saved, settings).map(({ path }) => path)
    assert.ok(againstDraft.every((path) => !drafted.has(path)))
    assert.ok(againstSaved.every((path) => drafted.has(path)))
    assert.ok(replaced.every((path) => againstSaved.includes(path)))
    assert.equal(canonicalJson(siteSettings.parse(settings)), canonicalJson(settings))
  }
})
