import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findEntryDraft } from '#src/entries/history/entry-draft.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { filledIn } from '../../support/pages/filled-in.ts'
import { readAnswer, wordsOf } from '../../support/pages/read-page.ts'
import { openAfter } from '../../support/pages/told.ts'
import { aPicture } from '../../support/pictures.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000
const ABOUT = { status: 'published', slug: 'about', title: 'About', body: 'Old text.', 'time-zone': 'UTC' }

async function findAustin({ app }: AdminSite) {
  const { id } = await app.db
    .selectFrom('taxonomy_terms')
    .select('id')
    .where('slug', '=', 'austin')
    .executeTakeFirstOrThrow()
  return { id, path: `/admin/taxonomies/locations/terms/${id}` }
}

// A live page from a content file.
async function aLivePage(t: TestContext) {
  let id = 0
  const site = await startAdmin(t, {
    async prepare({ db }) {
      id = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'Old text.' })
    },
  })
  const path = `/admin/entries/pages/${id}`
  const save = async (values: object, act = 'save') => {
    const based_on = (await site.open(path)).element.querySelector<HTMLInputElement>('[name=based_on]')?.value
    const answer = await site.post(path, { ...ABOUT, ...values, act, based_on: based_on ?? '' })
    assert.equal(answer.status, 303, await answer.text())
  }
  return { site, id, path, save, rows: () => rowsOf(site, `${path}/versions`) }
}

// Each version's author, changes, and mark, newest first.
async function rowsOf(site: AdminSite, path: string) {
  const { element } = await site.open(path)
  return [...element.querySelectorAll('tbody tr')].map((row) => {
    const [author, changes, mark] = [row.querySelector('th .quiet'), ...row.querySelectorAll('td')]
    return [author, changes, mark].map((cell) => cell?.textContent?.trim().replace(/\s+/g, ' '))
  })
}

async function publish({ app }: AdminSite) {
  await app.publishing.request({ startedBy: 'admin' })
  await waitFor(async () => app.publishing.isRunning(), PATIENCE_MS)
  await waitFor(async () => !app.publishing.isRunning(), PATIENCE_MS)
}

test('a restore says that it discards the draft', async (t) => {
  const { site, id, path, save } = await aLivePage(t)
  await save({ title: 'About us' })
  const { element } = await site.open(`${path}/versions`)
  const first = [...element.querySelectorAll('tbody a')].at(-1)?.getAttribute('href') ?? ''
  const restore = `${first.replace(/\?.*/, '')}?with=restore`
  const warning = /Restoring will also discard the current draft/
  assert.equal((await site.open(restore)).queryByText(warning), null)
  await save({ title: 'About us', body: 'New text.' }, 'draft')
  const page = await site.open(restore)
  page.getByText(warning)
  const stamp = page.element.querySelector<HTMLInputElement>('[name=based_on]')?.value ?? ''
  await site.post(restore, { based_on: stamp })
  assert.equal(await findEntryDraft(site.app.db, id), undefined)
})

test('the list marks the live version, one that isn’t published, and a draft', async (t) => {
  const { site, save, rows } = await aLivePage(t)
  await save({ title: 'About us' })
  const [byAnn, byFile] = ['ann@example.com', 'Content files']
  assert.deepEqual(await rows(), [
    [byAnn, 'Title', 'saved, not published'],
    [byFile, 'First version', 'live'],
  ])
  await publish(site)
  await save({ title: 'About us', body: 'New text.' }, 'draft')
  assert.deepEqual(await rows(), [
    [byAnn, 'Text', 'draft'],
    [byAnn, 'Title', 'live'],
    [byFile, 'First version', ''],
  ])
  await save({ title: 'About us', body: 'New text.', publish_at: '2999-01-01T09:00' })
  assert.deepEqual((await rows())[0], [byAnn, 'Publish at', 'scheduled Jan 1, 2999, 9:00 AM UTC'])
})

test('saved content is compared with the content it replaced, not with drafts', async (t) => {
  const { site, id, path, save, rows } = await aLivePage(t)
  await save({ title: 'About us' }, 'draft')
  const version = String((await findEntryDraft(site.app.db, id))?.version.id)
  await site.post(`${path}/draft`, { act: 'use', version })
  assert.deepEqual(
    (await rows()).map(([, changes, mark]) => [changes, mark]),
    [
      ['Title', 'saved, not published'],
      ['Title', 'earlier draft'],
      ['First version', 'live'],
    ],
  )
})

test('a draft that was saved again without changes is not listed', async (t) => {
  const { save, rows } = await aLivePage(t)
  await save({ title: 'About us' }, 'draft')
  await save({ title: 'About us' }, 'draft')
  await save({ title: 'About us' }, 'draft')
  assert.deepEqual(
    (await rows()).map(([, changes, mark]) => [changes, mark]),
    [
      ['No changes', 'draft'],
      ['Title', 'earlier draft'],
      ['First version', 'live'],
    ],
  )
})

test('a comparison names fields and values as the editor does', async (t) => {
  const { site, path, save } = await aLivePage(t)
  await save({ slug: 'about-us', publish_at: '2020-01-02T15:00', status: 'draft' })
  const [newest] = await linksOf(site, `${path}/versions`)
  const page = await site.open(newest ?? '')
  for (const label of ['Page address', 'Status', 'Publish at']) page.getByRole('heading', { name: label })
  assert.match(page.words, /Draft \(not on the site\)/)
  assert.match(page.words, /Jan 2, 2020, 3:00 PM UTC/)
  assert.doesNotMatch(page.words, /2020-01-02/)
  assert.equal(page.queryAllByRole('link', { name: 'Restore version' }).length, 0)
})

test('a restore names every value it changes, and restores the selected ones', async (t) => {
  const { site, path, save } = await aLivePage(t)
  await save({ body: 'New text.' })
  await save({ body: 'New text.', title: 'About us' })
  const version = (await linksOf(site, `${path}/versions`)).at(-1) ?? ''
  const href = (await site.open(version)).getByRole('link', { name: 'Restore version' }).getAttribute('href')
  const confirmation = `${version}?with=restore`
  assert.equal(href, confirmation)
  const page = await site.open(confirmation)
  const [title, text] = [page.control('Title'), page.control('Text')]
  assert.deepEqual([title.checked, text.checked], [true, true])
  assert.match(page.words, /TitleCurrent versionAbout usThis versionAboutText/)
  const based_on = page.element.querySelector<HTMLInputElement>('[name=based_on]')?.value ?? ''
  const restore = (fields: string[], stamp = based_on) =>
    site.post(confirmation, { based_on: stamp, fields: ['', ...fields] })
  const none = await readAnswer(await restore([]), 422)
  assert.match(none.words, /Select at least one value\./)
  assert.equal(none.control('Text').checked, false)
  assert.equal((await restore([text.value])).headers.get('location'), path)
  const stored = () =>
    site.app.db.selectFrom('content_entries').select(['title', 'body']).where('slug', '=', 'about').execute()
  assert.deepEqual(await stored(), [{ title: 'About us', body: 'Old text.' }])
  const outdated = await restore([title.value])
  assert.equal(outdated.headers.get('location'), confirmation)
  assert.match((await openAfter(site, outdated)).whole.words, /Someone else saved a change in the meantime/)
  assert.deepEqual(await stored(), [{ title: 'About us', body: 'Old text.' }])
})

test('a restore shows texts as visitors read them', async (t) => {
  const { site, path, save } = await aLivePage(t)
  await save({ body: '## New\n\nThe **latest** [text](/contact).' })
  const version = (await linksOf(site, `${path}/versions`)).at(-1) ?? ''
  const page = await site.open(`${version}?with=restore`)
  const [current, restored] = page.getAllByRole('definition')
  assert.ok(current && restored)
  assert.match(wordsOf(current), /removed: New .*The removed: latest/)
  assert.doesNotMatch(wordsOf(current), /[#*[]/)
  assert.ok(current.querySelector('strong'))
  assert.match(wordsOf(restored), /Old/)
  assert.match(page.words, /Show Markdown.*## New/)
})

test('a restore of a place keeps the values that aren’t selected', async (t) => {
  const { site } = await aLivePage(t)
  const { id, path } = await findAustin(site)
  const based_on = (await site.open(path)).element.querySelector<HTMLInputElement>('[name=based_on]')?.value
  const edit = { name: 'Greater Austin', slug: 'austin', parent: 'texas', description: 'Hills.' }
  assert.equal((await site.post(path, { ...edit, based_on: based_on ?? '' })).status, 303)
  const first = (await linksOf(site, `${path}/versions`)).at(-1)
  const page = await site.open(`${first}?with=restore`)
  const { value } = page.control('Name')
  assert.equal((await site.post(`${first}`, { fields: ['', value] })).status, 303)
  const stored = site.app.db.selectFrom('taxonomy_terms').select(['name', 'description']).where('id', '=', id)
  assert.deepEqual(await stored.execute(), [{ name: 'Austin', description: 'Hills.' }])
})

test('rows of a list are shown with the labels of their parts', async (t) => {
  const { site } = await aLivePage(t)
  const { id } = await site.app.db
    .selectFrom('content_entries')
    .select('id')
    .where('slug', '=', 'ac-repair')
    .executeTakeFirstOrThrow()
  const path = `/admin/entries/services/${id}`
  const page = await site.open(path)
  const based_on = page.element.querySelector<HTMLInputElement>('[name=based_on]')?.value ?? ''
  const values = { title: 'AC repair', slug: 'ac-repair', status: 'published', summary: 'Cool.' }
  const steps = { 'steps.0.title': 'Call', 'steps.0.text': 'We answer.' }
  const answer = await site.post(path, {
    ...values,
    ...steps,
    offered_in: 'texas/**\nexcept austin',
    based_on,
    act: 'save',
  })
  assert.equal(answer.status, 303, await answer.text())
  const [newest] = await linksOf(site, `${path}/versions`)
  const { words } = await site.open(newest ?? '')
  assert.match(words, /1\. Title: Call Text: We answer\./)
  assert.match(words, /Texas and everything in it, except Austin/)
})

test('versions of places and pictures say which one is live', async (t) => {
  const { site } = await aLivePage(t)
  const { path } = await findAustin(site)
  const open = async () => (await site.open(path)).element
  const based_on = (await open()).querySelector<HTMLInputElement>('[name=based_on]')?.value ?? ''
  const edit = { name: 'Greater Austin', slug: 'austin', parent: 'texas', based_on }
  assert.equal((await site.post(path, edit)).status, 303)
  const marks = async () => (await rowsOf(site, `${path}/versions`)).map(([, , mark]) => mark)
  assert.deepEqual(await marks(), ['saved, not published', 'live'])
  const picture = async (alt: string) => {
    const saving = { now: new Date().toISOString() }
    return (await savePicture(site.app.db, aPicture({ name: 'van.jpg', alt }), saving)).id
  }
  const library = `/admin/pictures/${await picture('A van')}`
  const marksOfPicture = async () => (await rowsOf(site, `${library}/versions`)).map(([, , mark]) => mark)
  assert.deepEqual(await marksOfPicture(), ['saved, not published'])
  await publish(site)
  assert.deepEqual(await marks(), ['live', ''])
  assert.deepEqual(await marksOfPicture(), ['live'])
  await picture('Our van')
  assert.deepEqual(await marksOfPicture(), ['saved, not published', 'live'])
  const page = await site.open(library)
  assert.equal(page.getAllByRole('link', { name: /^Restore the version from/ }).length, 1)
})

async function linksOf(site: AdminSite, path: string) {
  const { element } = await site.open(path)
  return [...element.querySelectorAll('tbody th a')].map((link) => link.getAttribute('href'))
}

test('the live version of the home page is marked, although later versions changed other settings', async (t) => {
  const { site } = await aLivePage(t)
  const save = async (path: string, changes: Record<string, string>) =>
    assert.equal((await site.post(path, { ...filledIn(await site.open(path)), ...changes })).status, 303)
  const marks = async () => (await rowsOf(site, '/admin/home/versions')).map(([, , mark]) => mark)
  await save('/admin/home', { 'home.heading': 'Hot house?' })
  await save('/admin/settings', { tagline: 'We cool it.' })
  assert.equal((await marks())[0], 'saved, not published')
  await publish(site)
  assert.equal((await marks())[0], 'live')
  await save('/admin/home', { 'home.heading': 'Cold house?' })
  await save('/admin/settings', { tagline: 'We heat it.' })
  assert.deepEqual((await marks()).slice(0, 2), ['saved, not published', 'live'])
})
