import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportContent } from '#src/content-files/export-content.ts'
import { findForm } from '#src/forms/form-store.ts'
import { findWebhook } from '#src/webhooks/definition/webhook-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { codeOf } from '../../support/wording.ts'
import { openWorkspace, secretBox } from './workspace.ts'

const QUOTE = 'forms/quote.yaml'
const FORM = `name: Quote
fields:
  - { name: full_name, type: text, label: Name }
settings:
  notifications:
    - to: [clare@example.com]
      when: { field: meta.location_slug, op: within, value: clare }
      subject: "{{meta.service_name}}: {{full_name}}"
    - to: [hq@example.com]
      fallback: true
  reply:
    subject: Thank you
    text: |
      Hello {{full_name}}

      We call you back.
    reply_to: office@example.com
webhooks:
  - name: Rest
    url: https://hooks.example/rest
    fallback: true
`

test('contract §8: notifications, reply, and fallback sync from a file and export back', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: FORM })
  await workspace.synced()
  const form = await findForm(workspace.db, 'quote')
  assert.deepEqual(
    form?.settings.notifications?.map(({ to, fallback }) => [to, fallback]),
    [
      [['clare@example.com'], undefined],
      [['hq@example.com'], true],
    ],
  )
  assert.equal(form?.settings.reply?.text, 'Hello {{full_name}}\n\nWe call you back.\n')
  const webhook = await findWebhook(workspace.db, 1)
  assert.deepEqual([webhook?.fallback, webhook?.fireOn], [true, null])
  const out = join(temporaryFolder(t), 'export')
  await exportContent(workspace.db, { out, environment: {}, secretBox, pictureFiles: workspace.pictureFiles })
  const exported = readFileSync(join(out, QUOTE), 'utf8')
  const again = await openWorkspace(t, { [QUOTE]: exported })
  await again.synced()
  assert.deepEqual((await findForm(again.db, 'quote'))?.settings, form?.settings)
  assert.equal((await findWebhook(again.db, 1))?.fallback, true)
})

for (const [what, from, to, code, line] of [
  ['a question that the form does not ask', '{{full_name}}"', '{{name}}"', 'unknown_field', 8],
  ['an unknown key of meta', 'We call you', '{{meta.color}}', 'unknown_meta_key', 13],
  ['a broken condition', 'value: clare }', 'value: clare, extra: 1 }', 'unknown_keys', 7],
  [
    'a condition on an unknown question',
    'meta.location_slug, op: within',
    'county, op: eq',
    'unknown_field',
    7,
  ],
  ['no address', '[hq@example.com]', '[]', 'first_address', 9],
  [
    'a condition of a fallback',
    'fallback: true\n  reply',
    'fallback: true\n      when: { full_name: Ann }\n  reply',
    'fallback_with_conditions',
    11,
  ],
  [
    'a condition of a fallback webhook',
    '/rest',
    '/rest\n    fire_on: { full_name: Ann }',
    'fallback_with_conditions',
    21,
  ],
  [
    'a fallback written as a condition',
    '/rest\n    fallback: true',
    '/rest\n    fire_on: { fallback: true }',
    'fallback_elsewhere',
    21,
  ],
] as const) {
  test(`contract §8: ${what} is an error on its line`, async (t) => {
    assert.ok(FORM.includes(from))
    const workspace = await openWorkspace(t, { [QUOTE]: FORM.replace(from, to) })
    const result = await workspace.sync()
    assert.ok(result.kind === 'mistakes')
    assert.deepEqual(
      result.mistakes.map((mistake) => [codeOf(mistake.fault).split('/')[1], mistake.line]),
      [[code, line]],
    )
  })
}
