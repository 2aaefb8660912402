import SqliteDatabase from 'better-sqlite3'
import { createProgress } from '../../src/lib/progress.ts'
import { searchableWords } from '../../src/submissions/search/search-words.ts'

import { fillLeadSums } from './fill-results.ts'

const STEP = 20_000
const NAMES = [
  'Ann',
  'Bob',
  'Carla',
  'Dmitri',
  'Eve',
  'Farid',
  'Grace',
  'Hugo',
  'Ines',
  'Jürgen',
  'Kira',
  'Liam',
]
const FAMILIES = [
  'Archer',
  'Builder',
  'Costa',
  'Diaz',
  'Evans',
  'Fischer',
  'Garcia',
  'Hopper',
  'Ito',
  'Klein',
]
const STATES = [
  'archived',
  'archived',
  'archived',
  'archived',
  'archived',
  'archived',
  'read',
  'read',
  'spam',
  'new',
]
const SOURCES = [
  'direct',
  'search:google',
  'ads:google',
  'search:bing',
  'social:facebook',
  'email:news',
  'unknown',
]
const SERVICES = 100
const PLACES = 1_000

interface Size {
  submissions: number
  entries: number
}

/** Fills a migrated SQLite file: submissions with words and deliveries over two years, and a service in every place. */
export function fillAdmin(path: string, { submissions, entries }: Size): void {
  const database = new SqliteDatabase(path)
  database.pragma('synchronous = OFF')
  database.pragma('cache_size = -200000')
  fillEntries(database, entries)
  withoutFollowers(database, () => fillSubmissions(database, submissions))
  fillLeadSums(database)
  database.close()
}

// With triggers and indexes of leads, filling takes five times as long.
function withoutFollowers(database: SqliteDatabase.Database, fill: () => void) {
  const followers = database
    .prepare(
      "select type, name, sql from sqlite_master where tbl_name = 'form_submissions' and type in ('trigger', 'index') and sql is not null",
    )
    .all() as { type: string; name: string; sql: string }[]
  for (const { type, name } of followers) database.exec(`drop ${type} ${name}`)
  fill()
  for (const { sql } of followers) database.exec(sql)
}

function fillEntries(database: SqliteDatabase.Database, entries: number) {
  const idOf = (table: string, slug: string) =>
    (database.prepare(`select id from ${table} where slug = ?`).get(slug) as { id: number }).id
  const term = database.prepare(
    'insert into taxonomy_terms (taxonomy_id, slug, name, position) values (?, ?, ?, ?)',
  )
  const entry = database.prepare(
    "insert into content_entries (type_id, slug, title, status, data_json) values (?, ?, ?, 'published', ?)",
  )
  const link = database.prepare(
    'insert into entry_taxonomy_terms (entry_id, term_id, type_id) values (?, ?, ?)',
  )
  const [locations, services, offers] = [
    idOf('taxonomies', 'locations'),
    idOf('content_types', 'services'),
    idOf('content_types', 'location_services'),
  ]
  database.transaction(() => {
    const places = range(PLACES).map((n) =>
      Number(term.run(locations, `place-${n}`, `Place ${n}`, n).lastInsertRowid),
    )
    const offered = range(SERVICES).map((n) =>
      Number(entry.run(services, `service-${n}`, `Service ${n}`, '{}').lastInsertRowid),
    )
    for (const n of range(entries)) {
      const [service, place] = [n % SERVICES, Math.floor(n / SERVICES) % PLACES]
      const data = JSON.stringify({ service_entry_id: offered[service], location_term_id: places[place] })
      const { lastInsertRowid } = entry.run(offers, `service-${service}/place-${place}`, '', data)
      link.run(lastInsertRowid, places[place], offers)
    }
  })()
}

function fillSubmissions(database: SqliteDatabase.Database, submissions: number) {
  const insert = database.prepare(
    `insert into form_submissions (form_id, status, data_json, client_id, form_version, page_path, service_slug, service_id,
      location_slug, location_name, location_path, location_id, source, stage, is_won, submitted_at)
     values (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?))`,
  )
  const words = database.prepare('insert into submission_search (rowid, words) values (?, ?)')
  const deliver = database.prepare(
    "insert into webhook_deliveries (submission_id, form_id, webhook_id, status) values (?, ?, ?, 'delivered')",
  )
  const [first, second] = addForms(database)
  const [placeIdOf, serviceIdOf] = [findIds(database, 'taxonomy_terms'), findIds(database, 'content_entries')]
  const fill = database.transaction((from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const { answers, place, service } = aSubmission(n)
      const [placeId, serviceId] = [placeIdOf(place), serviceIdOf(service)]
      const form = n % 3 === 0 ? second : first
      const isWon = n % 20 === 0
      const { lastInsertRowid: id } = insert.run(
        ...[form.id, stateOf(n, submissions), JSON.stringify(answers), `old-${n}`],
        ...[`/services/${service}/${place}`, service, serviceId, place, place, place, placeId],
        ...[SOURCES[n % SOURCES.length], isWon ? 'won' : 'new', Number(isWon)],
        `-${(submissions - n) * 60} seconds`,
      )
      const about = { answers, serviceSlug: service, serviceId, locationName: place, locationPath: place }
      words.run(id, searchableWords(about, { placeIds: [placeId] }))
      if (n % 10 === 0) deliver.run(id, form.id, form.webhookId)
    }
  })
  inSteps(submissions, fill)
}

function inSteps(submissions: number, fill: (from: number, to: number) => void) {
  const progress = createProgress('Filling the inbox')
  for (let n = 0; n < submissions; n += STEP) {
    fill(n, Math.min(n + STEP, submissions))
    progress.update(Math.min(n + STEP, submissions), submissions)
  }
  progress.finish()
}

function findIds(database: SqliteDatabase.Database, table: string): (slug: string) => number {
  const rows = database.prepare(`select slug, id from ${table}`).raw().all() as [string, number][]
  const ids = new Map(rows)
  return (slug) => ids.get(slug) ?? 0
}

function addForms(database: SqliteDatabase.Database) {
  database.prepare("insert into forms (slug, name) values ('quote', 'Quote')").run()
  const forms = database
    .prepare("select id from forms where slug in ('waitlist', 'quote') order by id")
    .all() as { id: number }[]
  const webhook = database.prepare(
    "insert into form_webhooks (form_id, name, url, enabled) values (?, 'CRM', 'https://127.0.0.1:9/', 0)",
  )
  const [first, second] = forms.map(({ id }) => ({ id, webhookId: webhook.run(id).lastInsertRowid }))
  if (!first || !second) throw new Error('The two forms are not there')
  return [first, second] as const
}

function aSubmission(n: number) {
  const name = `${NAMES[n % NAMES.length]} ${FAMILIES[Math.floor(n / 7) % FAMILIES.length]}`
  const email = `person${n}@example.com`
  const phone = `+1 512 555 ${String(n % 10_000).padStart(4, '0')}`
  const details = `The unit in the ${n % 2 ? 'kitchen' : 'bathroom'} leaks since ${n % 30} days, please call back.`
  const answers = { full_name: name, email, phone, role: 'owner', bottleneck: details }
  const service = (n + Math.floor(n / PLACES)) % SERVICES
  return { answers, place: `place-${n % PLACES}`, service: `service-${service}` }
}

// Most old ones are finished; the newest aren't.
function stateOf(n: number, all: number): string {
  if (all - n < 200) return 'new'
  return STATES[n % STATES.length] ?? 'archived'
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}
