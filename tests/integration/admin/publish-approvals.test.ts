import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listPublishes } from '#src/publish/publish-store.ts'
import { saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { type Page, readPage, wordsOf } from '../../support/pages/read-page.ts'
import { openAfter } from '../../support/pages/told.ts'
import { waitFor } from '../../support/running-site.ts'
import { draftEntry, editEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000
const PREVIEWS = '/admin/publish/previews'

// A live page, and the links that a user makes.
async function aLivePage(t: TestContext) {
  let id = 0
  const site = await startAdmin(t, {
    async prepare({ db }) {
      id = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'Old text.' })
    },
  })
  const stored = async () => {
    const entries = site.app.db.selectFrom('content_entries').select(['title', 'status'])
    return entries.where('id', '=', id).executeTakeFirstOrThrow()
  }
  return { site, db: site.app.db, id, stored }
}

/** Makes a link, waits for its pages, and returns the screen that shows the link with its path. */
async function makeLink(site: AdminSite, fields = {}) {
  const screen = await openAfter(site, await site.post(PREVIEWS, fields))
  const link = new URL(screen.control('Preview link').value).pathname
  const isReady = async () => {
    const previews = site.app.db.selectFrom('publish_previews').select(['ready_at', 'failure_message'])
    return (await previews.execute()).every((one) => one.ready_at ?? one.failure_message)
  }
  await waitFor(isReady, PATIENCE_MS)
  return { screen, link }
}

async function approve(site: AdminSite, link: string) {
  assert.equal((await answer(site, link, { name: 'Cleo' })).status, 303)
}

function answer(site: AdminSite, link: string, fields: Record<string, string>) {
  const body = new URLSearchParams(fields)
  return fetch(site.url + link, { method: 'POST', body, redirect: 'manual', headers: { origin: site.url } })
}

/** Opens a page as someone with a link. */
async function visit(site: AdminSite, path: string) {
  return readPage(await (await fetch(site.url + path)).text())
}

/** Opens the Publish page, which makes pages of links again, until they are made. */
async function openRefreshed(site: AdminSite) {
  await site.open('/admin/publish')
  await waitFor(() => !site.app.publishing.previews.isRefreshing(1), PATIENCE_MS)
  return site.open('/admin/publish')
}

/** Returns the hash of the pages that a response is about. */
function pagesIn({ element }: Page): string {
  return element.querySelector<HTMLInputElement>('input[name=pages]')?.value ?? ''
}

async function publish(site: AdminSite, path = '/admin/publish') {
  assert.equal((await site.post(path)).status, 303)
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
}

/** Opens the Publish page once its comparison is done. */
async function openCompared(site: AdminSite) {
  const isLive = async () => (await site.open('/admin/publish')).element.querySelector('[data-live]') !== null
  await waitFor(async () => !(await isLive()), PATIENCE_MS)
  return site.open('/admin/publish')
}

test('a draft that waits is named where everything else is published', async (t) => {
  const { site, db, id } = await aLivePage(t)
  await openCompared(site)
  ;(await openCompared(site)).getByRole('heading', { name: 'Everything is published' })
  await draftEntry(db, id, { title: 'Not yet' })
  const page = await openCompared(site)
  page.getByRole('heading', { name: 'Everything except drafts is published' })
  assert.match(page.words, /1 draft is not included: About/)
  const href = `/admin/entries/pages/${id}`
  assert.equal(page.getByRole('link', { name: 'About' }).getAttribute('href'), href)
  const selection = await site.open('/admin/publish/changes')
  selection.getByText('Everything except drafts is published')
  selection.getByRole('link', { name: 'About' })
})

test('scheduled drafts and local pages that are turned off don’t wait', async (t) => {
  const { site, db, id } = await aLivePage(t)
  await draftEntry(db, id, { publishAt: '2999-01-01T09:00:00.000Z' })
  const off = { status: 'draft' as const }
  await db.updateTable('content_entries').set(off).where('slug', '=', 'ac-repair/austin').execute()
  assert.doesNotMatch((await openCompared(site)).words, /waiting/)
})

test('a preview link names the drafts that it leaves out', async (t) => {
  const { site, db, id } = await aLivePage(t)
  await editEntry(db, id, { body: 'New text.' })
  await draftEntry(db, id, { title: 'Our story' })
  await saveSettingsDraft(db, { changes: { tagline: 'Drafted' } }, { now: new Date() })
  const before = await site.open(PREVIEWS)
  assert.equal(before.part('group', { name: 'Drafts' }).getAllByRole('checkbox').length, 2)
  const { screen } = await makeLink(site)
  const named = screen.words.match(/2 drafts are not included in this link: Settings, About/g)
  assert.equal(named?.length, 2, 'beside the new link, and in the list')
  assert.equal(screen.getAllByRole('link', { name: 'Settings' })[0]?.getAttribute('href'), '/admin/settings')
})

test('a link shows selected drafts, which go live with the approved pages and not before', async (t) => {
  const { site, db, id, stored } = await aLivePage(t)
  const unfinished = await addEntry(db, 'pages', { slug: 'team', title: 'Team', status: 'draft' })
  await draftEntry(db, id, { title: 'Our story' })
  await saveSettingsDraft(db, { changes: { name: 'Drafted' } }, { now: new Date() })
  const { name } = await findSiteSettings(db)
  const page = await site.open(PREVIEWS)
  const drafts = ['Settings', 'About', 'Team'].map(
    (draft) => page.control(`Include the draft of ${draft}`).value,
  )
  assert.deepEqual(drafts, ['setting:site', `entry:${id}`, `entry:${unfinished}`])
  const { screen, link } = await makeLink(site, { drafts, choice: '1' })
  screen.getByText('Shows: Settings (draft), About (draft), and Team (draft)')
  assert.doesNotMatch(screen.words, /not included in this link/)
  const textOf = async (path: string) => (await fetch(site.url + path)).text()
  for (const [path, words] of [
    ['/about', /Our story/],
    ['/team', /Team/],
    ['/', /Drafted/],
  ] as const)
    assert.match(await textOf(`${link}/new${path}`), words)
  assert.match(readPage(await textOf(link)).fact('Title').words, /added: Our story/)
  assert.deepEqual([(await stored()).title, (await findSiteSettings(db)).name], ['About', name])

  await approve(site, link)
  const overview = await site.open('/admin/publish')
  overview.getByText('“Publish now” leaves out Settings, About, and Team, which stay drafts.')
  await site.post('/admin/publish')
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  assert.doesNotMatch(await textOf('/about'), /Our story/)
  assert.equal((await site.post(`${PREVIEWS}/1/publish`)).status, 303)
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  assert.equal((await stored()).title, 'Our story')
  assert.match(await textOf('/about'), /Our story/)
  assert.match(await textOf('/team'), /Drafted/)
  ;(await site.open(PREVIEWS)).getByText('published')
})

test('approved drafts of a service and of a local page are published exactly as shown', async (t) => {
  const { site, db } = await aLivePage(t)
  const idOf = async (slug: string) => {
    const entries = db.selectFrom('content_entries').select('id').where('slug', '=', slug)
    return (await entries.executeTakeFirstOrThrow()).id
  }
  const [service, local] = [await idOf('ac-repair'), await idOf('ac-repair/austin')]
  await draftEntry(db, service, { title: 'Cooling', data: { offered_in: ['texas/**', 'texas'] } })
  await draftEntry(db, local, { body: 'We know this town.' })
  const { link } = await makeLink(site, { drafts: [`entry:${service}`, `entry:${local}`] })
  const shown = await (await fetch(`${site.url}${link}/new/services/ac-repair/austin`)).text()
  assert.match(shown, /Cooling[\s\S]*We know this town/)
  await approve(site, link)
  await site.post(`${PREVIEWS}/1/publish`)
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  const [last] = await listPublishes(db, { limit: 1 })
  assert.deepEqual([last?.status, last?.failureMessage], ['published', null])
  const live = await (await fetch(`${site.url}/services/ac-repair/austin`)).text()
  assert.match(live, /Cooling[\s\S]*We know this town/)
})

test('a link is outdated once a draft that it shows changes, and its drafts stay drafts', async (t) => {
  const { site, db, id, stored } = await aLivePage(t)
  await draftEntry(db, id, { title: 'Our story' })
  const { link } = await makeLink(site, { drafts: [`entry:${id}`] })
  await approve(site, link)
  await draftEntry(db, id, { title: 'Our long story' })
  ;(await site.open(PREVIEWS)).getByText('outdated')
  await site.post(`${PREVIEWS}/1/publish`)
  assert.equal((await stored()).title, 'About')
})

test('a link shows only the selected changes, and nothing selected makes no link', async (t) => {
  const { site, db, id } = await aLivePage(t)
  await editEntry(db, id, { body: 'New text.' })
  await addEntry(db, 'pages', { slug: 'team', title: 'Team' })
  const page = await site.open(PREVIEWS)
  assert.deepEqual([page.valueOf('Select About'), page.valueOf('Select Team')], [true, true])
  const cleared = await site.open(page.getByRole('link', { name: 'Clear all' }).getAttribute('href') ?? '')
  assert.deepEqual([cleared.valueOf('Select About'), cleared.valueOf('Select Team')], [false, false])
  const refused = await openAfter(site, await site.post(PREVIEWS, { choice: '1' }))
  assert.match(refused.whole.words, /Select at least one change or draft\./)
  const some = await makeLink(site, { choice: '1', changes: [`entry:${id}`] })
  some.screen.getByText('Shows: About')
  const changes = ['Select About', 'Select Team'].map((label) => page.control(label).value)
  await makeLink(site, { choice: '1', changes })
  // The number of pages is known once they are ready.
  assert.match((await site.open(PREVIEWS)).words, /All changes, /)
})

test('Share preview saves a draft, and only that draft is selected for the link', async (t) => {
  const { site, db, id, stored } = await aLivePage(t)
  await addEntry(db, 'pages', { slug: 'team', title: 'Team' })
  const path = `/admin/entries/pages/${id}`
  ;(await site.open(path)).getByRole('button', { name: 'Share preview' })
  const fields = { title: 'Our story', slug: 'about', status: 'published', act: 'share' }
  const shared = await openAfter(site, await site.post(path, fields))
  assert.deepEqual(
    [shared.valueOf('Include the draft of About'), shared.valueOf('Select Team')],
    [true, false],
  )
  assert.equal((await stored()).title, 'About')
  const editor = await site.open(path)
  editor.getByText('This is a draft. Visitors still see the live version.')
  const shares = [...editor.queryAllByRole('button'), ...editor.queryAllByRole('link')].filter((one) =>
    /share/i.test(wordsOf(one)),
  )
  assert.deepEqual(shares.map(wordsOf), ['Share preview'])
})

test('a page that was never published can be shared, and added to the next publish', async (t) => {
  const { site, db } = await aLivePage(t)
  const id = await addEntry(db, 'pages', { slug: 'team', title: 'Team', status: 'draft' })
  const path = `/admin/entries/pages/${id}`
  const fields = { title: 'Our team', slug: 'team', status: 'draft', act: 'share' }
  const shared = await openAfter(site, await site.post(path, fields))
  assert.equal(shared.valueOf('Include the draft of Our team'), true)
  const page = await site.open(path)
  page.getByText('This is a draft. Visitors can’t see drafts.')
  const button = page.getByRole<HTMLButtonElement>('button', { name: 'Add to next publish' })
  const form = button.closest('form') as HTMLFormElement
  const added = { ids: [String(id)], back: path, [button.name]: button.value }
  const after = await openAfter(site, await site.post(form.getAttribute('action') ?? '', added))
  assert.equal(after.queryByRole('button', { name: 'Add to next publish' }), null)
  ;(await site.open('/admin/publish/changes')).getByRole('checkbox', { name: 'Select Our team' })
})

test('a draft that is invalid by now is named, and no link is made', async (t) => {
  const { site, db, id } = await aLivePage(t)
  await draftEntry(db, id, { slug: 'story' })
  await addEntry(db, 'pages', { slug: 'story', title: 'Another' })
  const refused = await openAfter(site, await site.post(PREVIEWS, { drafts: [`entry:${id}`] }))
  assert.match(refused.whole.words, /No link was created\. “About” is still a draft: /)
  assert.equal((await db.selectFrom('publish_previews').select('id').execute()).length, 0)
})

test('Publish says what was approved and what has changed since', async (t) => {
  const { site, db, id } = await aLivePage(t)
  await editEntry(db, id, { body: 'New text.' })
  assert.doesNotMatch((await site.open('/admin/publish')).words, /approv/i)
  const { link } = await makeLink(site)
  const waiting = await site.open('/admin/publish')
  assert.match(waiting.words, /Waiting for approval\. Link created on /)
  waiting.getByText('You can publish without approval.')
  await approve(site, link)
  const approved = await site.open('/admin/publish')
  assert.match(approved.words, /Approved by Cleo on /)
  approved.getByText('Nothing has changed since then. “Publish now” publishes exactly the approved pages.')
  approved.getByRole('button', { name: 'Publish approved pages' })
  await editEntry(db, id, { body: 'Newer text.' })
  const older = await site.open('/admin/publish')
  older.getByText('Changed since then: About. “Publish now” includes these changes.')
  assert.equal(older.queryByRole('button', { name: 'Publish approved pages' }), null)
  await site.post('/admin/publish')
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  assert.doesNotMatch((await site.open('/admin/publish')).words, /Cleo/)
})

test('Publish lists a link while its changes wait, whatever else is published', async (t) => {
  const { site, db, id } = await aLivePage(t)
  const team = await addEntry(db, 'pages', { slug: 'team', title: 'Team' })
  await editEntry(db, id, { body: 'New text.' })
  await makeLink(site, { 'changes[]': `entry:${id}` })
  await site.post('/admin/publish/changes', { 'changes[]': `entry:${team}` })
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  assert.equal((await fetch(`${site.url}/team`)).status, 200)
  const waiting = await openRefreshed(site)
  assert.match(waiting.words, /Waiting for approval\. Link created on .* \(Shows: About\)/)
  await editEntry(db, id, { body: 'Newer text.' })
  await site.post('/admin/publish')
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  await editEntry(db, team, { body: 'All of us.' })
  assert.doesNotMatch((await site.open('/admin/publish')).words, /Waiting for approval/)
})

test('a link that nobody approved says when its pages went live', async (t) => {
  const { site, db, id } = await aLivePage(t)
  await editEntry(db, id, { body: 'New text.' })
  const { link } = await makeLink(site)
  await site.post('/admin/publish')
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  const list = (await site.open(PREVIEWS)).part('list', { name: /^Preview links/ })
  list.getByText('published')
  assert.match(list.words, /Published \w+ \d/)
  assert.doesNotMatch(list.words, /outdated|out of date/)
  const page = readPage(await (await fetch(site.url + link)).text())
  assert.match(page.part('status').words, /^These changes went live on /)
})

test('Publish names what it publishes beyond an approved selection', async (t) => {
  const { site, db, id } = await aLivePage(t)
  await editEntry(db, id, { body: 'New text.' })
  await addEntry(db, 'pages', { slug: 'team', title: 'Team' })
  const { link } = await makeLink(site, { 'changes[]': `entry:${id}` })
  await approve(site, link)
  const page = await site.open('/admin/publish')
  page.getByText('“Publish now” also publishes: Team')
  page.getByRole('button', { name: 'Publish approved pages' })
})

test('a link to a draft keeps its form when the draft is scheduled and everything else is published', async (t) => {
  const { site, db, id, stored } = await aLivePage(t)
  await draftEntry(db, id, { title: 'Our story' })
  const { link } = await makeLink(site, { drafts: [`entry:${id}`] })
  const before = pagesIn(await visit(site, link))
  await draftEntry(db, id, { title: 'Our story', publishAt: '2999-01-01T09:00:00.000Z' })
  assert.equal(pagesIn(await visit(site, link)), before)
  await site.post('/admin/settings', { tagline: 'Same-day service' })
  const waiting = await site.open('/admin/publish')
  const notice = waiting.getByText(/^Waiting for approval/).parentElement as Element
  assert.match(
    wordsOf(notice),
    /“Publish now” leaves out About, which goes live on Jan 1, 2999, \S+ [AP]M\.“Publish now” publishes only other changes: Site settings/,
  )
  waiting.getByText('Scheduled changes go live without approval.')
  await publish(site)

  assert.doesNotMatch((await openRefreshed(site)).words, /out of date/)
  assert.equal((await answer(site, link, { name: 'Cleo', pages: before })).status, 422)
  const after = await visit(site, link)
  after.getByRole('button', { name: 'Approve these pages' })
  assert.notEqual(pagesIn(after), before)
  assert.match((await visit(site, `${link}/new/about`)).whole.words, /Our story/)
  assert.match(await (await fetch(`${site.url}${link}/new/about`)).text(), /Same-day service/)
  assert.equal((await answer(site, link, { name: 'Cleo', pages: pagesIn(after) })).status, 303)
  await publish(site, `${PREVIEWS}/1/publish`)
  assert.equal((await stored()).title, 'Our story')
  ;(await site.open(PREVIEWS)).getByText('published')
})

test('an approval holds while other pages are published, and ends when an approved page would differ', async (t) => {
  const { site, db, id } = await aLivePage(t)
  const team = await addEntry(db, 'pages', { slug: 'team', title: 'Team' })
  await publish(site)
  await editEntry(db, team, { body: 'All of us.' })
  await editEntry(db, id, { body: 'New text.' })
  const { link } = await makeLink(site, { 'changes[]': `entry:${id}` })
  await approve(site, link)
  await site.post('/admin/publish/changes', { 'changes[]': `entry:${team}` })
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  ;(await openRefreshed(site)).getByRole('button', { name: 'Publish approved pages' })
  await site.post('/admin/settings', { tagline: 'Same-day service' })
  await site.post('/admin/publish/changes', { 'changes[]': 'setting:site' })
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)

  const overview = await openRefreshed(site)
  assert.equal(overview.queryByRole('button', { name: 'Publish approved pages' }), null)
  overview.getByText('This link is out of date. People can still read it, but not respond.')
  const page = await visit(site, link)
  page.getByText('This preview is out of date. You can still read it. To respond, ask for a new link.')
  assert.doesNotMatch(await (await fetch(`${site.url}${link}/new/about`)).text(), /Same-day service/)
  const form = overview.getByRole('button', { name: 'Create new link' }).closest('form') as HTMLFormElement
  const fields = [...form.querySelectorAll('input')].map((input) => [input.name, input.value] as const)
  const renewed = await makeLink(site, Object.fromEntries(fields))
  renewed.screen.getByText('Shows: About')
  ;(await visit(site, renewed.link)).getByRole('button', { name: 'Approve these pages' })
})

test('a link to a saved change is outdated once the change is saved again and another release is live', async (t) => {
  const { site, db, id } = await aLivePage(t)
  const team = await addEntry(db, 'pages', { slug: 'team', title: 'Team' })
  await editEntry(db, id, { body: 'New text.' })
  const { link } = await makeLink(site, { 'changes[]': `entry:${id}` })
  await editEntry(db, id, { body: 'Secret text.' })
  await site.post('/admin/publish/changes', { 'changes[]': `entry:${team}` })
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  ;(await visit(site, link)).getByText(/^This preview is out of date/)
  assert.match(await (await fetch(`${site.url}${link}/new/about`)).text(), /New text/)
  ;(await site.open(PREVIEWS)).getByRole('button', { name: 'Create new link' })
})
