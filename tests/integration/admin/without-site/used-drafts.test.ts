import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findVersionedEntry } from '#src/admin/entries/versions/versioned-entry.ts'
import { useDrafts } from '#src/admin/publish/drafts/use-drafts.ts'
import { withSeenOffers } from '#src/admin/publish/seen-offers.ts'
import { findVersionedSettings } from '#src/admin/settings/versioned-settings.ts'
import type { Role } from '#src/auth/roles/role.ts'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { deleteForm } from '#src/forms/form-store.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { findEditedSettings, saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { anAdminPage } from '../../../support/admin-page.ts'
import { storeForm } from '../../../support/forms.ts'
import { goLive } from '../../../support/live-release.ts'
import { draftEntry } from '../../../support/small-edits.ts'
import { addEntry, addPlaces } from '../../../support/small-site.ts'

const FINDERS = {
  entry: async (context: Parameters<typeof findVersionedEntry>[0]) =>
    (await findVersionedEntry(context))?.versioned,
  setting: findVersionedSettings,
}

/** A published page with a draft, a page that was never published, and a draft of the settings. */
async function someDrafts(t: TestContext, { role = 'owner' as Role, settings = {} } = {}) {
  const page = await anAdminPage(t, { role })
  const { db } = page
  const about = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  await draftEntry(db, about, { title: 'Our story' })
  const jobs = await addEntry(db, 'pages', { slug: 'jobs', title: 'Jobs', status: 'draft' })
  const form = await storeForm(db, 'quote')
  const { stamp } = await findEditedSettings(db)
  const changes = { tagline: 'New', ...settings }
  const saved = await saveSettingsDraft(db, { changes, basedOn: stamp }, { now: new Date() })
  assert.equal(saved.kind, 'saved')
  const keys = ['setting:site', `entry:${about}`, `entry:${jobs}`]
  const use = (wanted: readonly string[] = keys) => useDrafts(page.open('/admin/publish'), wanted, FINDERS)
  const stateOf = async (id: number) => {
    const entry = await findEntryById(db, id)
    return `${entry?.title}: ${entry?.status}`
  }
  const actions = async () => (await page.activity()).map(({ action, subjectId }) => `${action} ${subjectId}`)
  return { ...page, form, about, jobs, use, stateOf, actions }
}

test('drafts become what is saved, and each is recorded', async (t) => {
  const { db, about, jobs, use, stateOf, actions, activity, woken } = await someDrafts(t)
  assert.deepEqual(await use(), [])
  assert.deepEqual([await stateOf(about), await stateOf(jobs)], ['Our story: published', 'Jobs: published'])
  assert.equal((await findSiteSettings(db)).tagline, 'New')
  assert.equal((await findEditedSettings(db)).draft, undefined)
  const type = (await findEntryById(db, jobs))?.typeId
  assert.deepEqual((await actions()).sort(), [
    ...[`entries.published ${type}`, `entry.draft_used ${about}`, 'settings.draft_used site'],
  ])
  const summaries = (await activity()).map(({ summary }) => summary).join()
  assert.match(summaries, /About|Our story/)
  assert.match(summaries, /Jobs/)
  assert.ok(woken.includes('planner'))
  const [version] = await listVersions(db, { kind: 'entry', id: about }, { limit: 1 })
  assert.equal(version?.savedBy, 'ann@example.com')
  // They aren't drafts any more.
  assert.deepEqual([await use(), (await actions()).length], [[], 3])
})

test('only chosen drafts are used, and only by users who may', async (t) => {
  const { db, about, jobs, use, stateOf, actions } = await someDrafts(t, { role: 'editor' })
  await use(['setting:site', `entry:${about}`])
  assert.deepEqual([await stateOf(about), await stateOf(jobs)], ['Our story: published', 'Jobs: draft'])
  assert.notEqual((await findSiteSettings(db)).tagline, 'New')
  assert.deepEqual(await actions(), [`entry.draft_used ${about}`])
})

test('no draft is used if one is invalid by now', async (t) => {
  const { db, about, jobs, use, stateOf, actions } = await someDrafts(t)
  await draftEntry(db, about, { slug: 'team' })
  await addEntry(db, 'pages', { slug: 'team', title: 'Team' })
  const refused = await use()
  assert.match(refused.join(), /^“(?:About|Our story)” is still a draft: ./)
  assert.deepEqual([await stateOf(about), await stateOf(jobs)], ['About: published', 'Jobs: draft'])
  assert.notEqual((await findSiteSettings(db)).tagline, 'New')
  assert.deepEqual(await actions(), [])
})

test('no draft is used if that of the settings is invalid by now', async (t) => {
  const { db, form, about, use, stateOf, actions } = await someDrafts(t, {
    settings: { default_form: 'quote' },
  })
  await deleteForm(db, form.id)
  const [refused = '', ...others] = await use()
  assert.match(refused, /^“Settings” is still a draft: ./)
  assert.deepEqual([others, await stateOf(about), await actions()], [[], 'About: published', []])
})

test('a page whose address belongs to another page stays a draft', async (t) => {
  const { db, use, stateOf, actions } = await someDrafts(t)
  const id = await addEntry(db, 'pages', { slug: 'services', title: 'Ours', status: 'draft' })
  const [refused = ''] = await use([`entry:${id}`])
  assert.match(refused, /^“Ours” is still a draft: ./)
  assert.deepEqual([await stateOf(id), await actions()], ['Ours: draft', []])
})

/** A service offered in Austin on the live site, and a function that compares it with other place patterns. */
async function anOffer(t: TestContext) {
  const { db, app } = await anAdminPage(t)
  const { dataDir } = app.config
  const places = await addPlaces(db, 'texas/austin', 'texas/dallas')
  const data = { offered_in: ['austin'] }
  const id = await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC', data })
  const live = { title: 'AC', data }
  const seen = async (...offered_in: string[]) => {
    const content = { title: 'AC repair', data: { offered_in, other: 1 } }
    return (await withSeenOffers({ db, dataDir }, { id, live, content })) as typeof content
  }
  const publish = async (id = '20261124T090000000Z') =>
    goLive(dataDir, { id, facts: { position: await findLogEnd(db) } })
  const addPlace = (text: string) =>
    addTerms(db, 'locations', { text, parentId: places.get('texas') ?? null }, { now: new Date() })
  return { seen, publish, addPlace }
}

test('patterns about live places are seen', async (t) => {
  const { seen, publish } = await anOffer(t)
  const content = (...offered_in: string[]) => ({ title: 'AC repair', data: { offered_in, other: 1 } })
  // Before the first publish, nothing is live.
  assert.deepEqual(await seen('austin', 'dallas'), content('austin', 'dallas'))
  await publish()
  assert.deepEqual(await seen('austin'), content('austin'))
  assert.deepEqual(await seen('austin', 'dallas'), content('austin', 'dallas'))
  assert.deepEqual(await seen(), content())
})

test('patterns about places that aren’t live are not', async (t) => {
  const { seen, publish, addPlace } = await anOffer(t)
  await publish()
  const added = await addPlace('Waco')
  assert.equal(added.kind, 'saved')
  const patternsOf = async (...patterns: string[]) => (await seen(...patterns)).data.offered_in
  assert.deepEqual(await patternsOf('austin', 'waco'), ['austin'])
  assert.deepEqual(await patternsOf('austin', 'dallas', 'waco'), ['austin', 'dallas'])
  // Everything else of the service is as it was saved.
  assert.partialDeepStrictEqual(await seen('austin', 'waco'), { title: 'AC repair', data: { other: 1 } })
  await publish('20261124T110000000Z')
  assert.deepEqual(await patternsOf('austin', 'waco'), ['austin', 'waco'])
})
