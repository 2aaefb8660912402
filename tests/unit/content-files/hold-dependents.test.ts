import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdDependents } from '#src/content-files/conflicts/hold-dependents.ts'
import type { ContentDocument } from '#src/content-files/document.ts'
import type { ParsedFile } from '#src/content-files/parsing/parsed-file.ts'
import type { PathPlan } from '#src/content-files/syncing/plan-paths.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'
import { conflictReasons } from '#src/messages/files/conflicts.ts'
import { describeFileFault } from '#src/messages/files/mistakes.ts'
import { aFile, anEntry, aPlan, documentOf } from '../../support/content-plans.ts'

const TYPE = 'content_types/projects.yaml'
const YEAR = '{ key: year, label: Year, type: number }'
const REQUIRED_YEAR = '{ key: year, label: Year, type: number, required: true }'
const TEXT_YEAR = '{ key: year, label: Year, type: text }'
const CITY = '{ key: city, label: City, type: text }'

function aType(fields: readonly string[] = [], route?: string): ContentDocument {
  const routed = route ? `is_routable: true\nroute_pattern: ${route}\n` : ''
  return documentOf(TYPE, `name: Projects\n${routed}schema: { fields: [${fields.join(', ')}] }\n`)
}

/** Returns the reasons of the plans that wait, by path. */
function waitingOf(plans: readonly PathPlan[], files: readonly ParsedFile[]) {
  const held = holdDependents(plans, { files, pictures: new Set(), types: [] })
  return Object.fromEntries(
    held.flatMap(({ path, decision, reason }) => (decision === 'wait' ? [[path, reason]] : [])),
  )
}

for (const [name, { stored, read, fields = { year: 2026 }, decision = 'conflict' as const, waits }] of [
  [
    'lacks an optional field of the admin’s type',
    { stored: aType([YEAR, CITY]), read: aType([YEAR]), waits: false },
  ],
  ['has only fields of both', { stored: aType([YEAR]), read: aType([YEAR, CITY]), waits: false }],
  ['has a field of the file alone', { stored: aType([CITY]), read: aType([YEAR, CITY]), waits: true }],
  ['has a field of another kind', { stored: aType([TEXT_YEAR]), read: aType([YEAR]), waits: true }],
  [
    'lacks a field required in the admin',
    { stored: aType([REQUIRED_YEAR]), read: aType([YEAR]), fields: {}, waits: true },
  ],
  ['has a field that only the admin’s type has', { stored: aType([YEAR]), read: aType(), waits: false }],
  [
    'has as many slug parts',
    { stored: aType([YEAR], '/a/{slug}'), read: aType([YEAR], '/b/{slug}'), waits: false },
  ],
  ['has no address in the file', { stored: aType([YEAR], '/a/{slug}'), read: aType([YEAR]), waits: false }],
  [
    'has other slug parts',
    { stored: aType([YEAR], '/{city}/{slug}'), read: aType([YEAR], '/{slug}'), waits: true },
  ],
  [
    'has one slug part instead of two',
    { stored: aType([YEAR], '/{city}/{slug}'), read: aType([YEAR]), waits: true },
  ],
  ['has a type that waits', { stored: aType(), read: aType([YEAR]), decision: 'wait' as const, waits: true }],
  [
    'has a type that is written',
    { stored: aType(), read: aType([YEAR]), decision: 'write' as const, waits: false },
  ],
  ['has a type without a row', { stored: undefined, read: aType([YEAR]), waits: false }],
  ['has a type without a file', { stored: aType(), read: undefined, waits: false }],
] satisfies [string, object][]) {
  test(`an entry that ${name} ${waits ? 'waits for' : 'doesn’t wait for'} its type in conflict`, () => {
    const document = anEntry('projects/roof.md', { fields })
    const plans = [
      aPlan('conflict', { file: anEntry('pages/a.md'), row: anEntry('pages/a.md') }),
      aPlan(decision, { ...(read && { file: read }), ...(stored && { row: stored }) }),
      aPlan('write', { file: document }),
    ].map((plan) => (plan.decision === 'wait' ? { ...plan, reason: 'it waits' } : plan))
    const file = { path: 'projects/roof.md', document, references: [], mistakes: [] }
    const { [TYPE]: _, ...waiting } = waitingOf(plans, [file])
    assert.deepEqual(waiting, waits ? { 'projects/roof.md': conflictReasons.type(TYPE) } : {})
  })
}

test('an entry of a type without a plan waits for nothing', () => {
  const document = anEntry('projects/roof.md', { fields: { year: 2026 } })
  const page = anEntry('pages/a.md')
  const plans = [aPlan('conflict', { file: page, row: page }), aPlan('write', { file: document })]
  const file = { path: 'projects/roof.md', document, references: [], mistakes: [] }
  assert.deepEqual(waitingOf(plans, [file]), {})
})

const site = (form?: string) =>
  documentOf('site.yaml', `name: Ours\n${form === undefined ? '' : `default_form: ${form}\n`}`)
const QUOTE = documentOf('forms/quote.yaml', 'name: Quote\nfields: []\n')

test('a file waits for the conflict that defines what it refers to', () => {
  const text = 'name: Ours\ndefault_form: quote\n'
  const plans = [
    aPlan('conflict', { file: QUOTE }),
    aPlan('write', { file: documentOf('site.yaml', text), row: site() }),
  ]
  const fault = {
    code: 'file_unknown' as const,
    params: { kind: 'form', slug: 'quote', choices: { names: [], isCut: false } },
  }
  assert.deepEqual(waitingOf(plans, [aFile('site.yaml', text)]), {
    'site.yaml': conflictReasons.behind('forms/quote.yaml', describeFileFault(fault)),
  })
})

test('the removal of a form waits while the settings in conflict refer to it', () => {
  const remove = aPlan('remove', { row: QUOTE })
  for (const [row, waiting] of [
    [site('quote'), { 'forms/quote.yaml': conflictReasons.needed('site.yaml') }],
    [site('other'), {}],
    [site(), {}],
  ] as const) {
    assert.deepEqual(waitingOf([remove, aPlan('conflict', { file: site('new'), row })], []), waiting)
  }
  const agreed = aPlan('agree', { file: site('quote'), row: site('quote') })
  assert.deepEqual(waitingOf([remove, agreed], []), {}, 'without a conflict')
})

test('the removal of a type waits while a taxonomy in conflict applies to it', () => {
  const row = documentOf('taxonomies/moods.yaml', 'name: Moods\napplies_to: [projects]\n')
  const plans = [aPlan('remove', { row: aType() }), aPlan('conflict', { row })]
  assert.deepEqual(waitingOf(plans, []), { [TYPE]: conflictReasons.needed('taxonomies/moods.yaml') })
})

const ID = { id: 1, description: null, sortOrder: 1, detailPartial: null, isRoutable: true, isBuiltin: false }
const SERVICES: ContentType = {
  ...ID,
  ...{ slug: 'services', name: 'Services', routePattern: '/services/{slug}', fields: [] },
}
const place = (slug: string) =>
  documentOf('taxonomies/locations.yaml', `name: Locations\nterms: [{ slug: ${slug}, name: A }]\n`)
const VAN: ContentDocument = {
  kind: 'picture',
  name: 'van.jpg',
  bytes: { sha256: '0', width: 1, height: 1, size: 1 },
  alt: null,
}

for (const [name, entry, plan, path] of [
  [
    'the removal of a form',
    { fields: { form: 'quote' } },
    aPlan('remove', { row: QUOTE }),
    'forms/quote.yaml',
  ],
  ['the removal of a picture', { body: '![A](van.jpg)' }, aPlan('remove', { row: VAN }), 'pictures/van.jpg'],
  [
    'a taxonomy without the term',
    { terms: { locations: ['austin'] } },
    aPlan('write', { file: place('dallas'), row: place('austin') }),
    'taxonomies/locations.yaml',
  ],
  [
    'a taxonomy without the place',
    { fields: { offered_in: ['austin/**'] } },
    aPlan('write', { file: place('dallas'), row: place('austin') }),
    'taxonomies/locations.yaml',
  ],
  [
    'a taxonomy that keeps the term',
    { terms: { locations: ['austin'] } },
    aPlan('write', { file: place('austin'), row: place('dallas') }),
    undefined,
  ],
  [
    'a taxonomy that lacked the term before',
    { terms: { locations: ['waco'] } },
    aPlan('write', { file: place('dallas'), row: place('austin') }),
    undefined,
  ],
] satisfies [string, object, PathPlan, string | undefined][]) {
  test(`${name} ${path ? 'waits' : 'doesn’t wait'} while an entry in conflict refers to it`, () => {
    const row = anEntry('services/repair.md', entry)
    const type = documentOf(
      'content_types/services.yaml',
      'name: Services\nis_routable: true\nroute_pattern: /services/{slug}\n',
    )
    const plans = [plan, aPlan('conflict', { row }), aPlan('agree', { file: type, row: type })]
    const held = (types: readonly ContentType[]) =>
      holdDependents(plans, { files: [], pictures: new Set(), types }).flatMap(
        ({ path, decision, reason }) => (decision === 'wait' ? [[path, reason]] : []),
      )
    assert.deepEqual(held([SERVICES]), path ? [[path, conflictReasons.needed('services/repair.md')]] : [])
    assert.deepEqual(held([]), [], 'a type that is no longer stored')
  })
}
