import type { RuleInput } from '../../conditions/condition-rows.ts'
import type { WebhookInput } from '../../webhooks/definition/webhook-input.ts'
import type { FormValue } from '../kit/admin-form.ts'

const MATCHES = ['always', 'all', 'any', 'json', 'fallback'] as const

/** Fields of a posted form by name. */
export type Posted = Readonly<Record<string, FormValue>>

/** The editor's form as posted. */
export function toInput(posted: Posted): WebhookInput {
  const text = (name: string) => (typeof posted[name] === 'string' ? posted[name] : '')
  return {
    name: text('name'),
    url: text('url'),
    method: text('method'),
    headers: text('headers'),
    template: text('template'),
    max_retries: text('max_retries'),
    enabled: text('enabled') !== '',
    accept_redirect: text('accept_redirect') !== '',
    match: MATCHES.find((match) => match === posted.match) ?? 'always',
    rules: toRules(posted),
    fire_on: text('fire_on'),
  }
}

/** Returns the rows after a click on one of their buttons: `rule-add`, or `rule-remove:2`. */
export function withActOnRules(input: WebhookInput, act: string): WebhookInput {
  const { rules } = input
  if (act === 'rule-add') {
    const match = input.match === 'any' ? 'any' : 'all'
    return { ...input, match, rules: [...rules, { field: '', op: 'eq', value: '' }] }
  }
  const removed = /^rule-remove:(\d+)$/.exec(act)
  return removed ? { ...input, rules: rules.toSpliced(Number(removed[1]), 1) } : input
}

function toRules(posted: Posted): RuleInput[] {
  const [fields = [], ops = [], values = []] = ['rule_field', 'rule_op', 'rule_value'].map((name) => {
    const list = posted[name]
    return typeof list === 'object' ? list : []
  })
  return fields.map((field, index) => ({ field, op: ops[index] ?? 'eq', value: values[index] ?? '' }))
}
