import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeReference } from '#scripts/docs/make-reference.ts'
import { usages } from '#src/messages/command-line/usage.ts'
import { openTestDatabase } from '../../support/database.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

test('reference pages and schemas match the source; `npm run docs` writes them', async (t) => {
  const made = await makeReference(await openTestDatabase(t))
  const onDisk = ['docs/reference', 'docs/schemas'].flatMap((folder) =>
    readdirSync(join(PROJECT_DIR, folder)).map((name) => `${folder}/${name}`),
  )
  assert.deepEqual(onDisk.sort(), [...made.keys()].sort())
  const stale = [...made].filter(([path, text]) => readFileSync(join(PROJECT_DIR, path), 'utf8') !== text)
  assert.deepEqual(
    stale.map(([path]) => path),
    [],
    'run npm run docs',
  )
})

test('every usage belongs to a script and is on the commands page', () => {
  const page = readFileSync(join(PROJECT_DIR, 'docs/reference/commands.md'), 'utf8')
  for (const usage of Object.values(usages)) {
    const text = typeof usage === 'string' ? usage : usage('…')
    const [command = ''] = /^npm (run )?[\w:]+/.exec(text) ?? []
    assert.ok(page.includes(`### \`${command}\`\n`), text)
    if (typeof usage === 'string' && usage !== command) assert.ok(page.includes(usage), usage)
  }
})

test('the VS Code settings list the existing schemas', () => {
  const settings = JSON.parse(readFileSync(join(PROJECT_DIR, '.vscode/settings.json'), 'utf8'))
  const schemas: string[] = Object.keys(settings['yaml.schemas'])
  assert.deepEqual(
    schemas.map((path) => path.replace('./', '')).sort(),
    readdirSync(join(PROJECT_DIR, 'docs/schemas')).map((name) => `docs/schemas/${name}`),
  )
  for (const path of schemas) assert.ok(existsSync(join(PROJECT_DIR, path)), path)
})
