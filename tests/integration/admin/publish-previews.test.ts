import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { listPublishes } from '#src/publish/publish-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { messageOf } from '../../support/pages/told.ts'
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
  const answer = await site.post(SCREEN, fields)
  assert.equal(answer.status, 200)
  const [, path] = /value="http:[^"]*?(\/api\/previews\/[\w-]{43})"/.exec(await answer.text()) ?? []
  assert.ok(path)
  return path
}

/** Asks as someone without an account. */
function visit(site: AdminSite, path: string) {
  return fetch(site.url + path, { redirect: 'manual' })
}

function approve(site: AdminSite, path: string, fields: Record<string, string>) {
  const body = new URLSearchParams(fields)
  return fetch(site.url + path, { method: 'POST', body, redirect: 'manual', headers: { origin: site.url } })
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

test('where the new pages are on another server, the live ones do not pass for them', async (t) => {
  const site = await startAdmin(t)
  await rename(site, 'Cooling')
  const link = await makeLink(site)
  rmSync(join(site.app.config.dataDir, 'previews'), { recursive: true })
  assert.equal((await visit(site, `${link}/new${SERVICE}`)).status, 404)
  assert.equal((await visit(site, `${link}/old${SERVICE}`)).status, 200)
})

test('a client looks at the next site, approves it, and exactly this is published', async (t) => {
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
  ;(await site.open(SCREEN)).getByText('published')
  const actions = await site.app.db.selectFrom('audit_log').select('action').orderBy('id').execute()
  assert.deepEqual(
    actions.map(({ action }) => action).filter((action) => action.startsWith('preview.')),
    ['preview.made', 'preview.approved', 'preview.published'],
  )
})

test('an approval is for the pages that were seen, not for what was saved since', async (t) => {
  const site = await startAdmin(t)
  await rename(site, 'Cooling')
  const link = await makeLink(site)
  await approve(site, link, { name: 'Cleo' })
  await rename(site, 'Chilling')
  ;(await site.open(SCREEN)).getByText('Changed since. Make a new link.')
  const id = await newestId(site)
  assert.equal(
    messageOf(await site.post(`${SCREEN}/${id}/publish`)),
    'Nobody has approved these pages, or the site has changed since.',
  )
  const { pages_sha256: pagesHash } = await site.app.db
    .selectFrom('publish_previews')
    .select('pages_sha256')
    .executeTakeFirstOrThrow()
  site.app.publishing.request({ startedBy: 'admin', approved: { previewId: id, pagesHash } })
  const publish = await settle(site)
  assert.equal(publish?.status, 'failed')
  assert.match(publish?.failureMessage ?? '', /has changed since the approval/)
  assert.doesNotMatch(await (await visit(site, SERVICE)).text(), /Chilling/)
})

test('a preview of selected changes shows and publishes nothing else', async (t) => {
  const site = await startAdmin(t)
  const place = await idOf(site, 'taxonomy_terms', 'austin')
  await editPlace(site.app.db, place, { name: 'Austin TX' })
  await rename(site, 'Cooling')
  const link = await makeLink(site, { 'changes[]': `term:${place}` })
  const html = await (await visit(site, `${link}/new${SERVICE}/austin`)).text()
  assert.match(html, /Austin TX/)
  assert.doesNotMatch(html, /Cooling/)
  await rename(site, 'Chilling')
  await approve(site, link, { name: 'Cleo' })
  await site.post(`${SCREEN}/${await newestId(site)}/publish`)
  assert.equal((await settle(site))?.status, 'published')
  assert.match(await (await visit(site, `${SERVICE}/austin`)).text(), /Austin TX/)
  assert.doesNotMatch(await (await visit(site, SERVICE)).text(), /Chilling/)
})

test('a removed page is not in the preview, and a new one is', async (t) => {
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

test('without changes there is no link, and without the right nobody makes one', async (t) => {
  const site = await startAdmin(t)
  assert.match(messageOf(await site.post(SCREEN)) ?? '', /nothing to preview/)
  await site.app.db.updateTable('admin_users').set({ role: 'viewer' }).execute()
  assert.equal((await site.post(SCREEN)).status, 403)
})
