import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { COMPONENTS } from '#src/integration/components.ts'
import { withNotes } from '#src/integration/note-components.ts'
import { listUnnoticed } from '#src/integration/site-files.ts'
import { findParts } from '#src/integration/template-parts.ts'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { createShownComponents } from '#src/publish/render/shown-components.ts'
import { countShown } from '#src/site/content/count-shown.ts'
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
  return Object.keys(before.parts).filter((name) => before.parts[name] !== after.parts[name])
}

test('a file of the site belongs to the components, sections, and pages that import it', (t) => {
  assert.deepEqual(differing(t, 'components/Steps.astro'), ['component:Steps'])
  assert.deepEqual(differing(t, 'components/part.ts').sort(), [
    'component:AreaPage',
    'page:src/pages/about.astro',
  ])
  assert.deepEqual(differing(t, 'components/sections/TrustBar.astro'), ['section:trust_bar'])
  assert.equal(aSite(t).parts['component:HomePage'], '')
  assert.equal(aSite(t).files.length, 5)
})

// A header in a folder of packages, which imports a file in that package and one of a package beside it.
function outsideParts(t: TestContext, changed: Readonly<Record<string, string>> = {}) {
  const siteDir = join(temporaryFolder(t), 'site')
  const names = ['components/Faq.astro', '../shared/date.ts', ...packaged('parts'), ...packaged('other')]
  const files = names.map((name) => {
    const path = join(siteDir, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, changed[name] ?? name)
    return path
  })
  const [faq, date, header, part, , other] = files as [string, string, string, string, string, string]
  const imports = new Map([
    [header, [part, other]],
    [faq, [`${date}?raw`, '\0virtual', join(siteDir, 'made-up')]],
  ])
  const ids = [...new Set([...imports.keys(), ...[...imports.values()].flat()])]
  const replaced = new Map([
    [original('Header'), header],
    [original('Faq'), faq],
  ])
  const site = { siteDir, replaced }
  return {
    site,
    ids,
    ...findParts(site, { ids, importsOf: (id) => imports.get(id) ?? [] }),
  }
}

function packaged(name: string): string[] {
  return ['Header.astro', 'part.ts'].map((file) => `node_modules/@agency/${name}/${file}`)
}

test('a replaced component outside src has the files outside src that it imports', (t) => {
  const before = outsideParts(t)
  const [header = '', part = '', , other = ''] = [...packaged('parts'), ...packaged('other')]
  assert.deepEqual(before.files, ['../shared/date.ts', 'components/Faq.astro', header, part])
  for (const [file, expected] of [
    ['components/Faq.astro', ['component:Faq']],
    ['../shared/date.ts', ['component:Faq']],
    [header, ['component:Header']],
    [part, ['component:Header']],
    // The lock file has its version.
    [other, []],
  ] as const) {
    const { parts } = outsideParts(t, { [file]: 'other' })
    const differ = Object.keys(parts).filter((name) => parts[name] !== before.parts[name])
    assert.deepEqual(differ, expected, file)
  }
})

test('files are listed whose changes a publish doesn’t notice', (t) => {
  const { site, ids } = outsideParts(t)
  assert.deepEqual(listUnnoticed(site, ids), ['../shared/date.ts', 'components/Faq.astro'])
  writeFileSync(join(site.siteDir, 'astro.config.mjs'), "({ Faq: 'components/Faq.astro' })")
  writeFileSync(join(site.siteDir, 'components/Faq.astro'), "import '../../shared/date'")
  assert.deepEqual(listUnnoticed(site, ids), [])
})

test('a component records its name before its own code without shifting lines', () => {
  const names = ['Faq', 'Steps']
  const recording = "Astro.locals.shown?.add('Faq');Astro.locals.shown?.add('Steps');"
  const code = "import A from './A.astro'\n---\n<A />"
  for (const opening of ['---\n', '\r\n---\r\n', '<!-- A note\n--- -->\n---\n'])
    assert.equal(withNotes(opening + code, { names }), opening + recording + code)
  assert.equal(
    withNotes('<p>A</p>', { names: ['Faq'] }),
    "---\nAstro.locals.shown?.add('Faq');\n---\n<p>A</p>",
  )
  const counted = withNotes(`---\n${code}`, { names: ['Faq'], file: 'src/components/A.astro' })
  assert.match(
    counted,
    /^---\nimport\{countShown as .*"src\/components\/A\.astro"\);Astro\.locals\.shown.*import A/,
  )
})

test('a page fails with the components that show each other without end', () => {
  const [page, other] = [{}, {}]
  for (let time = 0; time < 5_000; time += 1)
    for (const file of ['src/pages/index.astro', 'src/A.astro', 'src/B.astro', 'src/A.astro'].slice(
      time && 1,
    ))
      countShown(page, file)
  countShown(other, 'src/A.astro')
  assert.throws(() => countShown(page, 'src/A.astro'), {
    message:
      'src/A.astro appears on the page more than 10000 times. Check whether these components include each other: src/A.astro → src/B.astro → src/A.astro',
  })
})

test('a page’s fingerprint covers its sections and its replaced components', () => {
  const page = { partial: 'home', view: { detail: { ownSections: { offer: {} } } } } as unknown as Page
  const parts = { 'component:Faq': 'a', 'component:Steps': '', 'section:offer': 'c', 'section:other': 'd' }
  const of = (changed: object, shown = new Set(['Faq'])) => {
    const all = { ...parts, ...changed }
    const components = createShownComponents(all)
    return components.fingerprint(createFingerprint('base', all)(page), components.record(shown))
  }
  assert.equal(of({ 'section:other': 'x', 'component:Steps': 'x' }), of({}))
  assert.notEqual(of({ 'component:Faq': 'x' }), of({}))
  assert.notEqual(of({ 'component:Faq': '' }), of({}))
  assert.notEqual(of({ 'section:offer': 'x' }), of({}))
  const shownBoth = new Set(['Faq', 'Steps'])
  assert.notEqual(of({ 'component:Steps': 'x' }, shownBoth), of({}, shownBoth))
  // Of a page that an earlier version rendered, nobody knows.
  assert.equal(createShownComponents(parts).fingerprint('base', null), undefined)
  assert.equal(createShownComponents().fingerprint('base', null), 'base')
})
