import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { connectDatabase } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { toEntryInput } from '#src/entries/editing/entry-input.ts'
import { findEntry } from '#src/entries/entry-store.ts'
import { saveDraft } from '#src/entries/history/entry-draft.ts'
import { useDueDrafts } from '#src/entries/history/scheduled-draft.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { findDueMoment } from '#src/publish/plan/find-due-moment.ts'
import { findUnpublishedSync, noteSync } from '#src/publish/plan/unpublished-sync.ts'
import { publishUnlessHeldBack } from '#src/publish/publish-site.ts'
import { listPublishes } from '#src/publish/publish-store.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { rollBack } from '#src/publish/release/roll-back.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { needsPostgres } from '../../support/postgres-database.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

// The clock of these sites starts at 10:00 and goes on by a second at each look.
const SOON = '2026-11-20T10:00:30.000Z'
const LATER = '2026-11-20T18:00:00.000Z'
const SCHEDULE = { starter: { startedBy: 'schedule' as const } }

async function aSite(t: TestContext) {
  const site = await aPublishedSite(t)
  const { db, dataDir, now, publish } = site
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'Who we are.' })
  await publish()
  return {
    ...site,
    async passTime(moment = SOON) {
      while (now().toISOString() < moment);
    },
    scheduled: (options = {}) => publish({ ...SCHEDULE, ...options }),
    page(path: string) {
      const file = join(dataDir, 'current/site', pageFile(path))
      return existsSync(file) ? readFileSync(file, 'utf8') : undefined
    },
    file: (name: string) => readFileSync(join(dataDir, 'current/site', name), 'utf8'),
    edit: (slug: string, values: object) =>
      db.updateTable('content_entries').set(values).where('slug', '=', slug).execute(),
  }
}

test('a schedule publishes only its own page, links, and address', async (t) => {
  const site = await aSite(t)
  await addEntry(site.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt: SOON })
  await addEntry(site.db, 'pages', { slug: 'half', title: 'Half-written' })
  await site.edit('about', { body: 'A text that somebody is still writ' })
  await site.edit('ac-repair', { title: 'AC repair and mor' })
  await site.passTime()
  const { kind, plan } = await site.scheduled()
  assert.deepEqual([kind, plan.added, plan.removed], ['published', 1, 0])
  assert.match(site.page('/sale') ?? '', /<h1[^>]*>\s*Winter sale/)
  assert.match(site.page('/') ?? '', /href="\/sale"/)
  assert.match(site.file('sitemap-0.xml'), /\/sale</)
  assert.doesNotMatch(site.file('sitemap-0.xml'), /\/half</)
  assert.match(site.page('/about') ?? '', /Who we are/)
  assert.match(site.page('/about') ?? '', /href="\/sale"/)
  assert.equal(site.page('/half'), undefined)
  assert.doesNotMatch(site.page('/services/ac-repair') ?? '', /AC repair and mor/)
})

test('changes that a schedule left out go live with the next manual publish', async (t) => {
  const site = await aSite(t)
  await addEntry(site.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt: SOON })
  await site.edit('about', { body: 'Done at last.' })
  await site.passTime()
  await site.scheduled()
  const { plan } = await site.publish()
  assert.deepEqual([plan.added, plan.changed], [0, 1])
  assert.match(site.page('/about') ?? '', /Done at last/)
})

test('a schedule removes its own page and nothing else', async (t) => {
  const site = await aSite(t)
  await site.edit('about', { unpublish_at: SOON })
  await site.publish()
  await site.setTitle('Cooling that is not ready')
  await site.passTime()
  const { plan } = await site.scheduled()
  assert.equal(plan.removed, 1)
  assert.equal(site.page('/about'), undefined)
  assert.doesNotMatch(site.page('/services/ac-repair/dallas') ?? '', /not ready/)
})

test('deleted and hidden entries stay live until the next publish', async (t) => {
  const site = await aSite(t)
  await addEntry(site.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt: SOON })
  await site.db.deleteFrom('content_entries').where('slug', '=', 'about').execute()
  await site.edit('ac-repair/dallas', { status: 'draft' })
  await site.passTime()
  assert.equal((await site.scheduled()).plan.removed, 0)
  assert.ok(site.page('/about'))
  assert.ok(site.page('/services/ac-repair/dallas'))
  assert.equal((await site.publish()).plan.removed, 2)
})

test('a rescheduled entry waits for its new time', async (t) => {
  const site = await aSite(t)
  await addEntry(site.db, 'pages', { slug: 'news', title: 'News', publishAt: SOON })
  await addEntry(site.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt: SOON })
  await site.edit('about', { unpublish_at: SOON })
  await site.publish()
  await site.edit('news', { publish_at: LATER })
  await site.edit('about', { unpublish_at: null })
  await site.passTime()
  await site.scheduled()
  assert.ok(site.page('/sale'))
  assert.ok(site.page('/about'))
  assert.equal(site.page('/news'), undefined)
})

test('a scheduled service publishes its places, including new ones', async (t) => {
  const site = await aSite(t)
  const id = await addEntry(site.db, 'services', { slug: 'drains', title: 'Drains', publishAt: SOON })
  await offer(site.db, { slug: 'drains', id }, { slug: 'austin', id: site.places.get('austin') as number })
  const ohio = (await addPlaces(site.db, 'ohio')).get('ohio') as number
  await offer(site.db, { slug: 'drains', id }, { slug: 'ohio', id: ohio })
  await offer(site.db, site.service, { slug: 'ohio', id: ohio })
  await site.passTime()
  const { problems } = await site.scheduled()
  assert.deepEqual(problems, [])
  assert.ok(site.page('/services/drains/austin'))
  assert.ok(site.page('/services/drains/ohio'))
  assert.equal(site.page('/services/ac-repair/ohio'), undefined)
})

test('a scheduled text of a service is no edit of its local pages', async (t) => {
  const site = await aSite(t)
  await site.edit('ac-repair', { body: 'Our winter text.', publish_at: SOON })
  await site.passTime()
  const { plan } = await site.scheduled()
  assert.match(site.page('/services/ac-repair/dallas') ?? '', /Our winter text/)
  assert.deepEqual(
    plan.causes.map(({ cause }) => cause.code),
    ['source_edited'],
  )
  await site.edit('ac-repair', { body: 'Our spring text.' })
  const causes = (await site.publish()).plan.causes.map(({ cause }) => cause.code)
  assert.deepEqual(causes, ['source_edited'])
})

test('a scheduled place of an unpublished service waits, and the history shows why', async (t) => {
  const site = await aSite(t)
  const id = await addEntry(site.db, 'services', { slug: 'drains', title: 'Drains' })
  const austin = { slug: 'austin', id: site.places.get('austin') as number }
  await offer(site.db, { slug: 'drains', id }, austin, { title: 'Drains in Austin', publishAt: SOON })
  await site.passTime()
  await site.scheduled()
  assert.equal(site.page('/services/drains/austin'), undefined)
  const [last] = await listPublishes(site.db, { limit: 1 })
  assert.deepEqual(last?.reasons, [
    '“Drains in Austin” is delayed until the next publish: its service is not live',
  ])
})

test('a page waits while another page has its address', async (t) => {
  const site = await aSite(t)
  await site.edit('about', { slug: 'company' })
  await addEntry(site.db, 'pages', { slug: 'about', title: 'The new one', publishAt: SOON })
  await site.passTime()
  const { problems } = await site.scheduled()
  assert.deepEqual(problems, [
    '“The new one” is delayed until the next publish: “About” still uses its address',
  ])
  assert.match(site.page('/about') ?? '', /Who we are/)
  await site.publish()
  assert.match(site.page('/about') ?? '', /The new one/)
})

test('a scheduled page shows its form, renamed or new', async (t) => {
  const site = await aSite(t)
  const now = '2026-11-20T10:00:00.000Z'
  const form = {
    name: 'Quote',
    status: 'active' as const,
    settings_json: '{}',
    created_at: now,
    updated_at: now,
  }
  await site.db
    .insertInto('forms')
    .values([{ ...form, slug: 'quote' }])
    .execute()
  await site.publish()
  await site.db
    .updateTable('forms')
    .set({ slug: 'offer', name: 'Offer' })
    .where('slug', '=', 'quote')
    .execute()
  await site.db
    .insertInto('forms')
    .values([{ ...form, slug: 'rent', name: 'Rent' }])
    .execute()
  await addEntry(site.db, 'pages', { slug: 'sale', title: 'Sale', publishAt: SOON, data: { form: 'offer' } })
  await addEntry(site.db, 'pages', { slug: 'hire', title: 'Hire', publishAt: SOON, data: { form: 'rent' } })
  await site.passTime()
  await site.scheduled()
  assert.match(site.page('/sale') ?? '', /action="\/api\/forms\/quote\/submissions"/)
  assert.match(site.page('/hire') ?? '', /action="\/api\/forms\/rent\/submissions"/)
})

test('a schedule renders with the live site’s templates, even if the sources changed', async (t) => {
  const site = await aSite(t)
  await addEntry(site.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt: SOON })
  await site.passTime()
  // A project whose sources nobody could bundle.
  const projectDir = temporaryFolder(t)
  mkdirSync(join(projectDir, 'dist'))
  const bundle = JSON.parse(readFileSync(liveFile(site.dataDir), 'utf8').split('\n')[0] ?? '').bundle
  symlinkSync(join(PROJECT_DIR, 'dist', bundle), join(projectDir, 'dist', bundle))
  await site.scheduled({ projectDir })
  assert.ok(site.page('/sale'))
})

test('several processes render a schedule too', async (t) => {
  const site = await aSite(t)
  await addEntry(site.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt: SOON })
  await site.passTime()
  // Of which database they are does not matter: they see the content of the live site.
  await site.scheduled({ databaseUrl: 'file:/nowhere/signpost.db', jobs: 2 })
  assert.ok(site.page('/sale'))
})

test('a schedule with nothing due publishes no saved change', async (t) => {
  const site = await aSite(t)
  await site.edit('about', { body: 'Half' })
  await site.db.updateTable('taxonomy_terms').set({ name: 'Dal' }).where('slug', '=', 'dallas').execute()
  assert.equal((await site.scheduled()).kind, 'unchanged')
})

const SERVER = process.env.TEST_DATABASE_URL

test('a database with language-specific sorting leaves the live site unchanged', needsPostgres, async (t) => {
  const db = await openDatabaseOfLanguage(t)
  const site = await aPublishedSite(t, db)
  const austin = { slug: 'austin', id: site.places.get('austin') as number }
  // A language passes over the hyphen.
  for (const slug of ['ab', 'a-z', 'ad', 'a-c']) {
    const id = await addEntry(db, 'services', { slug, title: 'Same name' })
    await offer(db, { slug, id }, austin)
  }
  await site.publish()
  assert.equal((await site.publish(SCHEDULE)).kind, 'unchanged')
})

async function openDatabaseOfLanguage(t: TestContext) {
  const name = `signpost_${randomUUID().replaceAll('-', '')}`
  assert.ok(SERVER, 'TEST_DATABASE_URL is not set')
  const admin = new Client({ connectionString: SERVER })
  await admin.connect()
  await admin.query(
    `create database ${name} template template0 locale_provider icu icu_locale 'en-US-u-ka-shifted'`,
  )
  const db = connectDatabase(Object.assign(new URL(SERVER), { pathname: `/${name}` }).href)
  atEnd(t, async () => {
    await db.destroy()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  await migrate(db)
  return db
}

test('a synced change stays unpublished after a schedule', async (t) => {
  const site = await aSite(t)
  noteSync(site.dataDir)
  await site.scheduled()
  assert.ok(findUnpublishedSync(site.dataDir))
  await site.publish()
  assert.equal(findUnpublishedSync(site.dataDir), undefined)
})

test('a schedule leaves a rolled-back site unchanged', async (t) => {
  const site = await aSite(t)
  await site.setTitle('Cooling for Dallas')
  await site.publish()
  await addEntry(site.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt: SOON })
  await rollBack(site.db, { dataDir: site.dataDir, starter: { startedBy: 'command' }, now: site.now() })
  await site.passTime()
  const options = {
    projectDir: PROJECT_DIR,
    dataDir: site.dataDir,
    siteUrl: 'https://example.com',
    now: site.now,
  }
  assert.equal(
    await publishUnlessHeldBack(site.db, { ...options, ...SCHEDULE, progress: silentProgress }),
    undefined,
  )
  assert.equal(site.page('/sale'), undefined)
  assert.equal((await listPublishes(site.db, { limit: 1 }))[0]?.status, 'rolled_back')
})

test('without a ledger a schedule fails with an error and leaves the site unchanged', async (t) => {
  const site = await aSite(t)
  await addEntry(site.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt: SOON })
  await site.passTime()
  rmSync(liveFile(site.dataDir))
  const problem =
    /There is no record of the live site\. Publish everything once to make schedules and selected changes work again/
  await assert.rejects(site.scheduled(), problem)
  assert.ok(site.page('/about'))
  await site.publish()
  assert.ok(site.page('/sale'))
})

test('a schedule still works after a publish was killed right after its switch', async (t) => {
  const site = await aSite(t)
  await site.setTitle('Cooling for Dallas')
  await site.publish()
  const killed = { status: 'running', finished_at: null, release_id: null } as const
  const [last] = await listPublishes(site.db, { limit: 1 })
  await site.db
    .updateTable('publishes')
    .set(killed)
    .where('id', '=', last?.id ?? 0)
    .execute()
  await addEntry(site.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt: SOON })
  await site.passTime()
  await site.scheduled()
  assert.ok(site.page('/sale'))
})

test('a schedule of a restored database that didn’t publish the live site fails with an error', async (t) => {
  const site = await aSite(t)
  await site.setTitle('Cooling for Dallas')
  await site.publish()
  const [last] = await listPublishes(site.db, { limit: 1 })
  await site.db
    .deleteFrom('publishes')
    .where('id', '=', last?.id ?? 0)
    .execute()
  await assert.rejects(site.scheduled(), /This database did not publish the live site/)
})

test('only the current release’s content is kept', async (t) => {
  const site = await aSite(t)
  for (const title of ['One', 'Two']) {
    await site.setTitle(title)
    await site.publish()
  }
  await site.publish()
  assert.deepEqual(readdirSync(join(site.dataDir, 'live-content')), [liveName(site.dataDir)])
})

function liveName(dataDir: string): string {
  const [name = ''] = readdirSync(join(dataDir, 'live-content')).toSorted().toReversed()
  return name
}

function liveFile(dataDir: string): string {
  return join(dataDir, 'live-content', liveName(dataDir))
}

// Schedules a new text of a live page and returns its entry's ID.
async function scheduleText({ db, now }: Awaited<ReturnType<typeof aSite>>) {
  const type = await findContentType(db, 'pages')
  const entry = type && (await findEntry(db, type.id, 'about'))
  assert.ok(type && entry)
  const input = { ...toEntryInput(entry, []), body: 'Our winter hours.', publishAt: SOON, basedOn: undefined }
  const outcome = await saveDraft(db, { type, id: entry.id, input }, { now: now() })
  assert.equal(outcome.kind, 'saved')
  return entry.id
}

test('a scheduled draft leaves the page live until its time, and then publishes it alone', async (t) => {
  const site = await aSite(t)
  await scheduleText(site)
  await site.publish()
  assert.match(site.page('/about') ?? '', /Who we are/)
  await site.setTitle('Cooling that is not ready')
  await site.passTime()
  await useDueDrafts(site.db, { now: site.now() })
  const { plan } = await site.scheduled()
  assert.equal(plan.removed, 0)
  assert.match(site.page('/about') ?? '', /Our winter hours/)
  assert.doesNotMatch(site.page('/services/ac-repair/dallas') ?? '', /not ready/)
})

test('a scheduled draft that a killed process had saved but not published is still due', async (t) => {
  const site = await aSite(t)
  await scheduleText(site)
  await site.passTime()
  // Published between its time and its use, as a person on another server could.
  await site.scheduled()
  await useDueDrafts(site.db, { now: site.now() })
  const due = await findDueMoment(site.db, { dataDir: site.dataDir }, site.now())
  assert.ok(due !== undefined && due <= site.now().toISOString())
  await site.scheduled()
  assert.match(site.page('/about') ?? '', /Our winter hours/)
})

test('publishing everything includes scheduled drafts that are due', async (t) => {
  const site = await aSite(t)
  await scheduleText(site)
  await site.passTime()
  await site.publish()
  assert.match(site.page('/about') ?? '', /Our winter hours/)
  const due = await findDueMoment(site.db, { dataDir: site.dataDir }, site.now())
  assert.equal(due, undefined, 'nothing is left for a schedule')
})
