import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PUBLIC_CLASSES } from '#scripts/docs/class-names-section.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

const STYLES = ['src/styles/{site,roles}/*.css', 'src/components/looks/*/*.css', 'looks/*/*.css']
const TEMPLATES = ['src/components/**/*.astro', 'src/layouts/Site.astro', 'looks/*/*.astro']
const NOT_SELECTORS = /\/\*.*?\*\/|url\([^)]*\)|"[^"]*"/gs
// Names of the program and of the look that is a package.
const PREFIXED = /^(sp|photo)-/

test('a class that is not public has a prefix, so that a site can use any other name', () => {
  const styled = namesIn(STYLES, (text) =>
    [...text.replace(NOT_SELECTORS, '').matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name),
  )
  const shown = namesIn(TEMPLATES, (text) =>
    [...text.matchAll(/\bclass(?::list)?=(?:"([^"]*)"|\{([^\n]*)\})/g)].flatMap(([, plain, code = '']) =>
      (plain ?? [...code.matchAll(/'([^']*)'/g)].map(([, words]) => words).join(' ')).split(/\s+/),
    ),
  )
  assert.ok(styled.size > 80 && shown.size > 80)
  const plain = [...styled, ...shown].filter((name) => !PREFIXED.test(name)).sort()
  assert.deepEqual(
    new Set(plain),
    new Set(Object.keys(PUBLIC_CLASSES).filter((name) => !PREFIXED.test(name))),
  )
  for (const name of Object.keys(PUBLIC_CLASSES)) assert.ok(styled.has(name), `${name} has rules`)
})

function namesIn(patterns: readonly string[], read: (text: string) => string[]): Set<string> {
  const files = globSync([...patterns], { cwd: PROJECT_DIR })
  assert.ok(files.length > 9)
  const names = files.flatMap((file) => read(readFileSync(join(PROJECT_DIR, file), 'utf8')))
  return new Set(names.filter((name) => name !== ''))
}
