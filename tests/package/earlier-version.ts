import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import { temporaryFolder } from '../support/database.ts'
import { unpackProgram, withoutHistory } from '../support/earlier-program.ts'
import { INSTALLED_PROGRAM, PROJECT_DIR, type RunningSite, startSite } from '../support/running-site.ts'
import { install, makeSite, packedProgram, run } from './made-site.ts'
import { OWN_HOOKS } from './own-hooks.ts'

/** The last version with fewer migrations that has everything that the site uses: components, sections, pages, and hooks. */
const EARLIER_COMMIT = 'a25624112cb50505c755c3e2a22fe9b0c5fcedda'
// The last two are where npm writes the version of the program.
const MADE = new Set(['node_modules', 'data', 'dist', '.astro', 'package.json', 'package-lock.json'])
/** Tables that the second lead or a start changes: the search index, the sums of leads, and the code of the first account. */
const CHANGED = /^(submission_search_\w+|lead_counts|count_cursors|setup_codes)$/

test('a site of an earlier version keeps its files and its data', { skip: withoutHistory }, async (t) => {
  const folder = temporaryFolder(t)
  const { programDir, tarball } = packEarlier(folder)
  const { site } = makeSite(folder, { programDir, tarball, files: OWN_HOOKS })
  const folders = { siteDir: site, dataDir: join(site, 'data'), contentDir: join(site, 'content') }

  const earlier = await startSite(t, folders)
  await checkPages(earlier)
  await postLead(earlier, 'Ann Before')
  await earlier.end('SIGTERM')
  const [files, tables] = [readFiles(site), readTables(folders.dataDir)]

  const newest = packedProgram()
  const check = run(process.execPath, [INSTALLED_PROGRAM, 'upgrade', '--check', '--to', newest], site)
  assert.match(check, /migrations? at the next start: 0281_outlets/)
  install(site, [`file:${newest}`])
  const later = await startSite(t, folders)
  await checkPages(later)
  await postLead(later, 'Bea After')
  await later.end('SIGTERM')
  assert.deepEqual(readFiles(site), files)
  const now = readTables(folders.dataDir)
  assert.deepEqual(lostValues(tables, now), [])
  const newestMigration = readdirSync(join(PROJECT_DIR, 'migrations')).sort().at(-1)?.replace(/\.ts$/, '')
  assert.ok(!migrationsOf(tables).includes(newestMigration))
  assert.ok(migrationsOf(now).includes(newestMigration), 'the newest version runs')
  assert.deepEqual(namesOfLeads(tables), ['Ann Before'])
  assert.deepEqual(namesOfLeads(now), ['Ann Before', 'Bea After'])
})

/** Packs the program of the earlier commit, with the packages that are installed here. */
function packEarlier(folder: string): { programDir: string; tarball: string } {
  const programDir = join(folder, 'earlier')
  unpackProgram(EARLIER_COMMIT, programDir)
  run(process.execPath, ['scripts/package.ts'], programDir)
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  return { programDir, tarball: join(folder, run('npm', args, programDir).trim()) }
}

async function checkPages({ url }: RunningSite) {
  const read = async (path: string) => (await fetch(url + path)).text()
  assert.match(await read('/'), /Call us today.*Front Range Plumbing/s)
  const place = await read('/services/drain-cleaning/denver')
  assert.match(place, /Drain cleaning near you: .*For all we do: 10 years by Front Range Plumbing/is)
  assert.match(await read('/jobs'), /School roof, 2026.*Clicked.*0.*times/s)
  assert.match(await read('/jobs/roof'), /<h1>School roof<\/h1>/)
}

async function postLead({ url }: RunningSite, name: string) {
  const answer = await fetch(`${url}/api/forms/quote/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ full_name: name, phone: '(303) 555-0102' }),
  })
  assert.equal(answer.status, 201, await answer.text())
}

/** Texts of the site's files by path, without what installing and running make. */
function readFiles(site: string): Record<string, string> {
  const entries = readdirSync(site, { recursive: true, withFileTypes: true })
  const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
  const own = paths.filter((path) => {
    const [first = ''] = path.slice(site.length + 1).split('/')
    return !MADE.has(first)
  })
  return Object.fromEntries(own.sort().map((path) => [path, readFileSync(path, 'utf8')]))
}

interface Table {
  key: string[]
  rows: Record<string, unknown>[]
}

function readTables(dataDir: string): Map<string, Table> {
  const db = new SqliteDatabase(join(dataDir, 'signpost.db'), { readonly: true })
  const names = db.prepare(`select name from sqlite_schema where type = 'table'`).pluck().all() as string[]
  const tables = names.map((name): [string, Table] => {
    const columns = db.pragma(`table_info("${name}")`) as { name: string; pk: number }[]
    const key = columns.filter(({ pk }) => pk > 0).map((column) => column.name)
    return [name, { key, rows: db.prepare(`select * from "${name}"`).all() as Table['rows'] }]
  })
  db.close()
  return new Map(tables)
}

/** Lists the values of tables with a key that a later state does not have. */
function lostValues(before: ReadonlyMap<string, Table>, after: ReadonlyMap<string, Table>): string[] {
  const kept = [...before].filter(([name]) => !CHANGED.test(name))
  return kept.flatMap(([name, { key, rows }]) => {
    const keyOf = (row: Table['rows'][number]) => JSON.stringify(key.map((column) => row[column]))
    const now = new Map((after.get(name)?.rows ?? []).map((row) => [keyOf(row), row]))
    return rows.flatMap((row) =>
      Object.entries(row)
        .filter(([column, value]) => key.length > 0 && now.get(keyOf(row))?.[column] !== value)
        .map(([column, value]) => `${name} ${keyOf(row)} ${column}: ${value}`),
    )
  })
}

function migrationsOf(tables: ReadonlyMap<string, Table>): unknown[] {
  return (tables.get('kysely_migration')?.rows ?? []).map(({ name }) => name)
}

function namesOfLeads(tables: ReadonlyMap<string, Table>): string[] {
  const rows = tables.get('form_submissions')?.rows ?? []
  return rows.map(({ data_json }) => JSON.parse(String(data_json)).full_name)
}
