import assert from 'node:assert/strict'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { engineOf } from '#src/db/dialects.ts'
import type { Schema } from '#src/db/schema.ts'
import { createPersonPattern } from '#src/privacy/person-pattern.ts'
import { loadReport } from '#src/submissions/results/load-report.ts'
import { atEnd } from '../support/at-end.ts'
import {
  type CountedLead,
  countReport,
  listEvents,
  type ReportSums,
  sumsOfReport,
} from '../support/count-results.ts'
import { copyMigrated, temporaryFolder } from '../support/database.ts'
import { ERASABLE, personNumber } from '../support/erasable-people.ts'
import { needsPostgres, postgresDatabase } from '../support/postgres-database.ts'
import { waitFor } from '../support/running-site.ts'
import { addEntry, addPlaces } from '../support/small-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'
import { type SubmissionServer, startSubmissionServer, VALID_ANSWERS } from '../support/submission-server.ts'

const KILLS = soakLength(2, 25)
const PEOPLE = 40
const POSTERS = 6
const LONGEST_MS = 2_000
/** The counter keeps views and phone taps for 5 s, and on a busy machine takes a moment to store them. */
const KEPT_MS = 5_000
const STORED_MS = 5_000
const PAGES = ['/', '/drains', '/drains/ennis', '/drains/clare', '/boilers/ennis', '/boilers/limerick']
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

const some = <Item>(items: readonly Item[]) => items[randomInt(items.length)] as Item

test('results equal a plain count of leads after kills, and no view or phone tap counts twice', async (t) => {
  const dataDir = temporaryFolder(t)
  await copyMigrated(join(dataDir, 'signpost.db'))
  await killAndCount(t, { dataDir, url: `file:${join(dataDir, 'signpost.db')}` })
})

test('the same on PostgreSQL', needsPostgres, async (t) => {
  const { url } = await postgresDatabase(t, { isMigrated: true })
  await killAndCount(t, { dataDir: temporaryFolder(t), url })
})

interface Site {
  dataDir: string
  /** Of the database. */
  url: string
}

async function killAndCount(t: TestContext, { dataDir, url }: Site) {
  const db = connectDatabase(url, { maxConnections: 1 })
  atEnd(t, () => db.destroy())
  const site = { dataDir, environment: { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('base64') } }
  const places = await storePages(db)
  await keepRemovedLeads(db)
  const visits = new Visits()
  let [pending, kills] = [0, 0]
  for (; kills < KILLS; kills += 1) {
    const before = await countVisits(db)
    await runUntilKilled(t, site, { visits, isLong: kills % 4 === 1 })
    await waitFor(async () => (await countConnections(db)) === 1)
    visits.end({ counted: (await countVisits(db)) - before })
    const { count } = await db
      .selectFrom('lead_changes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    pending += Number(count)
    await assertEqual(db, places)
  }
  const server = await startSubmissionServer(t, dataDir, site.environment)
  await waitFor(() => isSettled(db), 60_000)
  const exited = once(server.process, 'exit')
  server.process.kill('SIGTERM')
  await exited
  await assertEqual(db, places)
  for (const [visit, counted] of await listVisitsOfPages(db))
    assert.ok(counted <= (visits.sent.get(visit) ?? 0), `${visit}: ${counted}`)
  const leads = (await listLeads(db)).length
  assert.ok(leads > KILLS && pending > 0)
  printFigure(
    t,
    `${engineOf(db)}: ${leads} leads in ${kills} kills amid ${pending} changes: every sum equal; ${visits.lost} of ${visits.acknowledged} views and phone taps lost, none older than 10 s, 0 counted twice`,
  )
}

async function storePages(db: Kysely<Schema>): Promise<number[]> {
  const places = await addPlaces(db, 'ireland/clare/ennis', 'ireland/limerick')
  const services = new Map<string, number>()
  for (const slug of ['drains', 'boilers'])
    services.set(slug, await addEntry(db, 'services', { slug, title: slug }))
  const rows = PAGES.map((path) => {
    const [service = '', place = ''] = path.slice(1).split('/')
    const [serviceId, placeId] = [services.get(service), places.get(place)]
    const page_key = placeId ? `place:${serviceId}:${placeId}` : serviceId ? `entry:${serviceId}` : 'fixed:/'
    return { path, page_key }
  })
  await db.insertInto('published_addresses').values(rows).execute()
  return ['clare', 'ennis'].map((slug) => places.get(slug) as number)
}

// A lead that was deleted or erased counts as it was.
async function keepRemovedLeads(db: Kysely<Schema>) {
  await sql`create table removed_leads as select * from form_submissions where 1 = 0`.execute(db)
  const columns = (await db.introspection.getTables()).find(
    ({ name }) => name === 'form_submissions',
  )?.columns
  const old = sql.join((columns ?? []).map(({ name }) => sql.ref(`old.${name}`)))
  const keep = sql`insert into removed_leads values (${old})`
  const trigger = sql`create trigger keep_removed before delete on form_submissions`
  const postgres = [
    sql`create function keep_removed() returns trigger language plpgsql as $$
      begin ${keep}; return old; end $$`,
    sql`${trigger} for each row execute function keep_removed()`,
  ]
  const sqlite = [sql`${trigger} begin ${keep}; end`]
  for (const statement of engineOf(db) === 'sqlite' ? sqlite : postgres) await statement.execute(db)
}

// PostgreSQL may still be working for a killed process.
async function countConnections(db: Kysely<Schema>): Promise<number> {
  if (engineOf(db) === 'sqlite') return 1
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity where datname = current_database()`.execute(db)
  return Number(rows[0]?.count)
}

/** Views and phone taps. */
class Visits {
  /** By event and page. */
  readonly sent = new Map<string, number>()
  #acknowledgedAt: number[] = []
  #sentNow = 0
  acknowledged = 0
  lost = 0

  send(visit: string) {
    this.sent.set(visit, (this.sent.get(visit) ?? 0) + 1)
    this.#sentNow += 1
  }

  acknowledge() {
    this.#acknowledgedAt.push(performance.now())
  }

  /** Compares with what the killed process stored. */
  end({ counted }: { counted: number }) {
    const [acknowledged, now] = [this.#acknowledgedAt, performance.now()]
    const due = acknowledged.filter((at) => at < now - KEPT_MS - STORED_MS).length
    assert.ok(counted <= this.#sentNow, `${counted} of ${this.#sentNow} counted`)
    assert.ok(counted >= due, `${counted} of ${due} counted, which were due`)
    this.acknowledged += acknowledged.length
    this.lost += Math.max(acknowledged.length - counted, 0)
    this.#acknowledgedAt = []
    this.#sentNow = 0
  }
}

async function runUntilKilled(
  t: TestContext,
  { dataDir, environment }: { dataDir: string; environment: Record<string, string> },
  { visits, isLong }: { visits: Visits; isLong: boolean },
) {
  const settings = { fixture: 'busy-inbox.ts', TRUSTED_PROXIES: 1, ...environment }
  const server = await startSubmissionServer(t, dataDir, settings)
  let stored = 0
  const onStored = () => (stored += 1)
  const load = [...Array.from({ length: POSTERS }, () => post(server, onStored)), visit(server, visits)]
  await waitFor(() => stored > 0, 60_000)
  await wait(Math.random() * LONGEST_MS + (isLong ? KEPT_MS + STORED_MS : 0))
  const exited = once(server.process, 'exit')
  assert.equal(server.process.exitCode, null)
  server.process.kill('SIGKILL')
  await Promise.all([exited, ...load])
}

async function post({ url }: SubmissionServer, onStored: () => void) {
  for (;;) {
    const person = randomInt(PEOPLE)
    const { email } = personNumber(person)
    // Some sources name a person who will be erased.
    const source = some(['google', 'letter', ...(person < ERASABLE ? [email] : [])])
    const last = { at: '2026-11-20T10:00:00.000Z', landing_page: '/', utm_source: source }
    const body = {
      ...VALID_ANSWERS,
      email,
      _id: randomUUID(),
      _page: some(PAGES),
      _source: JSON.stringify({ last }),
    }
    const response = await send(`${url}/api/forms/waitlist/submissions`, body)
    if (!response) return
    assert.equal(response.status, 201)
    onStored()
  }
}

async function visit({ url }: SubmissionServer, visits: Visits) {
  for (;;) {
    const [event, page] = [some(['view', 'view', 'view', 'tap']), some(PAGES)]
    visits.send(`${event} ${page}`)
    const response = await send(`${url}/api/visits`, { event, page })
    if (!response) return
    visits.acknowledge()
    await wait(2)
  }
}

async function send(url: string, body: object): Promise<Response | undefined> {
  const address = `198.51.${randomInt(256)}.${randomInt(256)}`
  const headers = { 'content-type': 'application/json', 'user-agent': BROWSER, 'x-forwarded-for': address }
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    await response.arrayBuffer()
    return response
  } catch {
    return undefined
  }
}

async function isSettled(db: Kysely<Schema>): Promise<boolean> {
  const changes = await db.selectFrom('lead_changes').select('id').limit(1).execute()
  const open = await db.selectFrom('privacy_erasures').select('id').where('finished_at', 'is', null).execute()
  return changes.length + open.length === 0
}

async function listLeads(db: Kysely<Schema>): Promise<CountedLead[]> {
  const { rows } =
    await sql<CountedLead>`select * from form_submissions union all select * from removed_leads`.execute(db)
  return rows
}

// Nothing else writes meanwhile.
async function assertEqual(db: Kysely<Schema>, places: number[]) {
  const events = listEvents(await listLeads(db))
  for (const period of ['2026-11', String(new Date().getUTCFullYear()), new Date().toISOString().slice(0, 7)])
    for (const scope of [null, places]) {
      const report = sumsOfReport(await loadReport(db, { period, scope: { places: scope } }))
      const named = withoutPeople(report)
      const slow = withoutPeople(countReport(events, { period, places: scope }))
      assert.deepEqual(leadsOf(named), leadsOf(slow))
      assertSameVisits(report)
    }
}

// An erasure renames sources in sums and in leads, at different moments.
function withoutPeople(sums: ReportSums): ReportSums {
  const patterns = Array.from({ length: ERASABLE }, (_, number) => createPersonPattern(personNumber(number)))
  const sources: ReportSums['sources'] = {}
  for (const [name, figures] of Object.entries(sums.sources)) {
    const plain = patterns.reduce((text, pattern) => pattern.redact(text), name)
    sources[plain] = figures.map((figure, at) => figure + (sources[plain]?.[at] ?? 0))
  }
  return { ...sums, sources }
}

function leadsOf({ total, ...lists }: ReportSums) {
  const ofList = (list: ReportSums['pages']) =>
    Object.fromEntries(
      Object.entries(list)
        .map(([name, [, , leads = 0, won = 0]]) => [name, [leads, won]] as const)
        .filter(([, [leads, won]]) => leads + won > 0),
    )
  return {
    total: total.slice(2),
    ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, ofList(list)])),
  }
}

// A kill loses visits from all lists or from none.
function assertSameVisits({ total, ...lists }: ReportSums) {
  for (const [name, list] of Object.entries(lists))
    for (const at of [0, 1]) {
      const sum = Object.values(list).reduce((all, figures) => all + (figures[at] ?? 0), 0)
      assert.equal(sum, total[at], name)
    }
}

async function countVisits(db: Kysely<Schema>): Promise<number> {
  return (await listVisitsOfPages(db)).reduce((sum, [, count]) => sum + count, 0)
}

async function listVisitsOfPages(db: Kysely<Schema>): Promise<[visit: string, count: number][]> {
  const rows = await db
    .selectFrom('traffic_counts')
    .select(({ fn }) => ['subject', fn.sum<number>('views').as('views'), fn.sum<number>('taps').as('taps')])
    .where('dimension', '=', 'page')
    .where('place', '=', '#')
    .where(({ fn }) => fn<number>('length', ['period']), '=', 4)
    .groupBy('subject')
    .execute()
  return rows.flatMap(({ subject, views, taps }): [string, number][] => [
    [`view ${subject}`, Number(views)],
    [`tap ${subject}`, Number(taps)],
  ])
}
