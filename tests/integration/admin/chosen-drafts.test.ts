import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { checkDrafts } from '#src/admin/publish/drafts/check-drafts.ts'
import { hrefOfDraft, listChosenDrafts } from '#src/admin/publish/drafts/use-drafts.ts'
import { changeKey } from '#src/admin/publish/pending-row.ts'
import { NO_LIMITS, type Role } from '#src/auth/roles/role.ts'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { saveDraft } from '#src/entries/history/entry-draft.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findEditedSettings, saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const by = { source: 'admin', email: 'ann@example.com' } as const

/** A site with a draft of its settings, a draft of a page, and a page that was never published. */
async function someDrafts(t: TestContext) {
  const db = await openTestDatabase(t)
  const type = await findContentType(db, 'pages')
  assert.ok(type)
  const { stamp } = await findEditedSettings(db)
  const saved = await saveSettingsDraft(db, { changes: { tagline: 'New' }, basedOn: stamp }, { now: NOW, by })
  assert.equal(saved.kind, 'saved')
  const page = await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const input = { ...emptyEntryInput({}), slug: 'team', title: 'Team' }
  assert.equal((await saveDraft(db, { type, id: page, input }, { now: NOW, by })).kind, 'saved')
  const unpublished = await addEntry(db, 'pages', { slug: 'news', title: 'News', status: 'draft' })
  const keys = ['setting:site', `entry:${page}`, `entry:${unpublished}`]
  const choose = (wanted: readonly string[], role: Role = 'owner') => {
    const administrator = { id: 4, email: 'ann@example.com', role, limits: NO_LIMITS }
    return listChosenDrafts({ locals: { app: { db }, administrator } } as never, wanted)
  }
  return { db, keys, choose }
}

test('only drafts that a user may use are added to a publish', async (t) => {
  const { keys, choose } = await someDrafts(t)
  const chosen = async (wanted: readonly string[], role?: Role) =>
    (await choose(wanted, role)).map(changeKey).sort()
  assert.deepEqual(await chosen(keys), keys.toSorted())
  assert.deepEqual(await chosen(keys, 'editor'), keys.slice(1).toSorted())
  assert.deepEqual(await chosen(keys, 'viewer'), [])
  assert.deepEqual(await chosen(keys.slice(1, 2)), keys.slice(1, 2))
  assert.deepEqual([await chosen([]), await chosen(['entry:9999', 'form:1'])], [[], []])
})

test('a draft leads to its editor', async (t) => {
  const { keys, choose } = await someDrafts(t)
  const [setting] = await choose(keys.slice(0, 1))
  const [page] = await choose(keys.slice(1, 2))
  assert.ok(setting && page)
  assert.deepEqual(
    [hrefOfDraft(setting), hrefOfDraft(page)],
    ['/admin/settings', `/admin/entries/pages/${page.subjectId}`],
  )
  assert.equal(hrefOfDraft({ ...setting, areas: ['home'] }), '/admin/home')
  assert.equal(hrefOfDraft({ ...setting, areas: ['home', 'settings'] }), '/admin/settings')
})

test('drafts whose address was taken meanwhile are refused, with the reason', async (t) => {
  const { db, keys, choose } = await someDrafts(t)
  const drafts = await choose(keys)
  assert.deepEqual(await checkDrafts(db, drafts), [])
  await addEntry(db, 'pages', { slug: 'team', title: 'Our team' })
  const refused = await checkDrafts(db, drafts)
  assert.equal(refused.length, 1)
  assert.match(refused[0] ?? '', /^“(?:Team|About)” is still a draft: ./)
})
