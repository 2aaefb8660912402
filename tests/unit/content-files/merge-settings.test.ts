import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeSettings } from '#src/content-files/syncing/merge-settings.ts'
import type { Preferring } from '#src/content-files/syncing/plan-sync.ts'
import { conflictReasons } from '#src/messages/files/conflicts.ts'
import { anEntry, aPlan, documentOf } from '../../support/content-plans.ts'

const site = (values: Record<string, string> = {}) =>
  documentOf('site.yaml', JSON.stringify({ name: 'Ours', ...values }))

const BASE = site({ tagline: 'A', phone: '1' })
/** The admin changed the phone number and the tagline, the file the tagline and the email address. */
const ROW = { tagline: 'B', phone: '2' }
const FILE = { tagline: 'C', phone: '1', email: 'a@b.example' }
const BOTH = { phone: '2', email: 'a@b.example' }

const ASKED = { only: 'site.yaml', prefer: 'file' as const }

const decide = (plan: ReturnType<typeof aPlan>, preferring: Preferring = {}) => {
  const [decided] = mergeSettings([{ ...plan, reason: 'both' }], preferring)
  const { decision, merged, reason } = decided ?? {}
  return { decision, merged, reason }
}
const merged = (values: Record<string, string>) => ({
  decision: 'merge',
  merged: site(values),
  reason: undefined,
})

for (const [name, preferring, tagline] of [
  ['preferring files', { prefer: 'file' }, 'C'],
  ['preferring the admin', { prefer: 'database' }, 'B'],
  ['choosing the file’s tagline', { ...ASKED, fields: ['tagline'] }, 'C'],
  ['choosing another field', { ...ASKED, fields: ['email', 'phone'] }, 'B'],
  ['choosing nothing', { ...ASKED, fields: [] }, 'B'],
] satisfies [string, Preferring, string][]) {
  test(`settings changed on both sides, ${name}, take each key from the side that changed it`, () => {
    const plan = aPlan('conflict', { file: site(FILE), row: site(ROW), base: BASE })
    assert.deepEqual(decide(plan, preferring), merged({ ...BOTH, tagline }))
  })
}

test('settings with a key changed on both sides are a conflict', () => {
  const plan = aPlan('conflict', { file: site(FILE), row: site(ROW), base: BASE })
  const conflict = { decision: 'conflict', merged: undefined, reason: conflictReasons.settings('tagline') }
  assert.deepEqual(decide(plan), conflict)
  assert.deepEqual(decide(plan, { only: 'pages/about.md', fields: ['tagline'], prefer: 'file' }), conflict)
})

test('settings with different keys changed, or the same change, are merged', () => {
  const both = aPlan('conflict', { file: site({ ...FILE, tagline: 'A' }), row: site(ROW), base: BASE })
  assert.deepEqual(decide(both), merged({ ...BOTH, tagline: 'B' }))
  const same = aPlan('conflict', { file: site({ ...FILE, tagline: 'B' }), row: site(ROW), base: BASE })
  assert.deepEqual(decide(same), merged({ ...BOTH, tagline: 'B' }))
  const removed = aPlan('conflict', { file: site({ tagline: 'A' }), row: site({ phone: '1' }), base: BASE })
  assert.deepEqual(decide(removed), merged({}))
})

test('without a common base, a person chooses among all differences', () => {
  const plan = aPlan('conflict', { file: site(FILE), row: site(ROW) })
  assert.deepEqual(decide(plan, { ...ASKED, fields: ['tagline'] }), merged({ tagline: 'C', phone: '2' }))
  assert.deepEqual(decide(plan, { ...ASKED, fields: ['email'] }), merged({ ...ROW, email: 'a@b.example' }))
  const base = aPlan('conflict', { file: site(FILE), row: site(ROW), base: BASE })
  const apart = { ...base, base: { document: BASE, rowSha256: 'never equal' } } as ReturnType<typeof aPlan>
  assert.deepEqual(decide(apart, { ...ASKED, fields: ['tagline'] }), merged({ tagline: 'C', phone: '2' }))
})

const page = anEntry('pages/about.md')
const CHOSEN = { prefer: 'file', fields: ['title'] } as const

for (const [name, plan, preferring] of [
  ['that agree', aPlan('agree', { file: site(FILE), row: site(ROW), base: BASE }), {}],
  ['that are kept', aPlan('keep', { file: site(FILE), row: site(ROW), base: BASE }), {}],
  ['whose row is as synced', aPlan('write', { file: site(FILE), row: BASE, base: BASE }), {}],
  ['without a base', aPlan('conflict', { file: site(FILE), row: site(ROW) }), {}],
  [
    'without a base that are written',
    aPlan('write', { file: site(FILE), row: site(ROW) }),
    { ...ASKED, fields: [] },
  ],
  ['without a file', aPlan('conflict', { row: site(ROW), base: BASE }), { ...ASKED, fields: [] }],
  ['without a row', aPlan('conflict', { file: site(FILE), base: BASE }), { ...ASKED, fields: [] }],
  [
    'of an entry',
    aPlan('conflict', { file: page, row: page, base: page }),
    { ...CHOSEN, only: 'pages/about.md' },
  ],
  ['of an entry without a file', aPlan('conflict', { row: page }), { ...CHOSEN, only: 'pages/about.md' }],
] satisfies [string, ReturnType<typeof aPlan>, Preferring][]) {
  test(`the plan of settings ${name} stays`, () => {
    assert.deepEqual(decide(plan, preferring), { decision: plan.decision, merged: undefined, reason: 'both' })
  })
}
