import { spawn } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Schema } from '../../src/db/schema.ts'
import { findForm, saveForm, toFormDefinition } from '../../src/forms/form-store.ts'
import { ensureBundle } from '../../src/publish/bundle.ts'
import { fillDatabase } from './build/data-set.ts'
import { measureProcess, type ProcessCost } from './process-tree.ts'
import type { Measurement } from './report.ts'

const PROJECT_DIR = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const PUBLISH = join(PROJECT_DIR, 'scripts/bench/build/publish-process.ts')
const TEMPLATE = 'src/components/partials/LocationServiceDetail.astro'
const SOURCES = ['src', 'astro.config.mjs', 'package.json', 'package-lock.json', 'tsconfig.json']
const NOW = '2026-11-21T10:00:00.000Z'

const MOST_BYTES = 1.5 * 1024 ** 3
const EDIT_SECONDS = 6
const UNCHANGED_SECONDS = 4
const EDIT_SHARE = 0.083
const TWO_PROCESSES_SHARE = 0.65
// The limits are for sites of this size and below.
const PAGES_OF_LIMITS = 100_000

interface Bench {
  folder: string
  projectDir: string
  databaseUrl: string
  db: Kysely<Schema>
}

interface Step {
  name: string
  cost: ProcessCost
  rendered: number
}

/**
 * Publishes a site of so many pages from nothing with one process and with all, then after each kind of edit. Each
 * publish is a process of its own, measured from its start to its end with all that it starts. A site beyond the size of
 * the limits is made from nothing once, with all processes, and gets one location changed.
 */
export async function benchBuild({ pages }: { pages: number }): Promise<Measurement[]> {
  const bench = await prepare(pages)
  try {
    const hasLimits = pages <= PAGES_OF_LIMITS
    const alone = hasLimits ? await publishAlone(bench) : undefined
    const jobs = Math.max(2, availableParallelism())
    const together = await publish(bench, `full build, ${jobs} processes`, { dataDir: 'site', jobs })
    const edits: Step[] = []
    for (const [name, edit] of EDITS) {
      if (!hasLimits && name !== ONE_LOCATION) continue
      await edit(bench)
      edits.push(await publish(bench, name, { dataDir: 'site', jobs }))
    }
    return report({ alone, together, edits, hasLimits })
  } finally {
    await bench.db.destroy()
    rmSync(bench.folder, { recursive: true, force: true })
  }
}

async function publishAlone(bench: Bench): Promise<Step> {
  const step = await publish(bench, 'full build, 1 process', { dataDir: 'alone', jobs: 1 })
  rmSync(join(bench.folder, 'alone'), { recursive: true })
  return step
}

// Templates are edited too, so the project is a copy.
async function prepare(pages: number): Promise<Bench> {
  const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'signpost-bench-'))
  const projectDir = join(folder, 'project')
  mkdirSync(projectDir)
  for (const source of SOURCES)
    cpSync(join(PROJECT_DIR, source), join(projectDir, source), { recursive: true })
  symlinkSync(join(PROJECT_DIR, 'node_modules'), join(projectDir, 'node_modules'))
  await ensureBundle(projectDir)
  const databaseUrl = `file:${join(folder, 'signpost.db')}`
  const db = connectDatabase(databaseUrl)
  await migrate(db)
  await fillDatabase(db, { pages, contentDir: join(PROJECT_DIR, 'content') })
  return { folder, projectDir, databaseUrl, db }
}

async function publish(
  { folder, projectDir, databaseUrl }: Bench,
  name: string,
  { dataDir, jobs }: { dataDir: string; jobs: number },
): Promise<Step> {
  const parameters = [databaseUrl, join(folder, dataDir), projectDir, String(jobs)]
  const child = spawn(process.execPath, [PUBLISH, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const cost = await measureProcess(child)
  process.stderr.write(`${name}: ${(cost.wallMs / 1_000).toFixed(1)} s\n`)
  return { name, cost, rendered: JSON.parse(output).rendered }
}

const NOTHING = 'nothing changed'
const ONE_LOCATION = 'one location changed'
const EDITS: [name: string, edit: (bench: Bench) => unknown][] = [
  [NOTHING, () => {}],
  [ONE_LOCATION, ({ db }) => retitle(db, 'ac-repair/city-7', 'AC repair in the seventh city')],
  ['one service changed', ({ db }) => retitle(db, 'drain-cleaning', undefined)],
  ['one form changed', ({ db }) => editForm(db)],
  ['one template changed', editTemplate],
]

async function retitle(db: Kysely<Schema>, slug: string, title: string | undefined) {
  const changes = title === undefined ? { body: 'A text that all places of this service show.' } : { title }
  await db.updateTable('content_entries').set(changes).where('slug', '=', slug).execute()
}

async function editForm(db: Kysely<Schema>) {
  const form = await findForm(db, 'quote')
  if (!form) throw new Error('The example content has no form "quote"')
  await saveForm(
    db,
    'quote',
    { ...toFormDefinition(form), description: 'Another description.' },
    { now: NOW },
  )
}

// The bundle is made before, as a start of the new program would.
async function editTemplate({ projectDir }: Bench) {
  appendFileSync(join(projectDir, TEMPLATE), '<p>Another line.</p>\n')
  await ensureBundle(projectDir)
}

interface Steps {
  alone: Step | undefined
  together: Step
  edits: readonly Step[]
  hasLimits: boolean
}

function report({ alone, together, edits, hasLimits }: Steps): Measurement[] {
  const steps = [...(alone ? [alone] : []), together, ...edits]
  const limits = new Map([
    [NOTHING, UNCHANGED_SECONDS],
    [ONE_LOCATION, EDIT_SECONDS],
  ])
  return [
    ...steps.flatMap((step) => measurementsOf(step, hasLimits ? limits.get(step.name) : undefined)),
    ...(alone ? [shareOf(together, alone, TWO_PROCESSES_SHARE)] : []),
    ...edits.filter(({ name }) => name === ONE_LOCATION).map((edit) => shareOf(edit, together, EDIT_SHARE)),
    {
      name: 'peak memory of all processes',
      value: Math.max(...steps.map(({ cost }) => cost.peakBytes)) / 1024 ** 2,
      unit: 'MiB',
      ...(hasLimits && { atMost: MOST_BYTES / 1024 ** 2 }),
    },
  ]
}

function shareOf(step: Step, whole: Step, atMost: number): Measurement {
  return {
    name: `${step.name}, beside: ${whole.name}`,
    value: step.cost.wallMs / whole.cost.wallMs,
    unit: 'of its time',
    atMost,
  }
}

function measurementsOf({ name, cost, rendered }: Step, atMost: number | undefined): Measurement[] {
  const seconds = cost.wallMs / 1_000
  return [
    { name, value: seconds, unit: 's', ...(atMost !== undefined && { atMost }) },
    { name: `${name}: processor time`, value: cost.cpuMs / 1_000, unit: 's' },
    { name: `${name}: peak memory`, value: cost.peakBytes / 1024 ** 2, unit: 'MiB' },
    { name: `${name}: rendered`, value: rendered, unit: 'pages' },
    { name: `${name}: rate`, value: rendered / seconds, unit: 'pages/s' },
  ]
}
