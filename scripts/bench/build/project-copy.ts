import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { ensureBundle } from '#src/publish/render/bundle.ts'
import { measureProcess, type ProcessCost } from '../process-tree.ts'
import { fillDatabase } from './data-set.ts'

const PROJECT_DIR = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const PUBLISH = join(PROJECT_DIR, 'scripts/bench/build/publish-process.ts')
const SOURCES = [
  'src',
  'migrations',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** A copy of the project with editable templates, and the database of a large site. */
export interface ProjectCopy {
  /** Contains everything; remove it at the end. */
  folder: string
  projectDir: string
  databaseUrl: string
  db: Kysely<Schema>
}

/** One publish, or a process measured next to it. */
export interface Step {
  name: string
  cost: ProcessCost
  rendered: number
}

/** Bundles the templates and fills the database with about so many pages, in `BENCH_DIR` or the temporary folder. */
export async function prepareProjectCopy(pages: number): Promise<ProjectCopy> {
  const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'signpost-bench-'))
  const projectDir = await bundleProject(join(folder, 'project'))
  const databaseUrl = `file:${join(folder, 'signpost.db')}`
  const db = connectDatabase(databaseUrl)
  await migrate(db)
  await fillDatabase(db, { pages, contentDir: join(PROJECT_DIR, 'content'), dataDir: folder })
  return { folder, projectDir, databaseUrl, db }
}

/** Copies the program to a folder, with files of a site's own in place of its files, and bundles the templates. */
export async function bundleProject(
  projectDir: string,
  ownFiles: Readonly<Record<string, string>> = {},
): Promise<string> {
  mkdirSync(projectDir)
  for (const source of SOURCES)
    cpSync(join(PROJECT_DIR, source), join(projectDir, source), { recursive: true })
  for (const [path, text] of Object.entries(ownFiles)) writeFileSync(join(projectDir, path), text)
  symlinkSync(join(PROJECT_DIR, 'node_modules'), join(projectDir, 'node_modules'))
  await ensureBundle(projectDir)
  return projectDir
}

/** Publishes in its own process, measured from its start to its end with all that it starts. */
export async function publishCopy(
  { folder, projectDir, databaseUrl }: ProjectCopy,
  name: string,
  { dataDir, jobs }: { dataDir: string; jobs: number },
): Promise<Step> {
  cpSync(join(folder, 'pictures'), join(folder, dataDir, 'pictures'), { recursive: true })
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

/** Edits one entry: another title, or without one, another text. */
export async function editEntry(
  { db }: ProjectCopy,
  slug: string,
  changes: { title: string } | { body: string },
): Promise<void> {
  await db.updateTable('content_entries').set(changes).where('slug', '=', slug).execute()
}
