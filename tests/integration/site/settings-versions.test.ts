import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeProblem } from '#src/messages/admin/problems.ts'
import { deletePictures, savePicture } from '#src/pictures/picture-store.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import { restoreSettings } from '#src/site/settings/restore-settings.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { keepVersion } from '#src/versions/keep-version.ts'
import { listVersionContents } from '#src/versions/version-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aPicture } from '../../support/pictures.ts'
import { anyOf, randomFrom } from '../../support/requests/random.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const EDITS = 60

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
