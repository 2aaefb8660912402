import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromConditionRows, toConditionRows } from '#src/conditions/condition-rows.ts'
import type { Condition } from '#src/conditions/conditions.ts'
import { OPERATOR_NAMES, OPERATORS } from '#src/conditions/operators.ts'
import { operatorLabels } from '#src/messages/admin/webhooks/conditions.ts'
import { parseCondition } from '../../support/parse-condition.ts'

const FIELDS = [
  { name: 'role', type: 'text', hasOptions: false },
  { name: 'budget', type: 'number', hasOptions: false },
  { name: 'agrees', type: 'checkbox', hasOptions: false },
  { name: 'services', type: 'checkbox', hasOptions: true },
]

const condition = (value: object) => value as Condition

for (const [written, expected] of [
  [{ role: 'owner' }, { all: [{ field: 'role', op: 'eq', value: 'owner' }] }],
  [{ budget: [500, 900] }, { all: [{ field: 'budget', op: 'in', value: [500, 900] }] }],
  [{ field: 'agrees', op: 'eq', value: true }, { all: [{ field: 'agrees', op: 'eq', value: true }] }],
  [
    {
      any: [
        { field: 'services', op: 'includes', value: 'ac' },
        { field: 'role', op: 'empty' },
      ],
    },
    {
      any: [
        { field: 'services', op: 'includes', value: 'ac' },
        { field: 'role', op: 'empty' },
      ],
    },
  ],
  [
    {
      all: [
        { field: 'meta.submission_id', op: 'gt', value: 7 },
        { field: 'role', op: 'eq', value: '7' },
      ],
    },
    {
      all: [
        { field: 'meta.submission_id', op: 'gt', value: 7 },
        { field: 'role', op: 'eq', value: '7' },
      ],
    },
  ],
  [{ role: '' }, { all: [{ field: 'role', op: 'eq', value: '' }] }],
  [{ field: 'role', op: 'gte', value: 500 }, { all: [{ field: 'role', op: 'gte', value: '500' }] }],
  [{ budget: 0 }, { all: [{ field: 'budget', op: 'eq', value: 0 }] }],
  [{ budget: '' }, { all: [{ field: 'budget', op: 'eq', value: '' }] }],
  [{ gone: '5' }, { all: [{ field: 'gone', op: 'eq', value: '5' }] }],
  [{ 'meta.is_test': true }, { all: [{ field: 'meta.is_test', op: 'eq', value: true }] }],
  [{ role: 'yes' }, { all: [{ field: 'role', op: 'eq', value: 'yes' }] }],
  [{ agrees: 'untrue' }, { all: [{ field: 'agrees', op: 'eq', value: 'untrue' }] }],
  [{ agrees: 'no way' }, { all: [{ field: 'agrees', op: 'eq', value: 'no way' }] }],
  [
    { field: 'services', op: 'includes', value: 'no' },
    { all: [{ field: 'services', op: 'includes', value: 'no' }] },
  ],
  [{ agrees: false }, { all: [{ field: 'agrees', op: 'eq', value: false }] }],
  [{}, null],
] as const) {
  test(`contract §6: ${JSON.stringify(written)} is shown as equivalent rows`, () => {
    const rows = toConditionRows(condition(written), FIELDS)
    assert.ok(rows)
    assert.deepEqual(fromConditionRows(rows, FIELDS), expected)
  })
}

for (const nested of [
  { not: { role: 'owner' } },
  { all: [{ any: [{ field: 'role', op: 'empty' }] }] },
  { role: ['a, b', 'c'] },
  { role: ['', 'c'] },
  { role: [' c'] },
  { field: 'role', op: 'contains', value: 'AC ' },
  { role: 7 },
  { budget: '500' },
  { budget: [0, '0'] },
  { agrees: 'true' },
]) {
  test(`contract §6: rows cannot show ${JSON.stringify(nested)}`, () => {
    assert.equal(toConditionRows(condition(nested), FIELDS), undefined)
  })
}

test('contract §6: each operator of the menu makes a valid condition on a suitable field', () => {
  for (const op of OPERATOR_NAMES) {
    const only = OPERATORS[op].field
    const [field, value] = only === undefined ? ['budget', '500'] : [only, 'texas']
    const written = fromConditionRows({ match: 'all', rules: [{ field, op, value }] }, FIELDS)
    assert.equal(parseCondition(written).kind, 'valid', op)
  }
})

test('each operator of the menu has a label', () => {
  assert.deepEqual(Object.keys(operatorLabels).sort(), [...OPERATOR_NAMES].sort())
})

test('no condition has no rows, and rows without a field make no condition', () => {
  const always = { match: 'always', rules: [] }
  for (const nothing of [null, condition({})]) assert.deepEqual(toConditionRows(nothing, FIELDS), always)
  const rules = [{ field: '', op: 'eq', value: 'x' }]
  assert.equal(fromConditionRows({ match: 'all', rules }, FIELDS), null)
})

test('the row of an operator without a value is empty', () => {
  assert.deepEqual(toConditionRows(condition({ field: 'role', op: 'empty' }), FIELDS)?.rules, [
    { field: 'role', op: 'empty', value: '' },
  ])
})

test('rows without a field are ignored, and a value that isn’t a number stays text', () => {
  const rules = [
    { field: '', op: 'eq', value: 'x' },
    { field: 'budget', op: 'eq', value: 'many' },
  ]
  assert.deepEqual(fromConditionRows({ match: 'any', rules }, FIELDS), {
    any: [{ field: 'budget', op: 'eq', value: 'many' }],
  })
  assert.equal(fromConditionRows({ match: 'always', rules }, FIELDS), null)
})
