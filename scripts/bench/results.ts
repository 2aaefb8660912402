import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { connectSqlite } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Db } from '../../src/db/schema.ts'
import { countActivity } from '../../src/server/dashboard/count-activity.ts'
import { addUpLeads } from '../../src/submissions/results/add-up-leads.ts'
import { measurePages, signIn, withAdmin } from './admin.ts'
import { compareResults } from './compare-results.ts'
import { fillAdmin } from './fill-admin.ts'
import { fillViews } from './fill-results.ts'
import type { Measurement } from './report.ts'

const SUBMISSIONS = 1_000_000
const PAGES_OF_SITE = 100_000
const PLACES_OF_ACCOUNT = 100
const CHANGED_LEADS = 10_000

/** Inbox screens, measured for the limited user; `npm run bench -- admin` measures them without limits. */
const INBOX = ['/admin/inbox', '/admin/inbox?status=all', '/admin/inbox?status=all&q=kitchen']

const SCREENS = [
  '/admin',
  '/admin/reports',
  `/admin/reports?period=${new Date().getUTCFullYear()}`,
  '/admin/coverage?results=show',
]

/**
 * Measures the results screens with a million leads and ten million views of 100,000 pages, on SQLite: for a user
 * without limits and for one limited to 100 of 1,000 places. Then adds up pending changes of many leads, and compares
 * the results with a plain count before and after.
 */
export async function benchResults(): Promise<Measurement[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  const path = join(dataDir, 'signpost.db')
  try {
    await fill(path)
    const screens = await withAdmin(dataDir, async (admin) => {
      const limits = { places: await listSomePlaces(admin.db), forms: null }
      const cookie = await signIn(admin, { role: 'manager', limits })
      // First, because a server that has just started reads the statistics of its tables beside the requests.
      const whole = await measurePages(admin, SCREENS)
      const limited = await measurePages({ ...admin, cookie }, [...SCREENS, ...INBOX])
      return [
        ...whole,
        ...limited.map((one) => ({ ...one, name: `${PLACES_OF_ACCOUNT} places: ${one.name}` })),
      ]
    })
    return [...screens, ...(await measureAddingUp(path))]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function fill(path: string) {
  const db = connectSqlite(path)
  await migrate(db)
  await db.destroy()
  fillAdmin(path, { submissions: SUBMISSIONS, entries: PAGES_OF_SITE })
  const database = new SqliteDatabase(path)
  database.pragma('synchronous = OFF')
  database.pragma('cache_size = -200000')
  fillViews(database)
  database.close()
  const filled = connectSqlite(path)
  // A running site counts leads as they arrive, not a million at its start.
  await countActivity(filled, { now: new Date() })
  await filled.destroy()
}

async function listSomePlaces(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('taxonomy_terms')
    .select('id')
    .where('slug', 'like', 'place-%')
    .orderBy('id')
    .limit(PLACES_OF_ACCOUNT)
    .execute()
  return rows.map(({ id }) => id)
}

// A stage that starts to count as won changes all leads in it.
async function measureAddingUp(path: string): Promise<Measurement[]> {
  const db = connectSqlite(path)
  const changed = { is_won: 1 } as const
  await db
    .updateTable('form_submissions')
    .set(changed)
    .where('id', '>', SUBMISSIONS - CHANGED_LEADS)
    .execute()
  const places = await listSomePlaces(db)
  const pending = await compareResults(path, places)
  const startedAt = performance.now()
  await addUpLeads(db)
  const ms = performance.now() - startedAt
  const addedUp = await compareResults(path, places)
  await db.destroy()
  return [
    { name: `${CHANGED_LEADS} changed leads are added up`, value: ms, unit: 'ms' },
    { ...pending, name: `${pending.name}, with pending changes` },
    addedUp,
  ]
}
