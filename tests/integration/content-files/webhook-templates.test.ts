import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFileFault } from '#src/messages/files/mistakes.ts'
import { openWorkspace } from './workspace.ts'

const FORM = `name: Quote
fields:
  - { name: email, type: email, label: E-mail, required: true }
  - { name: budget, type: number, label: Budget }
webhooks:
  - name: Chat
    url: https://chat.example/hook
    payload_template:
      text: "{{email | escape}}"
      embeds:
        - { name: Budget, value: "{{budget}}" }
        - { name: Place, value: "{{meta.location_name}}" }
        - { name: On purpose, value: "{{budget | default: null}}" }
  - name: By address
    url: https://get.example/hook
    method: GET
    payload_template: "{{budget}}"
`

test('contract §8: a sync lists webhook values that can be null, with line and fix', async (t) => {
  const workspace = await openWorkspace(t, { 'forms/quote.yaml': FORM })
  const result = await workspace.sync()
  assert.equal(result.kind, 'synced', JSON.stringify(result))
  assert.deepEqual(
    result.warnings.map(({ path, line, fault }) => [`${path}:${line}`, describeFileFault(fault)]),
    [
      [
        'forms/quote.yaml:11',
        'payload_template: Slack, Discord, Teams, and HubSpot reject null, and these values are null when empty: {{budget}}, {{meta.location_name}}; write {{budget | text}}, {{meta.location_name | text}} (or | default: null to keep null)',
      ],
    ],
  )
})

test('contract §8: an unknown filter is an error on its line', async (t) => {
  const workspace = await openWorkspace(t, { 'forms/quote.yaml': FORM.replace('escape', 'slack') })
  const result = await workspace.sync()
  assert.equal(result.kind, 'mistakes', JSON.stringify(result))
  assert.deepEqual(
    result.mistakes.map(({ line, fault }) => [line, describeFileFault(fault)]),
    [
      [
        9,
        'payload_template: unknown filter "slack" in {{email | slack}}, expected default: "…", text, or escape',
      ],
    ],
  )
})

test('contract §8: a reference without its closing braces is a warning, because the text is sent as it is', async (t) => {
  const reply = 'settings: { reply: { subject: "Hello {{email", text: "We call {{email}}" } }'
  const form = FORM.replace('fields:', `${reply}\nfields:`).replace('{{email | escape}}', 'Lead: {{email')
  const workspace = await openWorkspace(t, { 'forms/quote.yaml': form })
  const result = await workspace.sync()
  assert.equal(result.kind, 'synced', JSON.stringify(result))
  assert.deepEqual(
    result.warnings.slice(0, 2).map(({ line, fault }) => [line, describeFileFault(fault)]),
    [
      [2, 'subject: "{{email" has no closing }}; expected {{field}}'],
      [10, 'payload_template: "{{email" has no closing }}; expected {{field}}'],
    ],
  )
})

test('the webhooks of the example send no null in place of text', async (t) => {
  const workspace = await openWorkspace(t)
  const result = await workspace.sync({ contentDir: 'content' })
  assert.equal(result.kind, 'synced', JSON.stringify(result))
  assert.deepEqual(result.warnings, [])
})
