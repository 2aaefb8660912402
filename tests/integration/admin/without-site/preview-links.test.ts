import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { describeLink } from '#src/admin/publish/previews/describe-link.ts'
import { receivePreview, takeNewLink } from '#src/admin/publish/receive-preview.ts'
import { receiveSelection } from '#src/admin/publish/receive-selection.ts'
import type { Role } from '#src/auth/roles/role.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { loadPending } from '#src/publish/pending/pending-changes.ts'
import { beginPreview, type WantedPreview } from '#src/publish/previews/make-preview.ts'
import { failPreviews } from '#src/publish/previews/preview-store.ts'
import { insertPublish } from '#src/publish/publish-store.ts'
import { entryKey } from '#src/site/pages/page-key.ts'
import { findEditedSettings, saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { anAdminPage, answerOf } from '../../../support/admin-page.ts'
import { goLive } from '../../../support/live-release.ts'
import { draftEntry, editEntry } from '../../../support/small-edits.ts'
import { addEntry } from '../../../support/small-site.ts'

const PREVIEWS = '/admin/publish/previews'

/** A site with two live pages that were changed since. */
async function aSite(t: TestContext, { role = 'owner' as Role, failure = '' } = {}) {
  const made: WantedPreview[] = []
  const requests: object[] = []
  const previews = {
    async make(wanted: WantedPreview) {
      made.push(wanted)
      const begun = await beginPreview(page.db, { ...wanted, now: new Date() })
      if (failure) await failPreviews(page.db, { id: begun.id, message: failure })
      return begun
    },
  }
  const publishing = {
    ...{ previews, planner: { noteChange() {} } },
    request: async (request: object) => requests.push(request),
  }
  const page = await anAdminPage(t, { role, app: { publishing } })
  const { db, app, open } = page
  const { dataDir } = app.config
  const ids = new Map<string, number>()
  for (const slug of ['about', 'team', 'news'])
    ids.set(slug, await addEntry(db, 'pages', { slug, title: slug }))
  const [about = 0, team = 0, news = 0] = ['about', 'team', 'news'].map((slug) => ids.get(slug))
  const pages = [about, team, news].map((id) => ({
    ...{ path: `/${id}`, key: entryKey({ id }), entryId: id },
  }))
  await goLive(dataDir, { facts: { position: await findLogEnd(db) }, pages })
  for (const id of [about, team]) await editEntry(db, id, { title: `New ${id}` }, new Date())
  const post = async (fields: Record<string, string | readonly string[]>) =>
    answerOf(await receivePreview(open(PREVIEWS, { post: fields }), {}))
  const load = async () => (await loadPending(db, { dataDir, now: new Date() }))?.changes ?? []
  const select = async (changes: readonly string[]) =>
    answerOf(await receiveSelection(open('/admin/publish/changes', { post: { changes } }), await load()))
  const onlyOf = ({ only }: WantedPreview) => only?.map(({ subject, subjectId }) => `${subject}:${subjectId}`)
  return { ...page, made, requests, about, team, news, post, select, load, onlyOf }
}

test('a preview link of all changes is shown once', async (t) => {
  const { open, jar, made, post, activity } = await aSite(t)
  assert.equal(await post({}), `303 ${PREVIEWS}`)
  assert.partialDeepStrictEqual(made, [{ madeBy: 'ann@example.com', only: undefined, hasMoreEdits: false }])
  assert.equal(made[0]?.edits?.length, 2)
  const [entry] = await activity()
  assert.deepEqual([entry?.action, entry?.subjectId], ['preview.made', '1'])
  const token = jar.get('signpost_preview')
  assert.ok(token)
  const context = open(PREVIEWS)
  assert.equal(takeNewLink(context), `https://www.example.com/api/previews/${token}`)
  // A link is a secret, which no cache keeps.
  assert.equal(context.response.headers.get('cache-control'), 'no-store')
  const again = open(PREVIEWS)
  assert.deepEqual([takeNewLink(again), again.response.headers.get('cache-control')], [undefined, null])
})

test('a preview of selected changes has only those', async (t) => {
  const { made, about, team, post, load, onlyOf } = await aSite(t)
  await post({ changes: [`entry:${about}`, 'entry:9999'], choice: 'on' })
  assert.deepEqual(made.map(onlyOf), [[`entry:${about}`]])
  const change = (await load()).find(({ subjectId }) => subjectId === `${about}`)
  assert.equal(made[0]?.only?.[0]?.changeId, change?.changeId)
  // All of them are what is saved while it is made.
  await post({ changes: [`entry:${about}`, `entry:${team}`], choice: 'on' })
  assert.deepEqual(made.slice(1).map(onlyOf), [undefined])
})

test('a draft is shown instead of what was saved, and stays a draft', async (t) => {
  const { db, made, about, team, news, post, onlyOf } = await aSite(t)
  await draftEntry(db, about, { title: 'Draft' })
  const unpublished = await addEntry(db, 'pages', { slug: 'jobs', title: 'Jobs', status: 'draft' })
  const both = { changes: [`entry:${about}`, `entry:${team}`] }
  await post({ ...both, drafts: [`entry:${about}`, `entry:${unpublished}`, `entry:${news}`], choice: 'on' })
  const [wanted] = made
  assert.ok(wanted)
  assert.deepEqual(onlyOf(wanted)?.sort(), [`entry:${about}`, `entry:${team}`, `entry:${unpublished}`].sort())
  const draft = wanted.only?.find(({ subjectId }) => subjectId === `${about}`)
  assert.ok(draft?.draft)
  assert.equal(draft.changeId, undefined)
  assert.ok(wanted.only?.find(({ subjectId }) => subjectId === `${team}`)?.changeId)
  assert.deepEqual(wanted.edits?.map(({ name, change }) => [name, change]).sort(), [
    ['Jobs', 'added'],
    [`New ${about}`, 'edited'],
    [`New ${team}`, 'edited'],
  ])
})

test('a draft of the settings is named by its screen', async (t) => {
  const { db, made, post } = await aSite(t)
  const { stamp, saved } = await findEditedSettings(db)
  const changes = { home: { ...saved.home, heading: 'Hi' } }
  await saveSettingsDraft(db, { changes, basedOn: stamp }, { now: new Date() })
  await post({ drafts: ['setting:site'], choice: 'on' })
  assert.deepEqual(
    made[0]?.edits?.map(({ name, page }) => [name, page]),
    [['Home page', 'fixed:/']],
  )
})

test('a preview that can’t be made says why', async (t) => {
  const { db, made, about, post, message, jar, activity } = await aSite(t)
  for (const [fields, reason] of [
    [{ choice: 'on' }, /Select at least one/],
    [{ changes: ['entry:9999'], choice: 'on' }, /./],
  ] as const) {
    assert.equal(await post(fields), `303 ${PREVIEWS}`)
    const flash = message()
    assert.equal(flash?.kind, 'error')
    assert.match(flash?.text ?? '', reason)
  }
  await draftEntry(db, about, { slug: 'jobs' })
  await addEntry(db, 'pages', { slug: 'jobs', title: 'Jobs' })
  await post({ drafts: [`entry:${about}`], choice: 'on' })
  assert.match(message()?.text ?? '', /^No link was created\. .*is still a draft/)
  assert.deepEqual([made, jar.size, await activity()], [[], 0, []])
})

test('a preview that fails at once has no link', async (t) => {
  const { post, message, jar, activity } = await aSite(t, { failure: 'The disk is full.' })
  await post({})
  assert.deepEqual(message(), { kind: 'error', text: 'The disk is full.' })
  assert.deepEqual([jar.size, await activity()], [0, []])
})

test('a user’s preview has only drafts that they may use', async (t) => {
  const { db, made, post, message } = await aSite(t, { role: 'editor' })
  await saveSettingsDraft(db, { changes: { tagline: 'New' } }, { now: new Date() })
  await post({ drafts: ['setting:site'], choice: 'on' })
  assert.deepEqual([made, message()?.kind], [[], 'error'])
})

test('selected changes are published, and the screen waits for that publish', async (t) => {
  const { db, requests, about, userId, select, message, activity } = await aSite(t)
  assert.equal(await select([`entry:${about}`, 'entry:9999']), '303 /admin/publish?after=0&selection')
  const only = [{ subject: 'entry', subjectId: `${about}` }]
  assert.deepEqual(requests, [{ startedBy: 'admin', userId, only }])
  assert.equal(message()?.kind, 'success')
  assert.equal((await activity())[0]?.action, 'site.published')
  const at = new Date().toISOString()
  const id = await insertPublish(db, { ...{ machine: 'a', startedBy: 'admin' }, userId, startedAt: at })
  assert.match(await select([`entry:${about}`]), new RegExp(`after=${id}&`))
})

test('a selection of nothing, or of what is live by now, publishes nothing', async (t) => {
  const { requests, select, message, activity } = await aSite(t)
  const texts: (string | undefined)[] = []
  for (const keys of [[], ['entry:9999']]) {
    assert.equal(await select(keys), '303 /admin/publish/changes')
    const flash = message()
    assert.equal(flash?.kind, 'error')
    texts.push(flash?.text)
  }
  assert.notEqual(texts[0], texts[1])
  assert.deepEqual([requests, await activity()], [[], []])
})

test('a new link is described by its state', () => {
  const describe = (state: string, failureMessage: string | null = null) =>
    describeLink({ state, preview: { failureMessage } } as never)
  const texts = [describe('making'), describe('older'), describe('open')]
  assert.equal(new Set(texts).size, 3)
  assert.equal(describe('failed', 'The disk is full.'), 'The disk is full.')
})
