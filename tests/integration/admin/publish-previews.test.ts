import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { hashToken } from '#src/auth/token.ts'
import { withFileLock } from '#src/db/file-lock.ts'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { sha256Hex } from '#src/lib/canonical-json.ts'
import { publishStep } from '#src/messages/server/publishing.ts'
import { listAnswers } from '#src/publish/previews/answer-store.ts'
import { beginPreview, failLostPreviews } from '#src/publish/previews/make-preview.ts'
import { previewFolder } from '#src/publish/previews/preview-folder.ts'
import { findPreview } from '#src/publish/previews/preview-store.ts'
import { publishLock } from '#src/publish/publish-lock.ts'
import { listPublishes } from '#src/publish/publish-store.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { createProgressFile } from '#src/publish/render/progress-file.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { type Page, readAnswer, readPage, wordsOf } from '../../support/pages/read-page.ts'
import { messageOf } from '../../support/pages/told.ts'
import { aPhoto } from '../../support/photos.ts'
import { waitFor } from '../../support/running-site.ts'
import { editEntry, editPlace } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000
const SCREEN = '/admin/publish/previews'
const SERVICE = '/services/ac-repair'

async function idOf(site: AdminSite, table: 'content_entries' | 'taxonomy_terms', slug: string) {
  const { id } = await site.app.db
    .selectFrom(table)
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  return id
}

async function rename(site: AdminSite, title: string) {
  await editEntry(site.app.db, await idOf(site, 'content_entries', 'ac-repair'), { title })
}

/** Makes a link as a user does, and returns its path. */
async function makeLink(site: AdminSite, fields = {}): Promise<string> {
  const path = linkIn(await readAnswer(await followPost(site, await site.post(SCREEN, fields))))
  assert.ok(path)
  await made(site)
  return path
}

/** Opens the page that a post redirects to, with the cookies that it sets. */
async function followPost(site: AdminSite, posted: Response): Promise<Response> {
  assert.equal(posted.status, 303)
  const set = posted.headers.getSetCookie().map((one) => one.split(';')[0])
  const headers = { cookie: [site.cookie, ...set].join('; ') }
  return site.fetch(posted.headers.get('location') ?? '', { headers })
}

function linkIn(page: Page): string | undefined {
  const link = page.queryByLabelText<HTMLInputElement>('Preview link')?.value
  return link && new URL(link).pathname
}

/** Waits until the newest preview is made or failed, and returns it. */
async function made(site: AdminSite) {
  let preview: Awaited<ReturnType<typeof findPreview>>
  await waitFor(async () => {
    preview = await findPreview(site.app.db, await newestId(site))
    return preview && (preview.readyAt ?? preview.failureMessage) !== null
  }, PATIENCE_MS)
  return preview
}

/** Asks as someone without an account. */
function visit(site: AdminSite, path: string) {
  return fetch(site.url + path, { redirect: 'manual' })
}

function approve(site: AdminSite, path: string, fields: Record<string, string>) {
  const body = new URLSearchParams(fields)
  return fetch(site.url + path, { method: 'POST', body, redirect: 'manual', headers: { origin: site.url } })
}

async function upload(site: AdminSite, color: string) {
  const body = new FormData()
  body.append('files', new Blob([new Uint8Array(await aPhoto({ color }))]), `${color}.jpg`)
  body.append('alt', `The ${color} one`)
  assert.equal((await site.fetch('/admin/pictures/new', { method: 'POST', body })).status, 303)
}

function hashOf(path: string): string {
  return sha256Hex(readFileSync(path))
}

/** Hashes of the files in a folder by path. */
function filesIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  return new Map(paths.map((path) => [relative(folder, path), hashOf(path)]))
}

async function newestId(site: AdminSite) {
  const [{ id } = { id: 0 }] = await site.app.db
    .selectFrom('publish_previews')
    .select('id')
    .orderBy('id', 'desc')
    .execute()
  return id
}

async function settle(site: AdminSite) {
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  const [publish] = await listPublishes(site.app.db, { limit: 1 })
  return publish
}

test('a preview on another server never shows live pages in place of new ones', async (t) => {
  const site = await startAdmin(t)
  await rename(site, 'Cooling')
  const link = await makeLink(site)
  rmSync(join(site.app.config.dataDir, 'previews'), { recursive: true })
  assert.equal((await visit(site, `${link}/new${SERVICE}`)).status, 404)
  assert.equal((await visit(site, `${link}/old${SERVICE}`)).status, 200)
})

test('a new link is shown once, and a reload makes no other', async (t) => {
  const site = await startAdmin(t)
  await rename(site, 'Cooling')
  const posted = await site.post(SCREEN)
  const shown = await followPost(site, posted)
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const cleared = shown.headers.getSetCookie().find((one) => one.startsWith('signpost_preview='))
  assert.match(cleared ?? '', /^signpost_preview=deleted; .*Expires=Thu, 01 Jan 1970/)
  const link = linkIn(await readAnswer(shown))
  assert.match(link ?? '', /^\/api\/previews\/[\w-]{43}$/)
  await made(site)
  assert.equal((await visit(site, link ?? '')).status, 200)
  const reloaded = await site.open(SCREEN)
  assert.equal(linkIn(reloaded), undefined)
  assert.equal(reloaded.part('list', { name: /^Preview links/ }).getAllByText('open').length, 1)
})

test('someone with the link previews and approves the next site, and exactly those pages are published', async (t) => {
  const site = await startAdmin(t)
  await rename(site, 'Cooling')
  const link = await makeLink(site)

  const overview = await visit(site, link)
  assert.equal(overview.headers.get('x-robots-tag'), 'noindex, nofollow')
  assert.equal(overview.headers.get('cache-control'), 'no-store')
  assert.ok((await overview.text()).includes(`${link}/new${SERVICE}"`))
  const shown = await visit(site, `${link}/new${SERVICE}`)
  const policy = shown.headers.get('content-security-policy') ?? ''
  assert.match(policy, /form-action 'none'; connect-src 'none'; frame-ancestors 'self'$/)
  const html = await shown.text()
  assert.match(html, /Cooling/)
  assert.ok(html.includes(`href="${link}/new/`))
  assert.doesNotMatch(html, /\shref="\/(?!api\/previews)/)
  assert.doesNotMatch(await (await visit(site, `${link}/old${SERVICE}`)).text(), /Cooling/)
  const both = await (await visit(site, `${link}/compare?page=${SERVICE}`)).text()
  assert.equal(both.match(/<iframe /g)?.length, 2)
  assert.doesNotMatch(await (await visit(site, SERVICE)).text(), /Cooling/)
  assert.equal((await visit(site, `${link}?list=2`)).status, 404)

  const preview = await findPreview(site.app.db, await newestId(site))
  assert.ok(preview)
  const previewed = filesIn(
    previewFolder(site.app.config.dataDir, { key: preview.tokenSha256, releaseId: preview.releaseId }),
  )
  const pages = preview.changes.map(({ path }) => pageFile(path))
  assert.deepEqual(
    [...previewed.keys()].filter((file) => file.endsWith('.html')).sort(),
    pages.filter((file) => file.endsWith('.html')).sort(),
    'only changed pages are rendered',
  )
  assert.equal((await approve(site, link, { name: ' ' })).status, 422)
  assert.equal((await approve(site, link, { name: 'Cleo <b>', note: 'Fine' })).status, 303)
  assert.match(await (await visit(site, link)).text(), /Cleo &#60;b&#62; approved these pages/)
  const listed = await site.open(SCREEN)
  listed.getByText(/by Cleo <b>/)
  listed.getByRole('button', { name: 'Publish approved pages' })
  const pressed = await site.post(`${SCREEN}/${await newestId(site)}/publish`)
  assert.equal(messageOf(pressed), 'Publishing the approved pages.')
  assert.equal((await settle(site))?.status, 'published')
  assert.match(await (await visit(site, SERVICE)).text(), /Cooling/)
  const live = findCurrentRelease(site.app.config.dataDir)
  assert.ok(live)
  for (const [file, hash] of previewed)
    assert.equal(hashOf(join(live.siteDir, file)), hash, `${file} is published as approved`)
  ;(await site.open(SCREEN)).getByText('published')
  const actions = await site.app.db.selectFrom('audit_log').select('action').orderBy('id').execute()
  assert.deepEqual(
    actions.map(({ action }) => action).filter((action) => action.startsWith('preview.')),
    ['preview.made', 'preview.approved', 'preview.published'],
  )
})

test('someone answers from a comparison, and is thanked above the list', async (t) => {
  const site = await startAdmin(t)
  await rename(site, 'Cooling')
  const link = await makeLink(site)
  const page = async (path: string) => readPage(await (await visit(site, path)).text())
  const list = await page(link)
  const edited = list.getByText('Cooling', { selector: '.edits strong' })
  const order = (first: Element, second: Element) =>
    Boolean(first.compareDocumentPosition(second) & first.DOCUMENT_POSITION_FOLLOWING)
  const folded = list.getByText(/^And \d+ pages? that shows? the same changes$/)
  assert.ok(order(edited, folded))
  assert.ok(order(folded, list.getByRole('button', { name: 'Approve these pages' })))
  assert.equal((await page(`${link}?sent=approved`)).queryByText(/^Thank you/), null)

  const first = await page(`${link}/compare?page=${SERVICE}`)
  first.getByRole('heading', { name: /^Compare: Cooling \|/, level: 1 })
  first.getByRole('link', { name: 'Back to the preview' })
  const next = first.getAllByRole('link', { name: /^(Next|Previous) changed page$/ })[0]
  assert.ok(next?.getAttribute('href')?.startsWith(`${link}/compare?page=`))
  first.getByRole('button', { name: 'Approve these pages' })
  const sent = await approve(site, link, { name: 'Cleo' })
  assert.equal(sent.headers.get('location'), `${link}?sent=approved`)
  const thanked = await page(`${link}?sent=approved`)
  thanked.getByText('Thank you. Your approval was sent.')
  assert.equal(thanked.queryByRole('button', { name: 'Approve these pages' }), null)
})

test('a preview starts with what changed: the fields of each page, the new text first', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const id = await idOf(site, 'content_entries', 'ac-repair')
  const same = 'We come the same day, bring the parts that most systems need, and leave no dirt behind.'
  await editEntry(db, id, { body: `${same} Call us before noon.` }, new Date())
  await site.post('/admin/settings', { tagline: 'Warm air' })
  await site.post('/admin/publish')
  await settle(site)
  const edit = {
    ...{ title: 'Cooling <b>', body: `${same} Call us before four.` },
    data: { offered_in: ['austin', 'texas/*'] },
  }
  await editEntry(db, id, edit, new Date())
  await addEntry(db, 'pages', { slug: 'about', title: 'About us' })
  await site.post('/admin/settings', { tagline: 'Cool air', record_reading: 'true' })
  const page = readPage(await (await visit(site, await makeLink(site))).text())
  const headings = page.getAllByRole('heading', { level: 2 }).map(wordsOf)
  assert.deepEqual(headings, ['What changed', 'Your response'])
  page.getByText('Cooling <b>', { selector: 'strong' })
  assert.equal(page.fact('Title').words, 'added: Cooling <b> Previous version removed: AC repair')
  const [text, former] = page.fact('Text').words.split(' Previous version ')
  assert.match(text ?? '', /leave no dirt behind\. Call us before added: four\.$/)
  assert.match(former ?? '', /leave no dirt behind\. Call us before removed: noon\.$/)
  assert.equal(page.fact('Tagline').words, 'added: Cool air Previous version removed: Warm air')
  assert.equal(page.fact('Offered in').words, 'added: Austin, all places one level below Texas')
  // Visitors never see this setting.
  assert.equal(page.queryByText('Record who reads leads'), null)
  const added = page.getByText('About us', { selector: 'strong' })
  assert.match(wordsOf(added.parentElement as Element), /^About us Page new/)
})

test('a preview names a new place with its services, and not the services that stay out of it', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const [repair, texas] = [
    await idOf(site, 'content_entries', 'ac-repair'),
    await idOf(site, 'taxonomy_terms', 'texas'),
  ]
  const drains = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  await editEntry(db, repair, { data: { offered_in: ['texas/*'] } }, new Date())
  await site.post('/admin/publish')
  await settle(site)
  const form = { list: 'Buda', inside: `${texas}`, act: 'add', services: ['', `${drains}`] }
  assert.equal((await site.post('/admin/taxonomies/locations/terms/new', form)).status, 303)
  await editEntry(db, repair, { title: 'Cooling' }, new Date())
  const page = readPage(await (await visit(site, await makeLink(site))).text())
  const named = [...page.element.querySelectorAll('.edits > li > strong')].map(wordsOf)
  assert.deepEqual(named, ['Cooling', 'Buda'])
  assert.equal(page.fact('Services in this place').words, 'added: Drains')
  assert.doesNotMatch(page.words, /except Buda|Offered in/)
  page.getByRole('heading', { name: 'New pages' })
  page.getByText('/services/drains/buda')

  await site.post('/admin/publish/changes', {
    'changes[]': `term:${await idOf(site, 'taxonomy_terms', 'buda')}`,
  })
  await settle(site)
  const later = readPage(await (await visit(site, await makeLink(site))).text())
  assert.deepEqual([...later.element.querySelectorAll('.edits > li > strong')].map(wordsOf), ['Cooling'])
  assert.doesNotMatch(later.words, /except Buda|Offered in/, 'nor after the place was published')
  const patterns = ['texas/*', 'except buda/**', 'except austin']
  await editEntry(db, repair, { data: { offered_in: patterns } }, new Date())
  const left = readPage(await (await visit(site, await makeLink(site))).text())
  assert.match(left.fact('Offered in').words, /except Austin/)
  assert.doesNotMatch(left.fact('Offered in').words, /Buda/)
})

test('a preview shows the pictures of changed texts and fields, and links to the edited pages', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const id = await idOf(site, 'content_entries', 'ac-repair')
  await upload(site, 'red')
  const body = 'We come the same day, bring the parts that most systems need, and leave no dirt behind.'
  await editEntry(db, id, { body: `${body} ![A van](red.jpg)`, data: { hero: 'red.jpg' } }, new Date())
  await site.post('/admin/publish')
  await settle(site)
  await upload(site, 'blue')
  const edit = { body: `${body}\n\n## Here\n\n![A pipe](blue.jpg)`, data: { hero: 'blue.jpg' } }
  await editEntry(db, id, edit, new Date())
  const link = await makeLink(site)
  const page = readPage(await (await visit(site, link)).text())
  assert.doesNotMatch(wordsOf(page.fact('Text').element), /!\[|\.jpg|##/)
  const imageIn = (label: string, alt: string) =>
    page.fact(label).getByRole('img', { name: alt }).getAttribute('src')
  const [before, after] = [imageIn('Text', 'A van'), imageIn('Text', 'A pipe')]
  assert.equal(imageIn('Hero picture', 'The blue one'), after)
  const shown = await visit(site, after ?? '')
  assert.equal(shown.headers.get('content-type'), 'image/webp')
  assert.equal((await sharp(await shown.arrayBuffer()).metadata()).format, 'webp')
  assert.equal((await visit(site, before ?? '')).status, 200)
  assert.equal((await visit(site, `${link}/pictures/${'0'.repeat(64)}`)).status, 404)
  const item = page.getByText('AC repair', { selector: '.edits strong' }).closest('li') as Element
  const links = [...item.querySelectorAll('a')].map((one) => [wordsOf(one), one.getAttribute('href')])
  assert.deepEqual(links, [
    ['New page', `${link}/new${SERVICE}`],
    ['Compare with the live page', `${link}/compare?page=${encodeURIComponent(SERVICE)}`],
  ])
  const picture = page.getByText('blue.jpg', { selector: '.edits strong' }).closest('li') as Element
  assert.match(wordsOf(picture), /^blue\.jpg Picture new/)
  assert.equal(picture.querySelector('img')?.getAttribute('src'), after)
})

test('an approval covers the previewed pages, not later changes', async (t) => {
  const site = await startAdmin(t)
  await rename(site, 'Cooling')
  const link = await makeLink(site)
  await approve(site, link, { name: 'Cleo' })
  await rename(site, 'Chilling')
  ;(await site.open(SCREEN)).getByText('This link is out of date. People can still read it, but not respond.')
  const id = await newestId(site)
  assert.equal(
    messageOf(await site.post(`${SCREEN}/${id}/publish`)),
    'These pages are not approved, or they have changed since. Create a new link.',
  )
  const { pages_sha256: pagesHash } = await site.app.db
    .selectFrom('publish_previews')
    .select('pages_sha256')
    .executeTakeFirstOrThrow()
  await site.app.publishing.request({ startedBy: 'admin', approved: { previewId: id, pagesHash } })
  const publish = await settle(site)
  assert.equal(publish?.status, 'failed')
  assert.match(publish?.failureMessage ?? '', /has changed since the approval/)
  assert.doesNotMatch(await (await visit(site, SERVICE)).text(), /Chilling/)
  const menu = (await site.open(SCREEN)).whole.part('navigation', { name: 'Admin' })
  menu.getByRole('link', { name: /^Publish\s*changes$/ })
})

test('approved changes that were reverted aren’t published, and the history shows why', async (t) => {
  const site = await startAdmin(t)
  const { db, publishing } = site.app
  const id = await idOf(site, 'content_entries', 'ac-repair/austin')
  await editEntry(db, id, { body: 'We know this town.' })
  const link = await makeLink(site)
  await approve(site, link, { name: 'Cleo' })
  await editEntry(db, id, { body: '' })
  const preview = await findPreview(db, await newestId(site))
  const approved = { previewId: preview?.id ?? 0, pagesHash: preview?.pagesSha256 ?? '' }
  await publishing.request({ startedBy: 'admin', approved })
  assert.match((await settle(site))?.failureMessage ?? '', /has changed since the approval/)
})

test('a preview of selected changes shows and publishes only those', async (t) => {
  const site = await startAdmin(t)
  const place = await idOf(site, 'taxonomy_terms', 'austin')
  await editPlace(site.app.db, place, { name: 'Austin TX' })
  await rename(site, 'Cooling')
  const link = await makeLink(site, { 'changes[]': `term:${place}` })
  const html = await (await visit(site, `${link}/new${SERVICE}/austin`)).text()
  assert.match(html, /Austin TX/)
  assert.doesNotMatch(html, /Cooling/)
  ;(await site.open(SCREEN)).getByText('Shows: Austin TX')
  await rename(site, 'Chilling')
  await approve(site, link, { name: 'Cleo' })
  await site.post(`${SCREEN}/${await newestId(site)}/publish`)
  assert.equal((await settle(site))?.status, 'published')
  assert.match(await (await visit(site, `${SERVICE}/austin`)).text(), /Austin TX/)
  assert.doesNotMatch(await (await visit(site, SERVICE)).text(), /Chilling/)
  const menu = (await site.open(SCREEN)).whole.part('navigation', { name: 'Admin' })
  menu.getByRole('link', { name: /^Publish\s*changes$/ })
})

test('an approval is published once its pages are live, however they got there', async (t) => {
  const site = await startAdmin(t)
  await rename(site, 'Cooling')
  const link = await makeLink(site)
  await approve(site, link, { name: 'Cleo' })
  await site.post('/admin/publish')
  assert.equal((await settle(site))?.status, 'published')
  await waitFor(async () => (await findPreview(site.app.db, await newestId(site)))?.publishedAt !== null)
  const list = (await site.open(SCREEN)).part('list', { name: /^Preview links/ })
  list.getByText('published')
  assert.match(list.words, /Published \w+ \d/)
  list.getByRole('button', { name: 'End link' })
  assert.equal((await visit(site, link)).status, 200)
  await site.post(`${SCREEN}/${await newestId(site)}/removal`)
  assert.equal((await visit(site, link)).status, 404)
  const after = (await site.open(SCREEN)).part('list', { name: /^Preview links/ })
  assert.equal(after.queryByRole('button', { name: 'End link' }), null)
  await rename(site, 'Chilling')
  await approve(site, await makeLink(site), { name: 'Cleo' })
  await rename(site, 'Freezing')
  await site.post('/admin/publish')
  assert.equal((await settle(site))?.status, 'published')
  ;(await site.open(SCREEN)).getByText('outdated')
})

test('a preview omits removed pages and includes new ones', async (t) => {
  const site = await startAdmin(t)
  await addEntry(site.app.db, 'pages', { slug: 'about', title: 'About' })
  await deleteEntry(site.app.db, await idOf(site, 'content_entries', 'ac-repair'), { now: new Date() })
  const link = await makeLink(site)
  assert.equal((await visit(site, `${link}/new/about`)).status, 200)
  assert.equal((await visit(site, `${link}/old/about`)).status, 404)
  assert.equal((await visit(site, `${link}/new${SERVICE}`)).status, 404)
  assert.equal((await visit(site, `${link}/old${SERVICE}`)).status, 200)
  assert.equal((await visit(site, `${link}/compare?page=/nowhere`)).status, 404)
  assert.equal((await visit(site, `${link}/new/%2e%2e/signpost.db`)).status, 404)
})

test('a link stops working when it is ended or expires', async (t) => {
  const site = await startAdmin(t)
  await rename(site, 'Cooling')
  const [first, second] = [await makeLink(site), await makeLink(site)]
  const folders = join(site.app.config.dataDir, 'previews')
  const { token_sha256: key, id } = await site.app.db
    .selectFrom('publish_previews')
    .selectAll()
    .orderBy('id')
    .executeTakeFirstOrThrow()
  assert.ok(!first.includes(key))
  assert.ok(existsSync(join(folders, key)))
  assert.equal(messageOf(await site.post(`${SCREEN}/${id}/removal`)), 'The link no longer works.')
  assert.equal((await visit(site, first)).status, 404)
  assert.equal((await approve(site, first, { name: 'Cleo' })).status, 404)
  assert.ok(!existsSync(join(folders, key)))
  assert.equal((await visit(site, second)).status, 200)
  await site.app.db.updateTable('publish_previews').set({ expires_at: new Date().toISOString() }).execute()
  assert.equal((await visit(site, `${second}/new${SERVICE}`)).status, 404)
  ;(await site.open(SCREEN)).getByText('expired')
})

test('a preview link needs changes and permission', async (t) => {
  const site = await startAdmin(t)
  await site.post(SCREEN)
  assert.match((await made(site))?.failureMessage ?? '', /nothing to preview/)
  const list = await site.open(SCREEN)
  list.getByText('failed')
  list.getByText(/nothing to preview/)
  await site.app.db.updateTable('admin_users').set({ role: 'viewer' }).execute()
  assert.equal((await site.post(SCREEN)).status, 403)
})

test('a link shows that it is in progress, and is marked failed if its server stops', async (t) => {
  const site = await startAdmin(t)
  const { db, config } = site.app
  const { id, token } = await beginPreview(db, {
    madeBy: 'ann@example.com',
    only: undefined,
    now: new Date(),
  })
  const shown = await (await visit(site, `/api/previews/${token}`)).text()
  assert.match(shown, /<meta http-equiv="refresh" content="5">/)
  assert.match(shown, /being prepared/)
  const approved = await approve(site, `/api/previews/${token}`, { name: 'Cleo' })
  assert.match(await approved.text(), /being prepared/)
  ;(await site.open(SCREEN)).getByRole('progressbar', { name: 'Preview progress' })
  const file = createProgressFile(config.dataDir, {
    publishId: 1,
    preview: hashToken(token),
    now: () => new Date(),
  })
  file.phase(publishStep('comparing'))
  file.update(7, 9)
  const look = async () => (await site.fetch(`${SCREEN}/${id}/progress`)).json()
  await withFileLock(publishLock(config.dataDir), async () => {
    assert.equal(site.app.publishing.isRunning(), false)
    await new Promise((resolve) => setTimeout(resolve, 250))
    file.update(8, 9)
    const { isPublishing, done, total } = await look()
    assert.deepEqual({ isPublishing, done, total }, { isPublishing: true, done: 8, total: 9 })
    file.phase(publishStep('pictures'))
    file.update(0, 5)
    await new Promise((resolve) => setTimeout(resolve, 250))
    file.update(3, 5)
    assert.match((await look()).left, /^3 of 5 pictures/)
  })
  await failLostPreviews(db, { shared: undefined, now: new Date(Date.now() + 1) })
  assert.match((await look()).phase, /server stopped/)
  assert.equal((await visit(site, `/api/previews/${token}`)).status, 404)
})

test('someone with the link can request changes, and the link’s author is emailed each response', async (t) => {
  const mail = await startMailServer(t)
  const site = await startAdmin(t, { environment: { SMTP_URL: mail.url, MAIL_FROM: 'site@example.com' } })
  await rename(site, 'Cooling')
  const link = await makeLink(site)
  const ask = { name: 'Cleo', answer: 'changes' }
  assert.equal((await approve(site, link, ask)).status, 422)
  assert.equal((await approve(site, link, { ...ask, note: 'Say <b>air conditioning</b>' })).status, 303)
  const box = readPage(await (await visit(site, link)).text()).part('status')
  assert.equal(box.words, 'Cleo requested changes:Say <b>air conditioning</b>')
  const list = await site.open(SCREEN)
  list.getByText('changes requested')
  list.getByText('Say <b>air conditioning</b>')
  assert.equal((await site.post(`${SCREEN}/${await newestId(site)}/publish`)).status, 303)
  assert.equal((await approve(site, link, { name: 'Dora' })).status, 303)
  await waitFor(() => mail.received.length === 2)
  const [asked, approved] = mail.received.map(({ raw }) => raw)
  assert.match(asked ?? '', /^Subject: Changes requested \(/m)
  assert.match(
    asked ?? '',
    /Cleo reviewed [\s\S]* requested changes\.\s+Note:\s+Say <b>air conditioning<\/b>/,
  )
  assert.match(approved ?? '', /^Subject: Preview approved \(/m)
  await waitFor(async () =>
    (await listAnswers(site.app.db, [await newestId(site)])).every(({ mailStatus }) => mailStatus === 'sent'),
  )
})
