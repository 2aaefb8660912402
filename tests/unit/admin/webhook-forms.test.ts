import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMove } from '#src/admin/webhooks/move-webhook.ts'
import { pathOfWebhook, trailOfWebhook } from '#src/admin/webhooks/paths.ts'
import { toInput, withActOnRules } from '#src/admin/webhooks/posted-webhook.ts'
import { listRuleFields } from '#src/admin/webhooks/rule-fields.ts'
import { kindOfField } from '#src/admin/webhooks/rule-names.ts'
import { aField } from '../../support/forms.ts'

const RULE = { field: 'answer', op: 'contains', value: 'roof' }

test('a posted webhook has a row for each rule, and only known values', () => {
  const posted = {
    ...{ name: 'CRM', url: 'https://a.example', method: 'POST', headers: 'A: b', template: '{}' },
    ...{ max_retries: '6', enabled: 'on', match: 'any', fire_on: 'submission' },
    ...{ rule_field: ['answer', 'email'], rule_op: ['contains'], rule_value: ['roof'] },
  }
  const { rule_field: _, rule_op: __, rule_value: ___, ...same } = posted
  assert.deepEqual(toInput(posted), {
    ...{ ...same, enabled: true, accept_redirect: false },
    rules: [RULE, { field: 'email', op: 'eq', value: '' }],
  })
  const empty = toInput({ match: 'maybe', accept_redirect: 'on', name: ['a'], rule_field: 'answer' })
  assert.deepEqual(
    [empty.match, empty.enabled, empty.accept_redirect, empty.name],
    ['always', false, true, ''],
  )
  assert.deepEqual(empty.rules, [])
})

test('buttons add and remove rules', () => {
  const input = { ...toInput({ match: 'any' }), rules: [RULE, { ...RULE, value: 'barn' }] }
  const added = withActOnRules(input, 'rule-add')
  assert.deepEqual(
    [added.match, added.rules.length, added.rules[2]],
    ['any', 3, { field: '', op: 'eq', value: '' }],
  )
  // A first rule decides something.
  assert.equal(withActOnRules({ ...input, match: 'always' }, 'rule-add').match, 'all')
  assert.deepEqual(withActOnRules(input, 'rule-remove:0').rules, [{ ...RULE, value: 'barn' }])
  const many = { ...input, rules: Array.from({ length: 12 }, (_, at) => ({ ...RULE, value: `${at}` })) }
  assert.equal(withActOnRules(many, 'rule-remove:11').rules.at(-1)?.value, '10')
  for (const act of ['save', 'rule-remove:', 'rule-remove:0x', 'xrule-remove:0'])
    assert.equal(withActOnRules(input, act), input, act)
})

test('a webhook that moves to another origin loses its secrets', () => {
  const webhook = { url: 'https://a.example/in', signingSecret: 's' } as never
  const move = (url: string, dropped: string[] = []) => describeMove(webhook, { url, dropped })
  assert.equal(move('https://a.example/other'), undefined)
  assert.deepEqual(move('https://b.example/in', ['X-Key']), {
    ...{ from: 'https://a.example', to: 'https://b.example' },
    lost: ['the header X-Key', 'the signing secret'],
  })
  const unsigned = describeMove({ url: 'https://a.example', signingSecret: null } as never, {
    ...{ url: 'https://b.example', dropped: [] },
  })
  assert.deepEqual(unsigned?.lost, [])
})

test('rules are about places, sources, answers, and the rest, each field once', () => {
  const groups = listRuleFields([aField({ name: 'role', label: 'Your [role](/roles)' })])
  assert.deepEqual(
    groups.map(({ label, fields }) => [label, fields[0]?.label]),
    [
      ['Place and service', 'Place'],
      ['Source', 'Campaign source'],
      ['Answers', 'Your role (role)'],
      ['For developers', 'Lead ID (meta.submission_id)'],
    ],
  )
  const names = groups.flatMap(({ fields }) => fields.map(({ name }) => name))
  assert.equal(new Set(names).size, names.length)
  assert.deepEqual(['meta.location_slug', 'meta.service_slug', 'role', 'toString'].map(kindOfField), [
    ...['place', 'service', undefined, undefined],
  ])
})

test('a page below a webhook leads back to it and to those of its form', () => {
  const form = { slug: 'quote', name: 'Quote' }
  assert.equal(pathOfWebhook('quote', 3), '/admin/forms/quote/webhooks/3')
  assert.deepEqual(trailOfWebhook(form, { id: 3, name: 'CRM' }), [
    { href: '/admin/forms/quote/webhooks', label: 'Quote' },
    { href: '/admin/forms/quote/webhooks/3', label: 'CRM' },
  ])
})
