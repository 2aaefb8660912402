import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_RENAMED, type Renamed } from '#src/conditions/condition-slugs.ts'
import { type Condition, listConditionFields } from '#src/conditions/conditions.ts'
import { evaluateCondition, outlineCondition } from '#src/conditions/evaluate-condition.ts'
import type { Json } from '#src/lib/canonical-json.ts'
import { type ConditionTrace, explainTrace, leadsOfTrace } from '#src/messages/admin/webhooks/conditions.ts'
import { META_KEYS } from '#src/templates/meta.ts'
import { parseCondition } from '../../support/parse-condition.ts'

const ANSWERS = {
  role: 'owner',
  budget: 500,
  team: '12',
  start: '2026-11-20',
  agreed: false,
  interests: ['seo', 'web design'],
  none_chosen: [],
  blank: '',
  note: null,
  message: 'Please call me in Austin',
}
const META = {
  service_slug: null,
  location_slug: 'austin',
  location_path: 'usa/texas/austin',
  submitted_at: '2026-11-20T10:00:00.000Z',
}

interface About {
  meta?: Record<string, Json>
  renamed?: Renamed
}

function fires(condition: Json, { meta = META, renamed = NOTHING_RENAMED }: About = {}): boolean {
  return verdict(condition, meta, renamed).fires
}

function verdict(condition: Json, meta: Record<string, Json> = META, renamed = NOTHING_RENAMED) {
  const parsed = parseCondition(condition)
  assert.equal(parsed.kind, 'valid', `${JSON.stringify(condition)}: ${'problem' in parsed && parsed.problem}`)
  return evaluateCondition((parsed as { condition: Condition }).condition, {
    answers: ANSWERS,
    meta,
    renamed,
  })
}

const rule = (field: string, op: string, value?: Json) =>
  value === undefined ? { field, op } : { field, op, value }

const CASES: [Json, boolean][] = [
  [{}, true],
  [{ role: 'owner' }, true],
  [{ role: 'Owner' }, false],
  [{ role: ['agency', 'owner'] }, true],
  [{ role: ['agency'] }, false],
  [{ role: 'owner', budget: 500 }, true],
  [{ role: 'owner', budget: 501 }, false],
  [{ budget: '500' }, false],
  [{ agreed: false }, true],
  [{ constructor: 'x' }, false],
  [{ 'meta.location_slug': 'austin' }, true],
  [rule('role', 'eq', 'owner'), true],
  [rule('role', 'eq', 'own'), false],
  [rule('interests', 'eq', 'seo'), false],
  [rule('role', 'ne', 'agency'), true],
  [rule('role', 'ne', 'owner'), false],
  [rule('role', 'in', ['owner', 'agency']), true],
  [rule('role', 'in', ['agency']), false],
  [rule('role', 'not_in', ['agency']), true],
  [rule('role', 'not_in', ['owner']), false],
  [rule('message', 'contains', 'Austin'), true],
  [rule('message', 'contains', 'austin'), false],
  [rule('interests', 'contains', 'seo'), true],
  [rule('interests', 'contains', 'web'), false],
  [rule('message', 'not_contains', 'Dallas'), true],
  [rule('message', 'not_contains', 'Austin'), false],
  [rule('interests', 'not_contains', 'seo'), false],
  [rule('message', 'starts_with', 'Please'), true],
  [rule('message', 'starts_with', 'call'), false],
  [rule('message', 'ends_with', 'Austin'), true],
  [rule('message', 'ends_with', 'Please'), false],
  [rule('budget', 'starts_with', '5'), false],
  [rule('budget', 'ends_with', '0'), false],
  [rule('budget', 'contains', '5'), false],
  [rule('interests', 'ends_with', 'seo'), false],
  [rule('budget', 'gt', 499), true],
  [rule('budget', 'gt', 500), false],
  [rule('budget', 'gte', 500), true],
  [rule('budget', 'gte', 501), false],
  [rule('budget', 'lt', 501), true],
  [rule('budget', 'lt', 500), false],
  [rule('budget', 'lte', 500), true],
  [rule('budget', 'lte', 499), false],
  [rule('team', 'gt', 9), true],
  [rule('team', 'lt', '100'), true],
  [rule('role', 'gt', 1), false],
  [rule('role', 'lt', 1), false],
  [rule('start', 'gt', '2026-11-19'), true],
  [rule('start', 'gt', '2026-11-20'), false],
  [rule('start', 'lte', '2026-11-20T00:00:00Z'), true],
  [rule('start', 'lt', 5), false],
  [rule('start', 'gt', 5), false],
  [rule('budget', 'lt', '2026-11-20'), false],
  [rule('agreed', 'lt', 1), false],
  [rule('meta.submitted_at', 'gte', '2026-11-20 09:59:59'), true],
  [rule('meta.submitted_at', 'gte', '2026-11-20 10:00:01'), false],
  [rule('note', 'empty'), true],
  [rule('blank', 'empty'), true],
  [rule('none_chosen', 'empty'), true],
  [rule('interests', 'empty'), false],
  [rule('agreed', 'empty'), false],
  [rule('role', 'empty'), false],
  [rule('role', 'not_empty'), true],
  [rule('blank', 'not_empty'), false],
  [rule('interests', 'includes', 'seo'), true],
  [rule('interests', 'includes', 'web'), false],
  [rule('role', 'includes', 'owner'), false],
  [rule('meta.location_slug', 'within', 'austin'), true],
  [rule('meta.location_slug', 'within', 'texas'), true],
  [rule('meta.location_slug', 'within', 'usa'), true],
  [rule('meta.location_slug', 'within', 'tex'), false],
  [rule('meta.location_slug', 'within', 'ohio'), false],
  [{ all: [rule('role', 'eq', 'owner'), rule('budget', 'gt', 1)] }, true],
  [{ all: [rule('role', 'eq', 'owner'), rule('budget', 'gt', 500)] }, false],
  [{ any: [rule('role', 'eq', 'agency'), rule('budget', 'gt', 1)] }, true],
  [{ any: [rule('role', 'eq', 'agency'), rule('budget', 'gt', 500)] }, false],
  [{ not: rule('role', 'eq', 'agency') }, true],
  [{ not: { all: [{ role: 'owner' }, { any: [{ budget: 1 }, { budget: 500 }] }] } }, false],
]

for (const [condition, expected] of CASES) {
  test(`§6.1 ${JSON.stringify(condition)} ${expected ? 'fires' : 'does not fire'}`, () => {
    assert.equal(fires(condition), expected)
  })
}

const TRUE_WITHOUT_VALUE = ['empty', 'ne', 'not_in', 'not_contains']
const VALUES: Record<string, Json | undefined> = {
  ...{ eq: 'x', ne: 'x', in: ['x'], not_in: ['x'], contains: 'x', not_contains: 'x', includes: 'x' },
  ...{
    starts_with: 'x',
    ends_with: 'x',
    gt: 1,
    gte: 1,
    lt: 1,
    lte: 1,
    empty: undefined,
    not_empty: undefined,
  },
}

for (const field of ['note', 'missing', 'constructor', 'meta.service_slug']) {
  test(`contract §6: for ${field}, which has no value, only empty, ne, not_in and not_contains are true`, () => {
    const truthful = Object.keys(VALUES).filter((op) => fires(rule(field, op, VALUES[op])))
    assert.deepEqual(truthful.sort(), TRUE_WITHOUT_VALUE.sort())
  })
}

test('contract §6: within is false for a page without a location', () => {
  const meta = { location_slug: null, location_path: null }
  assert.equal(fires(rule('meta.location_slug', 'within', 'texas'), { meta }), false)
})

test('contract §6: a location without a path is within itself', () => {
  const meta = { location_slug: 'austin', location_path: null }
  assert.equal(fires(rule('meta.location_slug', 'within', 'austin'), { meta }), true)
  assert.equal(fires(rule('meta.location_slug', 'within', 'texas'), { meta }), false)
})

test('a time without a zone is UTC in any server time zone', (t) => {
  const { TZ } = process.env
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  for (const zone of ['America/Chicago', 'Asia/Tokyo']) {
    process.env.TZ = zone
    assert.equal(fires(rule('meta.submitted_at', 'gte', '2026-11-20 10:00:00')), true, zone)
    assert.equal(fires(rule('meta.submitted_at', 'lte', '2026-11-20T10:00')), true, zone)
  }
})

test('a former slug in a rule or a lead refers to the current place or service', () => {
  const renamed = {
    places: new Map([['bergstrom', 'austin']]),
    services: new Map([['ac-repair', 'cooling']]),
  }
  for (const meta of [
    { ...META, service_slug: 'cooling' },
    { location_slug: 'bergstrom', location_path: 'usa/texas/bergstrom', service_slug: 'ac-repair' },
  ]) {
    const holds = (field: string, op: string, value: Json) => fires(rule(field, op, value), { meta, renamed })
    for (const slug of ['bergstrom', 'austin']) {
      assert.equal(holds('meta.location_slug', 'within', slug), true)
      assert.equal(holds('meta.location_slug', 'eq', slug), true)
      assert.equal(holds('meta.location_slug', 'not_in', ['dallas', slug]), false)
      assert.equal(holds('meta.location_path', 'eq', `usa/texas/${slug}`), true)
      assert.equal(fires({ 'meta.location_slug': ['dallas', slug] }, { meta, renamed }), true)
    }
    for (const slug of ['ac-repair', 'cooling']) assert.equal(holds('meta.service_slug', 'eq', slug), true)
    assert.equal(holds('meta.location_slug', 'within', 'dallas'), false)
  }
  assert.equal(fires(rule('role', 'eq', 'bergstrom'), { renamed }), false, 'answers are no slugs')
})

test('contract §6: null always fires', () => {
  assert.deepEqual(evaluateCondition(null, { answers: {}, meta: {}, renamed: NOTHING_RENAMED }), {
    fires: true,
    reason: null,
    trace: null,
  })
})

const PLACES = new Map([
  ['austin', 'Austin'],
  ['texas', 'Texas'],
  ['ohio', 'County Ohio'],
])
const ROLE = { label: 'Your role', options: [{ label: 'Business owner', value: 'owner' }] }
const NAMES = { places: PLACES, questions: new Map([['role', ROLE]]) }

const FAILED_RULES: [Json, string][] = [
  [{ role: 'owner', budget: 7 }, '“budget” is 500; this webhook is for leads where “budget” is 7'],
  [
    { role: 'agency' },
    '“Your role” is “Business owner”; this webhook is for leads where “Your role” is “agency”',
  ],
  [
    rule('role', 'in', ['a', 'b']),
    '“Your role” is “Business owner”; this webhook is for leads where “Your role” is one of “a” or “b”',
  ],
  [rule('note', 'not_empty'), '“note” is empty; this webhook is for leads where “note” is not empty'],
  [
    rule('meta.location_slug', 'within', 'ohio'),
    'the lead is from Austin, Texas; this webhook is for County Ohio',
  ],
  [
    {
      any: [rule('meta.location_slug', 'within', 'ohio'), rule('meta.location_slug', 'within', 'nowhere')],
    },
    'the lead is from Austin, Texas; this webhook is for County Ohio or nowhere',
  ],
  [
    { any: [rule('meta.location_slug', 'within', 'ohio'), { budget: 7 }] },
    'the lead is from Austin, Texas and “budget” is 500; this webhook is for leads where the place is in County Ohio or “budget” is 7',
  ],
  [
    rule('meta.service_slug', 'eq', 'roofing'),
    'the lead has no service; this webhook is for leads where the service is “roofing”',
  ],
  [
    rule('meta.location_slug', 'ne', 'austin'),
    'the lead is from Austin; this webhook is for leads where the place is not Austin',
  ],
  [{ not: rule('meta.location_slug', 'within', 'texas') }, 'this webhook is not for Texas'],
  [{ not: { role: 'owner' } }, 'this webhook is not for leads where “Your role” is “Business owner”'],
  [
    { any: [{ budget: 1 }, { budget: 2 }] },
    '“budget” is 500; this webhook is for leads where “budget” is 1 or “budget” is 2',
  ],
  [
    { not: { any: [{ budget: 500 }, { not: rule('note', 'not_empty') }] } },
    'this webhook is not for leads where “budget” is 500 or not (“note” is not empty)',
  ],
  [
    rule('message', 'eq', 'x'.repeat(79)),
    `“message” is “${ANSWERS.message}”; this webhook is for leads where “message” is “${'x'.repeat(79)}…”`,
  ],
]

for (const [condition, failedRule] of FAILED_RULES) {
  test(`a skipped delivery says which rule failed: ${failedRule}`, () => {
    const { fires, reason } = verdict(condition)
    const trace = reason?.code === 'rule_failed' ? reason.params.trace : null
    assert.deepEqual([fires, trace && explainTrace(trace, NAMES)], [false, failedRule])
  })
}

for (const [condition, leads] of [
  [rule('meta.location_slug', 'within', 'texas'), 'Leads from Texas'],
  [{ all: [{ 'meta.location_slug': ['austin', 'texas'] }] }, 'Leads from Austin or Texas'],
  [
    { any: [rule('meta.location_slug', 'within', 'texas'), { 'meta.location_slug': 'austin' }] },
    'Leads from Texas or Austin',
  ],
  [{ role: 'owner', budget: 5 }, 'Leads where “Your role” is “Business owner” and “budget” is 5'],
] as const)
  test(`a condition names its leads: ${leads}`, () => {
    assert.equal(leadsOfTrace(outlineCondition(condition as Condition), NAMES), leads)
  })

test('every key of meta is in words, never as a key', () => {
  for (const key of META_KEYS) {
    const condition = rule(`meta.${key}`, 'eq', 'x') as Condition
    for (const saw of ['y', null]) {
      const outline = { ...outlineCondition(condition), saw } as ConditionTrace
      assert.doesNotMatch(`${explainTrace(outline, NAMES)} ${leadsOfTrace(outline, NAMES)}`, /meta\.|_/, key)
    }
  }
  assert.equal(
    leadsOfTrace(outlineCondition({ 'meta.source_kind': 'ads' }), NAMES),
    'Leads where the source type is “ads”',
  )
})

test('a rule in the trace is truncated after 80 characters, without a trailing space', () => {
  const written = (value: string) => {
    const { trace } = verdict(rule('message', 'eq', value))
    return trace?.kind === 'rule' && trace.rule
  }
  assert.equal(written('x'.repeat(78)), `message eq "${'x'.repeat(78)}"`)
  assert.equal(written('x'.repeat(79)), `message eq "${'x'.repeat(79)}…`)
  const { trace } = verdict(rule('note', 'empty'))
  assert.equal(trace?.kind === 'rule' && trace.rule, 'note empty')
})

test('the trace shows every rule with its value, even if the outcome is already clear', () => {
  const condition = {
    all: [{ role: 'owner' }, { any: [{ budget: 500 }, { budget: 7 }] }, { not: { budget: 1 } }],
  }
  const seen = (value: number, holds: boolean) => ({
    kind: 'rule',
    rule: `budget eq ${value}`,
    saw: 500,
    holds,
  })
  const all = (holds: boolean, ...of: object[]) => ({ kind: 'all', holds, of })
  assert.deepEqual(
    verdict(condition).trace,
    all(
      true,
      all(true, { kind: 'rule', rule: 'role eq "owner"', saw: 'owner', holds: true }),
      { kind: 'any', holds: true, of: [all(true, seen(500, true)), all(false, seen(7, false))] },
      { kind: 'not', holds: true, of: all(false, seen(1, false)) },
    ),
  )
})

test('the trace truncates texts over 200 characters, also in a checkbox group', () => {
  const saw = (value: Json) => {
    const condition = { field: 'message', op: 'not_empty' } as unknown as Condition
    const { trace } = evaluateCondition(condition, {
      ...{ answers: { message: value }, meta: {} },
      renamed: NOTHING_RENAMED,
    })
    return trace?.kind === 'rule' ? trace.saw : undefined
  }
  const cut = `${'x'.repeat(200)}…`
  assert.equal(saw('x'.repeat(200)), 'x'.repeat(200))
  assert.equal(saw('x'.repeat(201)), cut)
  assert.deepEqual(saw(['x'.repeat(201), 'y']), [cut, 'y'])
})

const REFUSED: [unknown, place: string, code: string][] = [
  [null, '', 'condition'],
  ['role', '', 'condition'],
  ['', '', 'condition'],
  [7, '', 'condition'],
  [true, '', 'condition'],
  [{ op: 'eq', value: 'x' }, 'field', 'type'],
  [[], '', 'condition'],
  [{ role: null }, 'role', 'condition_value'],
  [{ role: [] }, 'role', 'first_value'],
  [{ role: { eq: 1 } }, 'role', 'condition_value'],
  [{ 'First Name': 'x' }, 'First Name', 'condition_field'],
  [{ 'meta.unknown': 'x' }, 'meta.unknown', 'unknown_meta_key'],
  [{ 'meta.delivery_id': 1 }, 'meta.delivery_id', 'unknown_meta_key'],
  [JSON.parse('{"__proto__":"x"}'), '__proto__', 'condition_field'],
  [{ all: [] }, 'all', 'first_condition'],
  [{ any: {} }, 'any', 'conditions'],
  [{ all: [{}] }, 'all.0', 'condition'],
  [{ not: null }, 'not', 'condition'],
  [{ all: [{ role: 'x' }], any: [{ role: 'x' }] }, '', 'unknown_keys'],
  [{ field: 'role' }, 'op', 'choice'],
  [{ field: 'role', op: 'EQ', value: 1 }, 'op', 'choice'],
  [{ field: 'role', op: 'eq' }, 'value', 'condition_value'],
  [{ field: 'role', op: 'eq', value: ['x'] }, 'value', 'condition_value'],
  [{ field: 'role', op: 'in', value: 'x' }, 'value', 'condition_values'],
  [{ field: 'role', op: 'contains', value: '' }, 'value', 'condition_text_filled'],
  [{ field: 'role', op: 'gt', value: 'much' }, 'value', 'comparable'],
  [{ field: 'start', op: 'lte', value: '2026-02-30' }, 'value', 'comparable'],
  [{ field: 'start', op: 'lt', value: '2026-11-31T10:00' }, 'value', 'comparable'],
  [{ field: 'role', op: 'empty', value: true }, '', 'unknown_keys'],
  [{ field: 'role', op: 'eq', value: 1, extra: 1 }, '', 'unknown_keys'],
  [{ field: 'city', op: 'within', value: 'texas' }, 'field', 'operator_elsewhere'],
  [{ field: 'meta.location_slug', op: 'within', value: 'usa/texas' }, 'value', 'location_slug'],
]

for (const [condition, place, code] of REFUSED) {
  test(`contract §6: ${JSON.stringify(condition)} is refused`, () => {
    const parsed = parseCondition(condition)
    const problems = parsed.kind === 'invalid' ? parsed.problems : []
    assert.deepEqual(
      problems.map((problem) => [problem.path.join('.'), problem.code]),
      [[place, code]],
    )
  })
}

test('a condition may be nested 20 deep', () => {
  const nested = (depth: number): Json => (depth === 1 ? { role: 'owner' } : { not: nested(depth - 1) })
  assert.deepEqual(
    [20, 21].map((depth) => parseCondition(nested(depth)).kind),
    ['valid', 'invalid'],
  )
})

test('a condition nested thousands deep is refused without recursion', () => {
  let condition: Json = { role: 'owner' }
  for (let depth = 0; depth < 50_000; depth++) condition = { not: condition }
  assert.deepEqual(parseCondition(condition), {
    kind: 'invalid',
    problems: [{ path: [], code: 'conditions_too_deep', params: { max: 20 } }],
  })
})

test('the fields of a condition are listed once each', () => {
  const condition = {
    any: [{ role: 'x', budget: 1 }, { not: rule('role', 'empty') }, { 'meta.form_slug': 'q' }],
  }
  assert.deepEqual(listConditionFields(condition as unknown as Condition), [
    'role',
    'budget',
    'meta.form_slug',
  ])
})

test('a condition with thousands of rules is parsed quickly', () => {
  const rule = { field: 'email', op: 'eq', value: 'x' }
  const condition = { any: Array.from({ length: 8_000 }, () => rule) }
  // The first time also compiles the code.
  parseCondition(condition)
  const before = process.threadCpuUsage()
  assert.equal(parseCondition(condition).kind, 'valid')
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 75_000, `${user + system} µs`)
})
