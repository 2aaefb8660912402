import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import packageFile from '#package.json' with { type: 'json' }
import { COMPONENTS } from '#src/integration/components.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

const PUBLIC_FILES = new Set<string>(Object.values(COMPONENTS))
const SOURCE_DIR = join(PROJECT_DIR, 'src')

test('looks import only what every site can import: public components and their own files', () => {
  const folders = ['src/components/looks', 'looks'].flatMap(listFolders)
  const files = folders.flatMap((folder) => listTemplates(folder).map((file) => ({ folder, file })))
  assert.ok(files.length > 9)
  const internal = files.flatMap(({ folder, file }) =>
    listImports(file)
      .filter((name) => !isPublic(name, { folder, file }))
      .map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(internal, [])
})

function listFolders(parent: string): string[] {
  const entries = readdirSync(join(PROJECT_DIR, parent), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(parent, name))
}

function listTemplates(folder: string): string[] {
  const files = readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /\.(astro|ts)$/.test(file)).map((file) => join(folder, file))
}

function listImports(file: string): string[] {
  const text = readFileSync(join(PROJECT_DIR, file), 'utf8')
  return [...text.matchAll(/\b(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].map(([, name = '']) => name)
}

// The look that is part of the program refers to its components by their files.
function isPublic(name: string, { folder, file }: { folder: string; file: string }): boolean {
  if (name === 'astro/types') return true
  if (!name.startsWith('.')) return name.replace('signpost', '.') in packageFile.exports
  const target = join(PROJECT_DIR, dirname(file), name)
  return target.startsWith(join(PROJECT_DIR, folder)) || PUBLIC_FILES.has(relative(SOURCE_DIR, target))
}
