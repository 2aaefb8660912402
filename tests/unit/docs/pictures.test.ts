import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PICTURES } from '../../screenshots/pictures.ts'
import { PAGES, readProject } from '../../support/documentation.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

const MOST_BYTES = 1_000_000

const onDisk = globSync('docs/pictures/*', { cwd: PROJECT_DIR }).sort()

test('the guides show exactly the pictures that the command takes, with alternative text', () => {
  assert.deepEqual(onDisk, PICTURES.map(({ name }) => `docs/pictures/${name}.webp`).sort())
  const shown = PAGES.flatMap((page) =>
    [...readProject(page).matchAll(/!\[([^\]]{20,})\]\((?:docs\/)?(pictures\/[\w-]+\.webp)\)/g)].map(
      ([, , path]) => `docs/${path}`,
    ),
  )
  assert.deepEqual([...new Set(shown)].sort(), onDisk)
})

test('the pictures are small', () => {
  const bytes = onDisk.reduce((sum, path) => sum + statSync(join(PROJECT_DIR, path)).size, 0)
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`)
})

test('every bold text of the admin guide is on a screen', () => {
  const sources = globSync('src/{pages/admin,admin,messages/admin}/**/*.{astro,ts}', { cwd: PROJECT_DIR })
  const screens = sources.map((path) => readFileSync(join(PROJECT_DIR, path), 'utf8')).join('\n')
  const names = [...readProject('docs/admin.md').matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name)
  assert.ok(names.length > 15)
  assert.deepEqual(
    names.filter((name) => !screens.includes(name)),
    [],
  )
})
