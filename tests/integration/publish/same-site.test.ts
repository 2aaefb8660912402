import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { openSharedSnapshot } from '#src/db/snapshot.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { findScope } from '#src/publish/changes/find-scope.ts'
import { keepTrees } from '#src/publish/changes/kept-trees.ts'
import { ledgerFile, openLedger, readFacts } from '#src/publish/ledger/ledger-store.ts'
import { readPages } from '#src/publish/ledger/newest-release.ts'
import { isSameSite } from '#src/publish/plan/plan-release.ts'
import { type PublishOptions, publishSite } from '#src/publish/publish-site.ts'
import { prepareNextFolder } from '#src/publish/release/next-folder.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { rollBack } from '#src/publish/release/roll-back.ts'
import { ensureBundle } from '#src/publish/render/bundle.ts'
import { keepSpareShare } from '#src/publish/render/remote-share.ts'
import { openTeamFor, runShares } from '#src/publish/render/run-shares.ts'
import { renderShard } from '#src/publish/render/shards.ts'
import { shortHash } from '#src/site/content/fingerprint.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { PROJECT_DIR, waitFor } from '../../support/running-site.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'
import { printFigure, soakLength } from '../../support/soak.ts'

const SEQUENCES = soakLength(4, 200)
const SITE_URL = 'https://example.com'
const NOW = '2026-11-20T10:00:00.000Z'
const PLACES = ['usa', 'texas', 'austin', 'hyde-park', 'dallas', 'ohio']
const SERVICES = ['ac-repair', 'drains']

interface World {
  db: Kysely<Schema>
  databaseUrl: string
  dataDir: string
  clock: { now: number }
}

async function aWorld(t: TestContext): Promise<World> {
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  const db = connectSqlite(path)
  await migrate(db)
  const places = await addPlaces(db, 'usa/texas/austin/hyde-park', 'usa/texas/dallas', 'usa/ohio')
  for (const slug of SERVICES) {
    const id = await addEntry(db, 'services', { slug, title: `The ${slug}`, body: 'What *we* do.' })
    for (const place of PLACES.slice(1))
      await offer(db, { slug, id }, { slug: place, id: places.get(place) as number })
  }
  for (const [slug, service] of Object.entries({
    good: '',
    fast: SERVICES[0],
    clean: SERVICES[0],
    fair: SERVICES[0],
  }))
    await addEntry(db, 'testimonials', { slug, title: 'Good', body: 'They came at once.', data: { service } })
  await addEntry(db, 'testimonials', { slug: 'prompt', title: 'Prompt', data: { service: SERVICES[1] } })
  await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'Who we are.' })
  await storeForm(db, 'quote')
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, share_pictures: 'service' }, { now: NOW })
  return { db, databaseUrl: `file:${path}`, dataDir, clock: { now: Date.parse(NOW) } }
}

const text = fc.constantFrom(
  '',
  'Short.',
  'A longer text of *several* words.',
  '# Heading\n\n- one\n- two',
  'Äpfel & <b>',
)
// Long enough to be listed, and to be compared with what other places say.
const longText = fc.constantFrom(
  'We know the houses of this town since we painted half of them and cooled the others for twenty good years.',
  'We know the houses of this town since we painted half of them; come and see our shop behind the old mill.',
  'Nobody else says this about the river, the ducks, the bridge or the very long summers that we have here.',
)
const phone = fc.constantFrom('(512) 555-0100', '(512) 555-0199')
const name = fc.constantFrom('Austin', 'Dallas City', 'Ärger & Söhne', '"Quoted"', 'One more name')
const place = fc.constantFrom(...PLACES)
const pair = fc
  .tuple(fc.constantFrom(...SERVICES), fc.constantFrom(...PLACES.slice(1)))
  .map((parts) => parts.join('/'))

// Entries and a term, and what they may be called instead.
const SLUGS = [
  ['about', 'company'],
  ['drains', 'drain-cleaning'],
  ['dallas', 'big-d'],
] as const

// Without pictures of places whole ranges of pages are taken over.
const pictures = fc.constantFrom('service' as const, 'place' as const)

type Edit = { what: string; run: (world: World) => Promise<unknown> }

function entry(slug: string, changes: Record<string, string>): Edit['run'] {
  return ({ db }) => db.updateTable('content_entries').set(changes).where('slug', '=', slug).execute()
}

function term(slug: string, changes: object): Edit['run'] {
  return ({ db }) => db.updateTable('taxonomy_terms').set(changes).where('slug', '=', slug).execute()
}

const rolledBack: Edit = {
  what: 'rolled back',
  run: ({ db, dataDir, clock }) =>
    rollBack(db, { dataDir, starter: { startedBy: 'command' }, now: new Date(clock.now) }),
}

const prepared: Edit = {
  what: 'the next folder is prepared',
  run: ({ dataDir }) => prepareNextFolder(dataDir, { fewFiles: 0 }),
}

const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(pair, name).map(([slug, title]) => ({ what: `title of ${slug}`, run: entry(slug, { title }) })),
  fc.tuple(pair, text).map(([slug, body]) => ({ what: `text of ${slug}`, run: entry(slug, { body }) })),
  pair.map((slug) => ({ what: `${slug} to draft`, run: entry(slug, { status: 'draft' }) })),
  pair.map((slug) => ({ what: `${slug} published`, run: entry(slug, { status: 'published' }) })),
  fc
    .tuple(fc.constantFrom(...SERVICES, 'about', 'good'), text, name)
    .map(([slug, body, title]) => ({ what: `all of ${slug}`, run: entry(slug, { body, title }) })),
  fc.tuple(place, name).map(([slug, to]) => ({ what: `${slug} is ${to}`, run: term(slug, { name: to }) })),
  fc
    .tuple(place, text)
    .map(([slug, description]) => ({ what: `about ${slug}`, run: term(slug, { description }) })),
  fc
    .constantFrom('austin', 'hyde-park', 'dallas')
    .chain((slug) =>
      fc
        .constantFrom('texas', 'ohio', 'usa')
        .map((parent) => ({ what: `${slug} to ${parent}`, run: move(slug, parent) })),
    ),
  fc
    .tuple(name, text, fc.constantFrom('active' as const, 'archived' as const))
    .map(([label, description, status]) => ({
      what: `form, ${status}`,
      run: ({ db }: World) =>
        storeForm(db, 'quote', { name: label, description, status, fields: [{ name: 'answer', label }] }),
    })),
  fc
    .record({
      name,
      default_form: fc.constantFrom('quote', 'waitlist', null),
      quality_threshold: fc.constantFrom(0, 40),
      share_pictures: pictures,
      theme: fc.constantFrom({ preset: 'bluebonnet' as const }, { preset: 'bluebonnet' as const, radius: 3 }),
    })
    .map((settings) => ({
      what: 'settings',
      run: ({ db }: World) => saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, ...settings }, { now: NOW }),
    })),
  fc.constantFrom(...SLUGS, ...SLUGS.map(([from, to]) => [to, from] as const)).map(([from, to]) => ({
    what: `${from} moves to ${to}`,
    run: async (world: World) => {
      await entry(from, { slug: to })(world)
      await term(from, { slug: to })(world)
    },
  })),
  fc.constant({
    what: 'the form moves to estimate',
    run: async ({ db }: World) => {
      await db.deleteFrom('forms').where('slug', '=', 'estimate').execute()
      await db.updateTable('forms').set({ slug: 'estimate' }).where('slug', '=', 'quote').execute()
    },
  }),
  fc.constantFrom('about', 'good', 'sale').map((slug) => ({ what: `${slug} deleted`, run: remove(slug) })),
  pair.map((slug) => ({ what: `${slug} deleted`, run: remove(slug) })),
  fc.constant(rolledBack),
  fc.constant(prepared),
  fc.tuple(fc.constantFrom('pages', 'testimonials'), name, text).map(([type, title, body]) => ({
    what: `sale among ${type}`,
    run: async (world: World) => {
      await remove('sale')(world)
      await addEntry(world.db, type, { slug: 'sale', title, body })
    },
  })),
)

function remove(slug: string): Edit['run'] {
  return ({ db }) => db.deleteFrom('content_entries').where('slug', '=', slug).execute()
}

function move(slug: string, parent: string): Edit['run'] {
  return async ({ db }) => {
    const { id } = await db
      .selectFrom('taxonomy_terms')
      .select('id')
      .where('slug', '=', parent)
      .executeTakeFirstOrThrow()
    return term(slug, { parent_id: id })({ db } as World)
  }
}

type Options = Pick<PublishOptions, 'full' | 'check' | 'jobs' | 'shards' | 'trees'>

async function publish(world: World, dataDir: string, options: Options = {}) {
  await publishIn(world, dataDir, options)
  return readSite(dataDir)
}

function publishIn({ db, clock, databaseUrl }: World, dataDir: string, options: Options = {}) {
  clock.now += 1_000
  const now = () => new Date(clock.now)
  const rest = { projectDir: PROJECT_DIR, siteUrl: SITE_URL, databaseUrl, jobs: 1, progress: silentProgress }
  return publishSite(db, { ...rest, dataDir, now, ...options })
}

function readQuality({ db }: World) {
  return db.selectFrom('page_quality').selectAll().orderBy('entry_id').execute()
}

async function readSite(dataDir: string): Promise<Map<string, string>> {
  const { siteDir } = findCurrentRelease(dataDir) ?? assert.fail('there is no release')
  const entries = await readdir(siteDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const pairs = files
    .sort()
    .map(async (file) => [file.slice(siteDir.length), await readFile(file, 'latin1')] as const)
  return new Map(await Promise.all(pairs))
}

// A site that starts from nothing knows no earlier moments and no earlier addresses.
function withoutHistory(site: Map<string, string>): Map<string, string> {
  const files = [...site].filter(([file]) => file !== '/_redirects')
  return new Map(files.map(([file, bytes]) => [file, bytes.replace(/<lastmod>[^<]*<\/lastmod>/g, '')]))
}

// Most edits of a day: they reach few pages, and only these are looked at.
const narrow: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(pair, name).map(([slug, title]) => ({ what: `title of ${slug}`, run: entry(slug, { title }) })),
  fc.tuple(pair, longText).map(([slug, body]) => ({ what: `text of ${slug}`, run: write(slug, body) })),
  fc
    .tuple(fc.constantFrom('about', 'good', 'prompt'), text)
    .map(([slug, body]) => ({ what: slug, run: entry(slug, { body }) })),
  pair.map((slug) => ({ what: `reviews of ${slug}`, run: chooseTestimonials(slug) })),
  fc
    .tuple(place, text)
    .map(([slug, description]) => ({ what: `about ${slug}`, run: term(slug, { description }) })),
  fc.tuple(pair, phone).map(([slug, tel]) => ({ what: `phone of ${slug}`, run: set(slug, { phone: tel }) })),
  fc
    .tuple(fc.constantFrom(...SERVICES), longText)
    .map(([slug, body]) => ({ what: `text of ${slug}`, run: entry(slug, { body }) })),
  fc
    .tuple(fc.constantFrom(...SERVICES), text, fc.integer({ min: 1, max: 2 }))
    .map(([slug, summary, position]) => ({
      what: `summary and position ${position} of ${slug}`,
      run: set(slug, { summary, position }),
    })),
  fc.constant({
    what: 'a draft',
    run: async (world: World) => {
      await remove('draft')(world)
      await addEntry(world.db, 'pages', { slug: 'draft', title: 'Draft', status: 'draft' })
    },
  }),
  fc.constant(prepared),
  fc.constant({ what: 'nothing', run: async () => {} }),
)

// A generated place with its own text is one no longer.
function write(slug: string, body: string): Edit['run'] {
  return ({ db }) =>
    db.updateTable('content_entries').set({ body, is_generated: 0 }).where('slug', '=', slug).execute()
}

// Instead of those that are chosen for it.
function chooseTestimonials(slug: string): Edit['run'] {
  return async (world) => {
    const rows = await world.db
      .selectFrom('content_entries')
      .select('id')
      .where('slug', '=', 'prompt')
      .execute()
    await set(slug, { local_testimonials: rows.map(({ id }) => id).join() })(world)
    await world.db.updateTable('content_entries').set({ is_generated: 0 }).where('slug', '=', slug).execute()
  }
}

function set(slug: string, values: object): Edit['run'] {
  return async ({ db }) => {
    const row = await db
      .selectFrom('content_entries')
      .select('data_json')
      .where('slug', '=', slug)
      .executeTakeFirst()
    const data_json = JSON.stringify({ ...JSON.parse(row?.data_json ?? '{}'), ...values })
    await entry(slug, { data_json })({ db } as World)
  }
}

test('after any edits in any order, incremental publishes give the bytes of a full build', async (t) => {
  // More than releases are kept: folders of earlier ones are used again.
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.array(narrow, { minLength: 1, maxLength: 3 }) },
    { weight: 2, arbitrary: fc.array(edits, { minLength: 1, maxLength: 3 }) },
  )
  const sequence = fc.array(step, { minLength: 7, maxLength: 10 })
  let publishes = 0
  let narrowly = 0
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const world = await aWorld(t)
      const trees = keepTrees()
      try {
        await publish(world, world.dataDir)
        for (const step of steps) {
          for (const { run } of step) await run(world)
          const { scope, kind, plan } = await publishIn(world, world.dataDir, { trees })
          publishes++
          if (scope === 'changes' && plan.changed > 0) narrowly++
          assert.ok(kind === 'published' || scope !== 'changes' || isSameSite(plan))
        }
        const quality = await readQuality(world)
        const checked = await publishIn(world, world.dataDir, { check: true })
        assert.deepEqual([checked.kind, isSameSite(checked.plan)], ['unchanged', true])
        assert.deepEqual(await readQuality(world), quality)
        const stepByStep = await readSite(world.dataDir)
        assert.deepEqual(await publish(world, world.dataDir, { full: true }), stepByStep)
        const fresh = temporaryFolder(t)
        assert.deepEqual(withoutHistory(await publish(world, fresh)), withoutHistory(stepByStep))
      } finally {
        await world.db.destroy()
      }
    }),
    { numRuns: SEQUENCES },
  )
  assert.ok(narrowly > 0)
  printFigure(t, `${SEQUENCES} sequences with ${publishes} publishes, ${narrowly} of changed pages alone`)
})

test('shards join into the site of a single build', async (t) => {
  const world = await aWorld(t)
  t.after(() => world.db.destroy())
  const folders = [temporaryFolder(t), temporaryFolder(t)]
  const options = { projectDir: PROJECT_DIR, siteUrl: SITE_URL, dataDir: '', progress: silentProgress }
  let rendered = 0
  for (const [index, folder] of folders.entries()) {
    const shard = { number: index + 1, count: 2 }
    rendered += await renderShard(world.db, { ...options, now: () => new Date() }, { shard, folder })
  }
  const joined = await publish(world, temporaryFolder(t), { shards: folders })
  assert.equal(rendered, [...joined.keys()].filter((file) => file.endsWith('.html')).length)
  // None of them is rendered again.
  for (const folder of folders) await markPages(folder)
  for (const [file, html] of await publish(world, temporaryFolder(t), { shards: folders }))
    if (file.endsWith('.html')) assert.ok(html.endsWith('<!-- of a part -->'), file)
  assert.deepEqual(withoutHistory(joined), withoutHistory(await publish(world, temporaryFolder(t))))
})

test('a shard is rendered into an empty folder or over an earlier shard, and foreign files are kept', async (t) => {
  const world = await aWorld(t)
  t.after(() => world.db.destroy())
  const options = { projectDir: PROJECT_DIR, siteUrl: SITE_URL, dataDir: '', progress: silentProgress }
  const render = (folder: string) =>
    renderShard(world.db, { ...options, now: () => new Date() }, { shard: { number: 1, count: 1 }, folder })
  const [folder, part] = [temporaryFolder(t), join(temporaryFolder(t), 'part')]
  await mkdir(join(folder, 'site'))
  await writeFile(join(folder, 'site/index.html'), 'mine')
  await assert.rejects(render(folder), /contains other files. Choose an empty folder/)
  await assert.rejects(render(join(folder, 'site/index.html')), /is not a folder. Choose an empty one/)
  assert.equal(await readFile(join(folder, 'site/index.html'), 'utf8'), 'mine')
  assert.equal(await render(part), await render(part))
})

// As if it had been rendered so.
async function markPages(folder: string) {
  const pages = readPages(folder)
  const ledger = openLedger(ledgerFile(folder))
  for (const { path } of pages) {
    const file = join(folder, 'site', pageFile(path))
    const html = `${await readFile(file, 'utf8')}<!-- of a part -->`
    await writeFile(file, html)
    ledger.prepare('update pages set bytes_hash = ? where path = ?').run(shortHash(html), path)
  }
  ledger.close()
}

test('several processes render the same bytes as one', async (t) => {
  const world = await aWorld(t)
  t.after(() => world.db.destroy())
  const alone = await publish(world, temporaryFolder(t))
  const together = await publish(world, temporaryFolder(t), { jobs: 2 })
  assert.deepEqual(withoutHistory(together), withoutHistory(alone))
})

/** The pages of an edited service, shared out among two processes; `save` runs before the second one reads. */
async function aTeamForService(
  t: TestContext,
  { onlyPages, save = async () => {} }: { onlyPages?: boolean; save?: Edit['run'] } = {},
) {
  const world = await aWorld(t)
  t.after(() => world.db.destroy())
  await write('ac-repair/austin', 'We know the houses of this town since we painted half of them.')(world)
  await publish(world, world.dataDir)
  await entry('ac-repair', { body: 'What we do, said anew.' })(world)
  const release = findCurrentRelease(world.dataDir) ?? assert.fail('there is no release')
  const ledger = openLedger(ledgerFile(world.dataDir))
  t.after(() => ledger.close())
  const facts = readFacts(ledger, release) ?? assert.fail('the release is unknown')
  const question = { siteUrl: SITE_URL, now: new Date(world.clock.now) }
  const tokens: string[] = []
  const snapshot = await openSharedSnapshot(world.databaseUrl, async (token) => tokens.push(token))
  t.after(() => snapshot[Symbol.asyncDispose]())
  const scope = await findScope(snapshot.db, { ledger, facts, ...question })
  assert.ok(scope.kind === 'changes' && scope.content)
  await save(world)
  const { content, near, entryIds } = scope
  const [token = ''] = tokens
  const options = { ...question, databaseUrl: world.databaseUrl, jobs: 2 }
  const team = await openTeamFor({ db: snapshot.db, content, near, token }, options)
  t.after(() => team[Symbol.asyncDispose]())
  const { folder, fingerprint: templateFingerprint } = await ensureBundle(PROJECT_DIR)
  const about = { templateFingerprint, previous: release, unknown: undefined, ledgerFile: ledger.name }
  const rest = {
    full: false,
    readsFiles: false,
    findsLinks: true,
    changes: [],
    rendered: [],
    siteDir: temporaryFolder(t),
  }
  const shares = await team.start({ ...about, ...rest, onlyPages }, ledger, folder)
  return { shares, entryIds, range: { kind: 'some' as const, entryIds } }
}

test('several processes make the pages of a service alike, each with a part of the content', async (t) => {
  const { shares, range } = await aTeamForService(t)
  assert.equal(await shares[1]?.joins?.(), true)
  const [one = [], other] = await Promise.all(shares.map(async (share) => (await share.range(range)).pages))
  assert.deepEqual(other, one)
  const changed = one.filter(({ state }) => state === 'changed').map(({ record }) => record.path)
  // The place with its own text doesn't show the service's.
  assert.equal(changed.length, one.length - 1)
  assert.ok(!changed.includes('/services/ac-repair/austin'))
})

test('a process that reads later content than the others makes no pages', async (t) => {
  const { shares, entryIds } = await aTeamForService(t, {
    save: entry('ac-repair', { body: 'What we do, said once more.' }),
  })
  assert.equal(await shares[1]?.joins?.(), false)
  const made: number[] = []
  const ranges = entryIds.map((id) => ({ kind: 'some' as const, entryIds: [id] }))
  await runShares(shares, ranges, ({ pages }) => {
    for (const { record } of pages) made.push(record.entryId ?? 0)
  })
  assert.deepEqual(made.toSorted(), [...entryIds].toSorted())
  await Promise.all(shares.map((share) => share.finish()))
})

test('links and causes are noted for a publish only, because a preview shows neither', async (t) => {
  for (const onlyPages of [true, false]) {
    const { shares, range } = await aTeamForService(t, { onlyPages })
    const { links, pages } = (await shares[0]?.range(range)) ?? assert.fail('there are no pages')
    assert.equal(links.length === 0, onlyPages)
    assert.equal(pages.flatMap(({ causes }) => causes).length === 0, onlyPages)
  }
})

test('a process started ahead of time joins the next team', async (t) => {
  const { folder } = await ensureBundle(PROJECT_DIR)
  const others = listChildren()
  const started = () => listChildren().filter((id) => !others.includes(id))
  keepSpareShare(folder)
  keepSpareShare(folder)
  const [spare] = started()
  assert.equal(started().length, 1)
  const { shares } = await aTeamForService(t)
  assert.equal(await shares[1]?.joins?.(), true)
  assert.deepEqual(started(), [spare])
})

test('a process started ahead of time that has ended is replaced', async (t) => {
  const { folder } = await ensureBundle(PROJECT_DIR)
  const others = listChildren()
  keepSpareShare(folder)
  const [spare] = listChildren().filter((id) => !others.includes(id))
  process.kill(Number(spare), 'SIGKILL')
  await waitFor(() => !listChildren().includes(String(spare)))
  const { shares } = await aTeamForService(t)
  assert.equal(await shares[1]?.joins?.(), true)
})

test('a process ends with its part of the work, because completing the release needs memory', async (t) => {
  const others = listChildren()
  const { shares, range } = await aTeamForService(t)
  assert.equal(await shares[1]?.joins?.(), true)
  await shares[1]?.range(range)
  assert.equal(listChildren().filter((id) => !others.includes(id)).length, 1)
  await shares[1]?.finish()
  await waitFor(() => listChildren().every((id) => others.includes(id)))
})

function listChildren(): string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
}
