import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endPublish, insertPublish, listPublishes } from '#src/publish/publish-store.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { waitFor } from '../../support/running-site.ts'
import { draftEntry, editEntry, editPlace } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000

/** What the dashboard says about content, and the title of the changes on the Publish screen. */
async function look(site: AdminSite) {
  const title = (await site.open('/admin')).getByRole('heading', { name: 'Content by status' })
  const isLooking = async () =>
    (await site.open('/admin/publish')).element.querySelector('[data-live]') !== null
  site.app.publishing.planner.noteChange()
  await waitFor(async () => !(await isLooking()), PATIENCE_MS)
  const publish = await site.open('/admin/publish')
  const rows = (await site.open('/admin/publish/changes')).queryAllByRole('checkbox').length
  const changes = publish.element.querySelector('#changes')?.textContent?.trim()
  return { lead: title.nextElementSibling?.textContent, changes, rows }
}

test('the dashboard counts the changes that Publish would publish, and every draft', async (t) => {
  let about = 0
  const site = await startAdmin(t, {
    prepare: async ({ db }) => {
      about = await addEntry(db, 'pages', { slug: 'about', title: 'About us' })
    },
  })
  const { db } = site.app
  const saving = { now: new Date() }
  assert.equal((await look(site)).lead, '0 unpublished changes, 3 live, 0 drafts.')

  await changeSiteSettings(db, { changes: { home: { heading: 'Hot house?' } } }, saving)
  await editEntry(db, about, { title: 'About' })
  const { id } = await db
    .selectFrom('taxonomy_terms')
    .select('id')
    .where('slug', '=', 'austin')
    .executeTakeFirstOrThrow()
  await editPlace(db, id, { name: 'Austin, TX' })
  await saveSettingsDraft(db, { changes: { tagline: 'Cool' } }, saving)
  await draftEntry(db, about, { title: 'About all of us' })
  await addEntry(db, 'pages', { slug: 'team', title: 'Team', status: 'draft' })
  assert.deepEqual(await look(site), {
    lead: '3 unpublished changes, 2 live, 3 drafts, 2 of them for live pages.',
    changes: '3 unpublished changes',
    rows: 3,
  })
  const dashboard = await site.open('/admin')
  dashboard.getByRole('link', { name: 'Show unpublished changes' })
  const table = dashboard.part('table', { name: 'Content by status' })
  for (const name of ['Settings', 'Places and categories', 'Pages'])
    table.getByRole('row', { name: RegExp(name) })
})

test('the dashboard counts the pages of a publish, and none for a rollback', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const latest = async () => {
    const heading = (await site.open('/admin')).getByRole('heading', { name: 'Latest publish' })
    return heading.nextElementSibling?.textContent ?? ''
  }
  assert.match(await latest(), /[1-9]\d* pages, including lists and forms: /)
  const [{ machine, releaseId } = { machine: '', releaseId: null }] = await listPublishes(db, { limit: 1 })
  const startedAt = new Date().toISOString()
  const id = await insertPublish(db, { machine, startedBy: 'command', userId: null, startedAt })
  const shown = { releaseId, previousReleaseId: releaseId }
  await endPublish(db, id, { status: 'rolled_back', finishedAt: startedAt, ...shown })
  assert.match(await latest(), /rolled back/)
  assert.doesNotMatch(await latest(), /pages/)
})
