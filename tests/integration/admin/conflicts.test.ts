import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { listConflicts } from '#src/content-files/conflicts/conflict-store.ts'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import { checkContent } from '#src/doctor/check-site.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'
import { readPage, wordsOf } from '../../support/pages/read-page.ts'
import { addPerson } from '../../support/people.ts'
import { said } from '../../support/said.ts'

const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\n\nWho we are.\n`

// A site whose page About changed in its file and in the admin.
async function aSiteWithConflict(t: TestContext) {
  const contentDir = temporaryFolder(t)
  const write = (path: string, text: string) => {
    mkdirSync(join(contentDir, path, '..'), { recursive: true })
    writeFileSync(join(contentDir, path), text)
  }
  write('site.yaml', 'name: Ours\n')
  write('services/ac-repair.md', '---\ntitle: AC repair\noffered_in: [austin]\n---\n')
  write('pages/about.md', page('About'))
  const site = await startAdmin(t, { environment: { CONTENT_DIR: contentDir } })
  const { db, config, secretBox } = site.app
  const sync = () =>
    syncContent(db, {
      contentDir,
      pictureFiles: openPictureFiles(contentDir),
      environment: {},
      secretBox,
      now: new Date(),
      prefer: undefined,
    })
  const first = await syncContent(db, {
    contentDir,
    pictureFiles: openPictureFiles(contentDir),
    environment: {},
    secretBox,
    now: new Date(),
    prefer: 'file',
  })
  assert.equal(first.kind, 'synced')
  const setTitle = (title: string) =>
    db.updateTable('content_entries').set({ title }).where('slug', '=', 'about').execute()
  const titleOf = async (slug: string) =>
    (await db.selectFrom('content_entries').select('title').where('slug', '=', slug).executeTakeFirst())
      ?.title
  await setTitle('The <b>admin</b> title')
  write('pages/about.md', page('The file title'))
  assert.equal((await sync()).kind, 'conflicts')
  const [conflict] = await listConflicts(db, { limit: 1 })
  assert.ok(conflict)
  const decision = (prefer: string, version = conflict.version) => ({ path: conflict.path, prefer, version })
  return { ...site, db, config, write, sync, titleOf, setTitle, decision }
}

test('the dashboard, Publish, and doctor show a conflict with both versions', async (t) => {
  const site = await aSiteWithConflict(t)
  const noticeOn = async (path: string) => {
    const link = (await site.open(path)).getByRole('link', { name: /^Compare versions/ })
    return wordsOf(link.closest('[role]') as Element)
  }
  for (const path of ['/admin', '/admin/publish'])
    assert.ok((await noticeOn(path)).startsWith('1 content file is not synced'), path)
  const shown = await site.open('/admin/conflicts')
  for (const text of [/pages\/about\.md/, /The <b>admin<\/b> title/, /The file title/])
    assert.notEqual(shown.queryAllByText(text).length, 0, String(text))
  const finding = await checkContent(site.config)
  assert.deepEqual([finding.state, /pages\/about\.md/.test(said(finding).says)], ['warning', true])
})

test('a conflict lists fields changed on both sides, and names the others', async (t) => {
  const site = await aSiteWithConflict(t)
  await site.db
    .updateTable('content_entries')
    .set({ body: 'Who we are today.' })
    .where('slug', '=', 'about')
    .execute()
  site.write('pages/about.md', page('The file title', 'summary: Of the file\n'))
  await site.sync()
  const card = (await site.open('/admin/conflicts')).part('region', { name: 'The <b>admin</b> title' })
  card.getByRole('heading', { name: 'The <b>admin</b> title', level: 2 })
  assert.deepEqual(
    card.getAllByRole('heading', { level: 3 }).map((heading) => wordsOf(heading)),
    ['Title'],
  )
  card.getByText('Changed only in the admin: Text. Every option keeps these changes.')
  card.getByText('Changed only in the file: Summary. “Keep admin version” discards these changes.')
  const [conflict] = await listConflicts(site.db, { limit: 1 })
  await site.post('/admin/conflicts', site.decision('file', conflict?.version))
  const { title, body } = await site.db
    .selectFrom('content_entries')
    .select(['title', 'body'])
    .where('slug', '=', 'about')
    .executeTakeFirstOrThrow()
  assert.deepEqual([title, body], ['The file title', 'Who we are today.'])
})

test('texts that changed on both sides are compared as visitors read them, with the source on request', async (t) => {
  const site = await aSiteWithConflict(t)
  await site.db
    .updateTable('content_entries')
    .set({ body: 'We are **your neighbors** since 1990.' })
    .where('slug', '=', 'about')
    .execute()
  site.write('pages/about.md', '---\ntitle: About\n---\n\nWe are **your plumbers** since 1990.\n')
  await site.sync()
  const card = (await site.open('/admin/conflicts')).part('region', { name: 'The <b>admin</b> title' })
  const [admin, file] = ['del', 'ins'].map((mark) => card.element.querySelector(`strong ${mark}`))
  assert.equal(wordsOf(admin as Element), 'removed: neighbors')
  assert.equal(wordsOf(file as Element), 'added: plumbers')
  const source = card.getByText('Show Markdown').closest('details')
  assert.equal(source?.open, false)
  assert.match(wordsOf(source as Element), /\*\*your/)
})

test('choosing the file version applies it as an unpublished change', async (t) => {
  const site = await aSiteWithConflict(t)
  const settled = await site.post('/admin/conflicts', site.decision('file'))
  assert.equal(settled.headers.get('location'), '/admin/conflicts')
  assert.equal(await site.titleOf('about'), 'The file title')
  ;(await site.open('/admin/conflicts')).getByText(/^No errors or conflicts/)
  const dashboard = await site.open('/admin')
  assert.equal(dashboard.queryAllByRole('link', { name: /Compare versions/ }).length, 0)
  dashboard.whole.part('navigation', { name: 'Admin' }).getByText('changes')
  ;(await site.open('/admin/audit')).part('table').getByText('Used the file version of pages/about.md')
  assert.equal((await checkContent(site.config)).state, 'ok')
})

test('choosing the admin version resolves the conflict permanently', async (t) => {
  const site = await aSiteWithConflict(t)
  await site.post('/admin/conflicts', site.decision('database'))
  assert.equal((await site.sync()).kind, 'synced')
  assert.equal(await site.titleOf('about'), 'The <b>admin</b> title')
})

test('choosing one file version syncs no other file', async (t) => {
  const site = await aSiteWithConflict(t)
  site.write('pages/new.md', page('Half-written'))
  site.write('pages/wrong.md', '---\ntitel: Wrong\n---\n')
  await site.post('/admin/conflicts', site.decision('file'))
  assert.deepEqual([await site.titleOf('about'), await site.titleOf('new')], ['The file title', undefined])
})

test('a conflict that changed meanwhile is shown again instead of resolved', async (t) => {
  const site = await aSiteWithConflict(t)
  await site.setTitle('Edited once more')
  const answer = await site.post('/admin/conflicts', site.decision('file'))
  const page = readPage(await answer.text())
  assert.equal(answer.status, 409)
  page.part('alert').getByText(/has since changed\. Compare the versions again/)
  assert.notEqual(page.queryAllByText(/Edited once more/).length, 0)
  assert.equal(await site.titleOf('about'), 'Edited once more')
})

test('an invalid file can’t be chosen, and the reason is shown', async (t) => {
  const site = await aSiteWithConflict(t)
  site.write('pages/about.md', page('The file title', 'form: none\n'))
  const answer = await site.post('/admin/conflicts', site.decision('file'))
  assert.equal(answer.status, 409)
  readPage(await answer.text())
    .part('alert')
    .getByText(/unknown form "none"/)
  assert.equal((await site.post('/admin/conflicts', { path: 'x' })).status, 422)
})

test('an editor resolves conflicts in pages and can’t see those in forms or settings', async (t) => {
  const site = await aSiteWithConflict(t)
  const { db } = site
  const form = (name: string) =>
    `name: ${name}\nsettings:\n  notification_email: leads@secret.example\nfields:\n  - { name: email, label: Email, type: email }\n`
  site.write('forms/calls.yaml', form('Calls'))
  await site.sync()
  site.write('forms/calls.yaml', form('Calls of the file'))
  site.write('site.yaml', 'name: Theirs\n')
  await db.updateTable('forms').set({ name: 'Calls of the admin' }).where('slug', '=', 'calls').execute()
  await site.post('/admin/settings', { name: 'Mine' })
  await site.sync()
  const conflicts = new Map((await listConflicts(db, { limit: 9 })).map((one) => [one.path, one]))
  assert.deepEqual([...conflicts.keys()], ['forms/calls.yaml', 'pages/about.md', 'site.yaml'])
  const editor = await addPerson(site, 'editor')
  const shown = await (await editor.fetch('/admin/conflicts')).text()
  assert.match(shown, /The file title/)
  assert.doesNotMatch(shown, /Calls of the|secret\.example|Theirs/)
  const nameOf = async () =>
    (await db.selectFrom('forms').select('name').where('slug', '=', 'calls').executeTakeFirst())?.name
  for (const path of ['forms/calls.yaml', 'site.yaml'])
    for (const prefer of ['file', 'database']) {
      const version = conflicts.get(path)?.version ?? ''
      assert.equal((await editor.post('/admin/conflicts', { path, prefer, version })).status, 403)
    }
  assert.equal(await nameOf(), 'Calls of the admin')
  assert.equal((await editor.post('/admin/conflicts', site.decision('file'))).status, 303)
  const version = conflicts.get('forms/calls.yaml')?.version ?? ''
  const manager = await addPerson(site, 'manager')
  assert.match(await (await manager.fetch('/admin/conflicts')).text(), /Calls of the file/)
  await manager.post('/admin/conflicts', { path: 'forms/calls.yaml', prefer: 'file', version })
  assert.equal(await nameOf(), 'Calls of the file')
})

test('a conflict in the settings is resolved field by field', async (t) => {
  const site = await aSiteWithConflict(t)
  site.write('site.yaml', 'name: Theirs\ntagline: Of the file\naddress: 1 Quay St\n')
  await changeSiteSettings(
    site.db,
    { changes: { name: 'Mine', tagline: 'Of the admin', phone: '(512) 555-0100' } },
    { now: new Date() },
  )
  await site.sync()
  const settingsConflict = async () =>
    (await listConflicts(site.db, { limit: 9 })).find(({ path }) => path === 'site.yaml')
  const card = (await site.open('/admin/conflicts')).part('region', { name: 'Mine' })
  const boxes = card.getAllByRole<HTMLInputElement>('checkbox').map(({ value }) => value)
  assert.deepEqual(boxes.sort(), ['name', 'tagline'])
  card.getByText('Changed only in the admin: Phone. Every option keeps these changes.')
  card.getByText('Changed only in the file: Mailing address. Every option keeps these changes.')
  const version = (await settingsConflict())?.version ?? ''
  const merged = await site.post('/admin/conflicts', {
    ...{ path: 'site.yaml', prefer: 'fields', version },
    fields: ['tagline'],
  })
  assert.equal(merged.status, 303, await merged.text())
  const { name, tagline, address, phone } = await findSiteSettings(site.db)
  assert.deepEqual([name, tagline, address, phone], ['Mine', 'Of the file', '1 Quay St', '(512) 555-0100'])
  await site.sync()
  assert.equal(await settingsConflict(), undefined)
  assert.equal((await findSiteSettings(site.db)).name, 'Mine')
})

test('settings that never equaled their file are resolved field by field too', async (t) => {
  const site = await aSiteWithConflict(t)
  await site.db.deleteFrom('content_files').where('path', '=', 'site.yaml').execute()
  await changeSiteSettings(site.db, { changes: { name: 'Mine', tagline: 'Cool' } }, { now: new Date() })
  await site.sync()
  const conflict = (await listConflicts(site.db, { limit: 9 })).find(({ path }) => path === 'site.yaml')
  const decision = { path: 'site.yaml', prefer: 'fields', version: conflict?.version ?? '' }
  assert.equal((await site.post('/admin/conflicts', { ...decision, fields: ['name'] })).status, 303)
  const { name, tagline } = await findSiteSettings(site.db)
  assert.deepEqual([name, tagline], ['Ours', 'Cool'])
})
