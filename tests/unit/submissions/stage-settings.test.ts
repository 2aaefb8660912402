import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOf } from '#src/messages/files/rules/schema-rule.ts'
import {
  DEFAULT_STAGES,
  findStage,
  stageName,
  stageSettings,
} from '#src/submissions/stages/stage-settings.ts'

const NEW = { slug: 'new', name: 'New' }
const WON = { slug: 'won', name: 'Sold', counts_as: 'won' as const, replaces: ['closed', 'done'] }

const problemsOf = (stages: unknown) =>
  (stageSettings.safeParse(stages).error?.issues ?? []).map((issue) => problemOf(issue).code)

test('the default stages and twenty stages are valid', () => {
  assert.deepEqual(problemsOf(DEFAULT_STAGES), [])
  const twenty = Array.from({ length: 19 }, (_, at) => ({ slug: `stage-${at}`, name: 'Stage' }))
  assert.deepEqual(problemsOf([NEW, ...twenty]), [])
  assert.equal(problemsOf([NEW, ...twenty, WON]).length, 1)
})

test('stages begin with new, which isn’t won or lost, and each slug is unique', () => {
  assert.deepEqual(problemsOf([NEW, WON]), [])
  for (const stages of [[], [WON, NEW], [{ ...NEW, counts_as: 'won' }, WON]])
    assert.deepEqual(problemsOf(stages), ['stages_begin_new'], JSON.stringify(stages))
  for (const replaces of [['new'], ['won'], ['closed', 'closed']])
    assert.deepEqual(problemsOf([NEW, { ...WON, replaces }]), ['stages_named_once'], replaces.join())
  for (const slug of ['Won', '-won', 'won-', 'a b', '', 'x'.repeat(41)])
    assert.equal(problemsOf([NEW, { ...WON, slug }]).length, 1, slug)
})

test('a lead in a replaced stage is in its replacement', () => {
  const stages = [NEW, WON]
  assert.deepEqual(
    ['won', 'done', 'closed', 'new', 'gone'].map((stored) => findStage(stages, stored)?.slug),
    ['won', 'won', 'won', 'new', undefined],
  )
  assert.deepEqual([stageName(stages, 'done'), stageName(stages, 'gone')], ['Sold', 'gone'])
})
