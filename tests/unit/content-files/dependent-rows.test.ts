import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentDocument } from '#src/content-files/document.ts'
import { type DraftDocument, protectDependents } from '#src/content-files/syncing/dependent-rows.ts'
import type { PathPlan } from '#src/content-files/syncing/plan-paths.ts'
import { conflictReasons } from '#src/messages/files/conflicts.ts'
import { anEntry, aPlan, documentOf } from '../../support/content-plans.ts'

const SERVICE = anEntry('services/ac-repair.md')
const AUSTIN = anEntry('location_services/ac-repair/austin.md')
const ROOF = anEntry('projects/roof.md')
const PROJECTS = documentOf('content_types/projects.yaml', 'name: Projects\n')
const QUOTE = documentOf('forms/quote.yaml', 'name: Quote\nfields: [{ name: a, type: text, label: A }]\n')
const site = (form: string) => documentOf('site.yaml', `name: Ours\ndefault_form: ${form}\n`)
const VAN: ContentDocument = {
  kind: 'picture',
  name: 'van.jpg',
  bytes: { sha256: '0', width: 1, height: 1, size: 1 },
  alt: null,
}

const place = (slug: string) => `- { slug: ${slug}, name: A }\n`
const locations = (...slugs: string[]) =>
  documentOf('taxonomies/locations.yaml', `name: Locations\nterms:\n${slugs.map(place).join('')}`)
const moods = documentOf('taxonomies/moods.yaml', `name: Moods\nterms:\n${place('calm')}`)

const aDraft = (path: string, ...pictures: string[]): DraftDocument => {
  const { type, slug } = anEntry(path)
  return { type, slug, pictures: new Set(pictures) }
}

const loss = (...names: string[]) => conflictReasons.loss(names.join(', '))
const formLoss = (...names: string[]) => conflictReasons.formLoss(names.join(', '))
const pictureLoss = (...names: string[]) => conflictReasons.pictureLoss(names.join(', '))

// The first plan is the one that may delete the rows of the others.
const CASES: [name: string, plans: PathPlan[], reason: string | undefined, drafts?: DraftDocument[]][] = [
  ...(['keep', 'prefer_row', 'forget'] as const).map((decision): (typeof CASES)[number] => [
    `a removed service has a place with the decision ${decision}`,
    [aPlan('remove', { row: SERVICE }), aPlan(decision, { row: AUSTIN })],
    loss('location_services/ac-repair/austin'),
  ]),
  ...(['agree', 'write', 'remove', 'conflict'] as const).map((decision): (typeof CASES)[number] => [
    `a removed service has a place with the decision ${decision}`,
    [aPlan('remove', { row: SERVICE }), aPlan(decision, { row: AUSTIN })],
    undefined,
  ]),
  [
    'a removed service isn’t the place’s',
    [aPlan('remove', { row: anEntry('services/heating.md') }), aPlan('keep', { row: AUSTIN })],
    undefined,
  ],
  [
    'a removed page has the slug of a place’s service',
    [aPlan('remove', { row: anEntry('pages/ac-repair.md') }), aPlan('keep', { row: AUSTIN })],
    undefined,
  ],
  [
    'a removed type has entries',
    [aPlan('remove', { row: PROJECTS }), aPlan('keep', { row: ROOF }), aPlan('keep', { row: SERVICE })],
    loss('projects/roof'),
  ],
  [
    'a removed taxonomy deletes no entries',
    [aPlan('remove', { row: moods }), aPlan('keep', { row: ROOF })],
    undefined,
  ],
  [
    'a place is no longer in its taxonomy',
    [
      aPlan('write', { file: locations('dallas') }),
      aPlan('keep', { row: AUSTIN }),
      aPlan('keep', { row: ROOF }),
    ],
    loss('location_services/ac-repair/austin'),
  ],
  [
    'a place is still in its taxonomy',
    [aPlan('write', { file: locations('dallas', 'austin') }), aPlan('keep', { row: AUSTIN })],
    undefined,
  ],
  [
    'the taxonomy of places isn’t written',
    [aPlan('keep', { file: locations('dallas') }), aPlan('keep', { row: AUSTIN })],
    undefined,
  ],
  [
    'another taxonomy is written',
    [aPlan('write', { file: moods }), aPlan('keep', { row: AUSTIN })],
    undefined,
  ],
  [
    'a removed form is named by entries and is the default form',
    [
      aPlan('remove', { row: QUOTE }),
      aPlan('keep', { row: site('quote') }),
      aPlan('keep', { row: anEntry('pages/a.md', { fields: { form: 'quote' } }) }),
      aPlan('forget', { row: anEntry('projects/a.md', { fields: { form: 'quote' } }) }),
      aPlan('keep', { row: anEntry('pages/b.md', { fields: { form: 'quote-2' } }) }),
    ],
    formLoss('site.yaml', 'pages/a', 'projects/a'),
  ],
  [
    'the file removes both a form and what named it',
    [
      aPlan('remove', { row: QUOTE }),
      aPlan('write', { file: site('waitlist'), row: site('quote') }),
      aPlan('remove', { row: anEntry('pages/a.md', { fields: { form: 'quote' } }) }),
      aPlan('keep', { row: anEntry('pages/b.md') }),
    ],
    undefined,
  ],
  [
    'a removed picture is in texts, fields, and drafts, each entry named once',
    [
      aPlan('remove', { row: VAN }),
      aPlan('keep', { row: anEntry('pages/a.md', { body: '![Van](van.jpg)' }) }),
      aPlan('keep', { row: anEntry('pages/b.md', { fields: { picture: 'van.jpg' } }) }),
      aPlan('keep', { row: anEntry('pages/c.md', { fields: { picture: 'shop.jpg' } }) }),
    ],
    pictureLoss('pages/a', 'pages/b', 'services/a', 'pages/d'),
    [
      aDraft('pages/a.md', 'van.jpg'),
      aDraft('services/a.md', 'van.jpg'),
      aDraft('pages/d.md', 'van.jpg', 'shop.jpg'),
      aDraft('pages/e.md', 'shop.jpg'),
    ],
  ],
  [
    'a removed picture is only in the draft of an entry that is removed too',
    [
      aPlan('remove', { row: VAN }),
      aPlan('remove', { row: anEntry('pages/a.md') }),
      aPlan('keep', { row: ROOF }),
    ],
    undefined,
    [aDraft('pages/a.md', 'van.jpg')],
  ],
  [
    'only a draft uses the removed picture',
    [aPlan('remove', { row: VAN })],
    pictureLoss('pages/a'),
    [aDraft('pages/a.md', 'van.jpg')],
  ],
  ...[5, 6, 7].map((count): (typeof CASES)[number] => {
    const slugs = Array.from({ length: count }, (_, index) => `projects/a${index}`)
    const shown = slugs.slice(0, 5).join(', ')
    return [
      `a removed type has ${count} entries`,
      [
        aPlan('remove', { row: PROJECTS }),
        ...slugs.map((slug) => aPlan('keep', { row: anEntry(`${slug}.md`) })),
      ],
      conflictReasons.loss(count > 5 ? conflictReasons.andMore(shown, count - 5) : shown),
    ]
  }),
]

for (const [name, plans, reason, drafts = []] of CASES) {
  test(`rows that a file’s change would delete: ${name}: ${reason ? 'conflict' : 'none'}`, () => {
    const [first, ...others] = protectDependents(plans, {}, drafts)
    const expected = reason === undefined ? plans[0] : { ...plans[0], decision: 'conflict', reason }
    assert.deepEqual([first, others], [expected, plans.slice(1)])
  })
}

test('a preference decides whether a file’s change deletes rows, everywhere or at one path', () => {
  const plans = [
    aPlan('remove', { row: SERVICE }),
    aPlan('write', { file: locations('dallas') }),
    aPlan('keep', { row: AUSTIN }),
  ]
  const decide = (preferring: Parameters<typeof protectDependents>[1]) =>
    protectDependents(plans, preferring, []).map(({ decision, reason }) => [decision, reason !== undefined])
  const [removed, written, kept] = [
    ['remove', false],
    ['write', false],
    ['keep', false],
  ]
  assert.deepEqual(decide({ prefer: 'file' }), [removed, written, kept])
  assert.deepEqual(decide({ prefer: 'database' }), [['forget', false], ['prefer_row', false], kept])
  const only = 'services/ac-repair.md'
  assert.deepEqual(decide({ prefer: 'file', only }), [removed, ['conflict', true], kept])
})
