import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summaryOf } from '#src/admin/stages/check-stages.ts'
import { ADDED, faultsOfNames, fieldsOf, readStages, toStageValues } from '#src/admin/stages/posted-stages.ts'
import type { Stage } from '#src/submissions/stages/stage-settings.ts'

const STAGES: readonly Stage[] = [
  { slug: 'new', name: 'New' },
  { slug: 'quoted', name: 'Quoted', replaces: ['offered'] },
  { slug: 'won', name: 'Won', counts_as: 'won' },
]

/** Reads the form that shows the stages, with some fields changed. */
const readWith = (changes: Record<string, string>) =>
  readStages({ ...toStageValues(STAGES), ...changes }, STAGES)

const slugsWith = (changes: Record<string, string>) => readWith(changes).stages.map(({ slug }) => slug)

test('the form shows the stages in order, and a last row for a new one', () => {
  assert.deepEqual(toStageValues(STAGES), {
    ...{ 'name.new': 'New', 'position.new': '1', 'counts.new': '' },
    ...{ 'name.quoted': 'Quoted', 'position.quoted': '2', 'counts.quoted': '' },
    ...{ 'name.won': 'Won', 'position.won': '3', 'counts.won': 'won' },
    'position.+': '4',
  })
  assert.deepEqual(readWith({}), { stages: STAGES, removed: [] })
})

test('stages are sorted by their positions, but the first one stays first', () => {
  assert.deepEqual(slugsWith({ 'position.quoted': ' 5 ' }), ['new', 'won', 'quoted'])
  assert.deepEqual(slugsWith({ 'position.new': '9' }), ['new', 'quoted', 'won'])
  // A position that isn't a number is that of the row.
  assert.deepEqual(slugsWith({ 'position.quoted': 'last', 'position.won': '1' }), ['new', 'won', 'quoted'])
})

test('a new or moved stage gets the position that was entered', () => {
  const added = (position: string) => slugsWith({ 'name.+': 'Visit', 'position.+': position })
  assert.deepEqual(added('2'), ['new', 'visit', 'quoted', 'won'])
  assert.deepEqual(added('3'), ['new', 'quoted', 'visit', 'won'])
  assert.deepEqual(added('4'), ['new', 'quoted', 'won', 'visit'])
  assert.deepEqual(slugsWith({ 'position.won': '2' }), ['new', 'won', 'quoted'])
  assert.deepEqual(slugsWith({ 'position.quoted': '3' }), ['new', 'won', 'quoted'])
  const swapped = { 'position.won': '2', 'position.quoted': '3' }
  assert.deepEqual(slugsWith(swapped), ['new', 'won', 'quoted'])
})

test('a renamed stage keeps its slug, and what counts as won can change', () => {
  const { stages } = readWith({ 'name.quoted': ' Estimate ', 'counts.quoted': 'lost', 'counts.won': 'maybe' })
  assert.deepEqual(stages.slice(1), [
    { slug: 'quoted', name: 'Estimate', replaces: ['offered'], counts_as: 'lost' },
    { slug: 'won', name: 'Won' },
  ])
})

test('a new stage gets a free slug of its name', () => {
  const slugOf = (name: string) => slugsWith({ [fieldsOf(ADDED).name]: name }).at(-1)
  for (const [name, slug] of [
    ['Site visit', 'site-visit'],
    ['Won', 'won-2'],
    ['Offered', 'offered-2'],
    ['…', 'stage'],
    [`${'a'.repeat(29)} b`, 'a'.repeat(29)],
    ['b'.repeat(31), 'b'.repeat(30)],
  ])
    assert.equal(slugOf(name ?? ''), slug)
  const twice = [...STAGES, { slug: 'won-2', name: 'Won again' }]
  const { stages } = readStages({ ...toStageValues(twice), 'name.+': 'Won' }, twice)
  assert.equal(stages.at(-1)?.slug, 'won-3')
})

test('the leads of a removed stage, and of those it replaced, move to another', () => {
  const posted = readWith({ 'name.quoted': '  ', 'into.quoted': 'won' })
  assert.deepEqual(posted, {
    stages: [STAGES[0], { ...STAGES[2], replaces: ['quoted', 'offered'] }],
    removed: [{ stage: STAGES[1], into: 'won' }],
  })
  assert.equal(summaryOf(posted), 'Changed the lead stages: New, Won. Quoted was replaced by Won')
  const won = readWith({ 'name.won': '', 'into.won': 'quoted' })
  assert.deepEqual(won.stages.at(-1)?.replaces, ['offered', 'won'])
  assert.equal(summaryOf(readWith({ 'name.won': '' })), 'Changed the lead stages: New, Quoted')
})

test('two stages can’t have the same name, even in other letters', () => {
  const { stages } = readWith({ 'name.won': 'QUOTED' })
  assert.deepEqual(faultsOfNames(stages), [
    { field: 'name.won', message: 'Two stages are called QUOTED. Choose another name.' },
  ])
  assert.deepEqual(faultsOfNames(STAGES), [])
})
