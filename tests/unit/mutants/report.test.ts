import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MutantStatus } from '@stryker-mutator/api/core'
import { whyIgnored } from '#scripts/mutants/ignored-texts.ts'
import { ALSO_TESTED_BY, nearestTests, testFiles } from '#scripts/mutants/nearest-tests.ts'
import { scoreOf } from '#scripts/mutants/report.ts'
import { isInSample, NOT_IN_SAMPLE } from '#scripts/mutants/sample.ts'

const text = (value: string) => ({ type: 'StringLiteral', value })
const template = (...raw: string[]) => ({
  type: 'TemplateLiteral',
  quasis: raw.map((part) => ({ value: { raw: part } })),
})
const named = (name: string) => ({ type: 'Identifier', name })
const call = (object: object, name: string) => ({
  type: 'CallExpression',
  callee: { type: 'MemberExpression', object: object as never, property: named(name) },
})
const appLog = { type: 'MemberExpression', object: named('app'), property: named('log') }
const newError = { type: 'NewExpression', callee: named('WebhookError') }

for (const [path, expected] of [
  [{ node: text('Enter a name.') }, 'text for people'],
  [{ node: template('The port ', ' is in use') }, 'text for people'],
  [{ node: text('pending') }, undefined],
  [{ node: text('Content-Type') }, undefined],
  [{ node: text('for update skip locked') }, undefined],
  [{ node: text('no such webhook'), parent: newError }, 'text of an error'],
  [{ node: text('pending'), parent: call(named('rows'), 'push') }, undefined],
  [{ node: call(named('log'), 'info') }, 'text of a log'],
  [{ node: call(appLog, 'warn') }, 'text of a log'],
  [{ node: call(named('rows'), 'push') }, undefined],
] as const)
  test(`${JSON.stringify(path.node)} is ${expected ?? 'mutated'}`, () => {
    assert.equal(whyIgnored(path), expected)
  })

test('the score is the share of killed mutants among those that tests could kill', () => {
  const statuses: MutantStatus[] = [
    ...(['Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage'] as const),
    ...(['RuntimeError', 'Ignored', 'Ignored'] as const),
  ]
  assert.deepEqual(scoreOf(statuses.map((status) => ({ status }))), {
    killed: 2,
    timeouts: 1,
    survived: 1,
    'no coverage': 1,
    errors: 1,
    'not tried': 0,
    ignored: 2,
    score: '60.0 %',
  })
  assert.equal(scoreOf([{ status: 'Ignored' }]).score, 'none')
})

test('in a sample, the mutants tried stand for those that tests reach', () => {
  const untried = Array.from({ length: 16 }, () => ({
    status: 'RuntimeError' as const,
    statusReason: `Error: ${NOT_IN_SAMPLE}`,
  }))
  const tried = (['Killed', 'Killed', 'Timeout', 'Survived'] as const).map((status) => ({ status }))
  const unreached = Array.from({ length: 5 }, () => ({ status: 'NoCoverage' as const }))
  const { score, errors, 'not tried': notTried } = scoreOf([...untried, ...tried, ...unreached])
  assert.deepEqual({ score, errors, notTried }, { score: '60.0 %', errors: 0, notTried: 16 })
})

test('a sample holds its share of the mutants, the same ones wherever the project lies', () => {
  const sampleIn = (folder: string) =>
    Array.from({ length: 2000 }, (_, line) => line).filter((line) =>
      isInSample(
        {
          id: '1',
          fileName: `${folder}/src/a.ts`,
          location: { start: { line, column: 0 }, end: { line, column: 9 } },
          mutatorName: 'BooleanLiteral',
          replacement: 'true',
        },
        5,
      ),
    )
  const sample = sampleIn('/one')
  assert.ok(sample.length > 60 && sample.length < 140, `${sample.length}`)
  assert.deepEqual(sampleIn('/two/sandbox'), sample)
})

test('the nearest tests are those of the folder, and those elsewhere that reach the area', () => {
  const isNear = (path: string, file: string) => nearestTests(path).includes(file)
  assert.ok(isNear('src/webhooks', 'tests/unit/webhooks/webhook-definition.test.ts'))
  assert.ok(isNear('src/webhooks/sending/queue.ts', 'tests/integration/webhooks/dispatcher.test.ts'))
  assert.ok(isNear('src/submissions', 'tests/integration/inbox/inbox-pages.test.ts'))
  assert.ok(isNear('src/secret-keys', 'tests/integration/server/key-rotation.test.ts'))
  assert.ok(!isNear('src/secret-keys', 'tests/integration/server/key-rotation-running.test.ts'))
  assert.ok(!isNear('src/auth', 'tests/integration/webhooks/dispatcher.test.ts'))
  assert.deepEqual(nearestTests('src/nothing'), [])
})

for (const [area, names] of Object.entries(ALSO_TESTED_BY))
  test(`tests elsewhere that reach src/${area} exist`, () => {
    assert.deepEqual(
      names.filter((name) => testFiles(name).length === 0),
      [],
    )
  })
