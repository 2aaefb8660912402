import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { COMPONENTS } from '#src/integration/components.ts'
import { findParts } from '#src/integration/template-parts.ts'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { createFingerprint } from '#src/site/content/fingerprint.ts'
import type { Page } from '#src/site/pages/page.ts'
import { temporaryFolder } from '../../support/database.ts'

const original = (name: keyof typeof COMPONENTS) => join(PROGRAM_DIR, 'src', COMPONENTS[name])

// A site with its own steps, which two partials show, its own area page, a section, and a page.
function aSite(t: TestContext, changed: Readonly<Record<string, string>> = {}) {
  const siteDir = temporaryFolder(t)
  const file = (path: string) => join(siteDir, 'src', path)
  const names = ['Steps.astro', 'Area.astro', 'part.ts', 'sections/TrustBar.astro'].map(
    (name) => `components/${name}`,
  )
  for (const path of [...names, 'pages/about.astro']) {
    mkdirSync(dirname(file(path)), { recursive: true })
    writeFileSync(file(path), changed[path] ?? path)
  }
  const [steps, area, part, section] = names.map(file) as [string, string, string, string]
  const imports = new Map([
    [
      join(PROGRAM_DIR, 'src/components/site/PublicPage.astro'),
      [original('HomePage'), original('LocationPage'), area],
    ],
    [original('HomePage'), [steps, section]],
    [original('LocationPage'), [steps]],
    [area, [part]],
    [file('pages/about.astro'), [part]],
  ])
  const ids = [...new Set([...imports.keys(), ...[...imports.values()].flat()])]
  const replaced = new Map([
    [original('Steps'), steps],
    [original('AreaPage'), area],
  ])
  return findParts({ siteDir, replaced }, { ids, importsOf: (id) => imports.get(id) ?? [] })
}

function differing(t: TestContext, path: string): string[] {
  const [before, after] = [aSite(t), aSite(t, { [path]: 'other' })]
  assert.equal(before.shared, after.shared)
  return Object.keys(before.parts).filter((name) => before.parts[name] !== after.parts[name])
}

test('a file of the site belongs to the templates that import it', (t) => {
  assert.deepEqual(differing(t, 'components/Steps.astro'), [
    'partial:home',
    'partial:location_service_detail',
  ])
  assert.deepEqual(differing(t, 'components/part.ts').sort(), [
    'page:src/pages/about.astro',
    'partial:area_list',
  ])
  assert.deepEqual(differing(t, 'components/sections/TrustBar.astro'), ['section:trust_bar'])
  assert.equal(aSite(t).files.length, 5)
})

test('a page has the fingerprint of its template and its sections', () => {
  const page = { partial: 'home', view: { detail: { ownSections: { offer: {} } } } } as unknown as Page
  const parts = {
    'partial:home': 'a',
    'partial:entry_detail': 'b',
    'section:offer': 'c',
    'section:other': 'd',
  }
  const of = (changed: object, about = page) => createFingerprint('base', { ...parts, ...changed })(about)
  assert.equal(of({ 'section:other': 'x', 'partial:entry_detail': 'x' }), of({}))
  assert.notEqual(of({ 'partial:home': 'x' }), of({}))
  assert.notEqual(of({ 'section:offer': 'x' }), of({}))
  // A template that is not there is that of entries.
  const unknown = { ...page, partial: 'gone' }
  assert.notEqual(of({ 'partial:entry_detail': 'x' }, unknown), of({}, unknown))
})
