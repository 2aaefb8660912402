import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/database.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RULES = '.dependency-cruiser.cjs'

/** Files that keep the rules: each folder imports what is below it. */
const PROJECT: Record<string, string> = {
  'src/lib/slug.ts': `export const slug = 'a'`,
  'src/messages/admin/spam.ts': `import '../../lib/slug.ts'\nexport const spam = 1`,
  'src/db/schema.ts': `import '../messages/admin/spam.ts'\nimport { sql } from 'kysely'\nimport Database from 'better-sqlite3'\nexport { Database, sql }`,
  'src/auth/session.ts': `import '../lib/slug.ts'\nexport const session = 1`,
  'src/forms/form-store.ts': `import { sql } from 'kysely'\nimport '../db/schema.ts'\nexport { sql }`,
  'src/forms/form.ts': `import type { Kysely } from 'kysely'\nimport './form-store.ts'\nexport type Db = Kysely<unknown>`,
  'src/webhooks/webhook.ts': 'export interface Webhook { id: number }',
  'src/submissions/accept.ts': `import '../forms/form.ts'\nimport '../webhooks/webhook.ts'\nexport const accept = 1`,
  'src/entries/entry.ts': 'export interface Entry { id: number }',
  'src/site/page.ts': `import '../entries/entry.ts'\nexport const page = 1`,
  'src/content-files/sync.ts': `import '../entries/entry.ts'\nexport const sync = 1`,
  'src/publish/plan.ts': `import '../site/page.ts'\nexport const plan = 1`,
  'src/config.ts': 'export const config = 1',
  'src/app.ts': `import './config.ts'\nimport './publish/plan.ts'\nexport const app = 1`,
  'src/server/front.ts': `import type {} from '../app.ts'\nexport const front = 1`,
  'src/middleware.ts': `import './app.ts'\nimport 'astro:middleware'`,
  'scripts/start.ts': `import '../src/server/front.ts'`,
  'migrations/0001_first.ts': `import '../src/db/schema.ts'`,
  'tests/support/factory.ts': `import '#src/forms/form.ts'`,
}

/** What planted files import besides. */
const COMPANIONS = { 'src/utils/a.ts': 'export const a = 1', 'src/lib/i.ts': `import './h.ts'` }

/** Rule, the file that breaks it, the line that does. */
const PLANTED: [string, string, string][] = [
  ['no-upward-import-from-lib', 'src/lib/a.ts', `import '../db/schema.ts'`],
  ['no-upward-import-from-messages', 'src/messages/a.ts', `import '../db/schema.ts'`],
  ['no-upward-import-from-db', 'src/db/a.ts', `import '../forms/form.ts'`],
  ['no-upward-import-from-files', 'src/files/a.ts', `import '../db/schema.ts'`],
  ['no-upward-import-from-features', 'src/auth/a.ts', `import '../submissions/accept.ts'`],
  ['no-upward-import-from-features', 'src/forms/a.ts', `import type {} from '../app.ts'`],
  ['no-upward-import-from-features', 'src/webhooks/a.ts', `import '../config.ts'`],
  ['no-upward-import-from-features', 'src/taxonomies/a.ts', `await import('../site/page.ts')`],
  ['no-upward-import-from-joining-features', 'src/entries/a.ts', `export * from '../site/page.ts'`],
  ['no-upward-import-from-site', 'src/site/a.ts', `import '../publish/plan.ts'`],
  ['no-upward-import-from-content-and-publish', 'src/publish/a.ts', `import '../server/front.ts'`],
  ['no-upward-import-from-composition', 'src/server/a.ts', `import '../middleware.ts'`],
  ['no-sideways-import-among-features', 'src/forms/b.ts', `import '../webhooks/webhook.ts'`],
  [
    'no-sideways-import-among-features',
    'src/forms/c.ts',
    `import type { Webhook } from '../webhooks/webhook.ts'\nexport type W = Webhook`,
  ],
  ['no-sideways-import-among-joining-features', 'src/submissions/b.ts', `import '../entries/entry.ts'`],
  ['no-sideways-import-among-content-and-publish', 'src/publish/b.ts', `import '../content-files/sync.ts'`],
  [
    'features-run-under-bare-node',
    'src/forms/d.ts',
    `import { getEntry } from 'astro:content'\nexport { getEntry }`,
  ],
  [
    'features-run-under-bare-node',
    'src/site/d.ts',
    `import type { APIContext } from 'astro'\nexport type C = APIContext`,
  ],
  ['features-run-under-bare-node', 'src/publish/d.ts', `import '@astrojs/node'`],
  ['sql-stands-in-stores', 'src/submissions/c.ts', `import { sql } from 'kysely'\nexport { sql }`],
  [
    'drivers-stand-in-db',
    'src/forms/e-store.ts',
    `import Database from 'better-sqlite3'\nexport { Database }`,
  ],
  ['drivers-stand-in-db', 'scripts/e.ts', `import pg from 'pg'\nexport { pg }`],
  ['production-needs-no-development-packages', 'scripts/g.ts', `import 'fast-check'`],
  [
    'visitors-load-no-phone-library',
    'src/components/site/forms/form-script.ts',
    `import { isValidPhoneNumber } from 'libphonenumber-js/min'\nexport { isValidPhoneNumber }`,
  ],
  ['migrations-stand-on-db-alone', 'migrations/0002_second.ts', `import '../src/forms/form.ts'`],
  ['every-file-has-a-rank', 'src/lib/f.ts', `import '../utils/a.ts'`],
  ['nothing-imports-scripts', 'src/server/f.ts', `import '../../scripts/start.ts'`],
  ['nothing-imports-tests', 'src/forms/g.ts', `import '../../tests/support/factory.ts'`],
  ['no-circular', 'src/lib/h.ts', `import './i.ts'`],
]

test('imports that point downwards pass', async (t) => {
  const { code, output } = await cruise(projectWith(t, {}))
  assert.deepEqual([code, output.match(/^ *error .*$/gm)], [0, null])
})

test('a planted import that points up, sideways, to Astro, or around a store fails its rule', async (t) => {
  const planted = { ...COMPANIONS, ...Object.fromEntries(PLANTED.map(([, file, line]) => [file, line])) }
  const { code, output } = await cruise(projectWith(t, planted))
  assert.notEqual(code, 0)
  const found = new Set(output.match(/error [a-z-]+: [^ ]+/g))
  const missed = PLANTED.map(([rule, file]) => `error ${rule}: ${file}`).filter((line) => !found.has(line))
  assert.deepEqual(missed, [], output)
})

function projectWith(t: TestContext, planted: Record<string, string>): string {
  const folder = temporaryFolder(t)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const file of [RULES, 'tsconfig.json', 'package.json'])
    copyFileSync(join(ROOT, file), join(folder, file))
  for (const [file, text] of Object.entries({ ...PROJECT, ...planted })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${text}\n`)
  }
  return folder
}

function cruise(folder: string): Promise<{ code: number | null; output: string }> {
  const program = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const args = [program, '--config', RULES, 'src', 'scripts', 'migrations', 'tests']
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: folder }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    )
  })
}
