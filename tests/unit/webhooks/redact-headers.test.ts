// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactHeaders } from '#src/webhooks/secrets/redact-headers.ts'
import { isLiteralSecret } from '#src/webhooks/secrets/sealed-headers.ts'

const HIDDEN = [
  ['Authorization', 'x'],
  ['X-Api-Key', 'short'],
  ['X-Auth', 'a'],
  ['Cookie', 'session=1'],
  ['X-Access-Token', 'a'],
  ['X-Team', 'Bearer abc'],
  ['X-Team', 'sk_live_51HxQyJ2eZvKYlo2C'],
  ['X-Team', '0123456789abcdef0123456789abcdef'],
  ['X-Team', '${TENANT}/0123456789abcdef0123456789abcdef'],
]

for (const [name = '', value = ''] of HIDDEN) {
  test(`contract §6: the log shows dots for ${name}: ${value}`, () => {
    assert.deepEqual(redactHeaders({ [name]: value }), { [name]: '••••' })
  })
}

test('contract §6: the log shows other headers, and Signpost’s own, unchanged', () => {
  const headers = {
    ...{ 'X-Team': 'sales', 'X-Keyboard': 'qwerty', 'X-Note': 'a sentence of several words with 1 number' },
    ...{ 'content-type': 'application/json', 'webhook-id': 'msg_0123456789abcdefghijkl' },
    'x-signature': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  }
  assert.deepEqual(redactHeaders(headers), headers)
})

for (const [value, isTyped] of [
  ['s3cr3t', true],
  ['', true],
  ['${TENANT}-s3cr3t', true],
  ['s3cr3t ${TENANT}', true],
  ['Bearer ${TENANT}.s3cr3t', true],
  ['${TOKEN}', false],
  ['Bearer ${TOKEN}', false],
  ['${USER}:${PASSWORD}', false],
] as const) {
  test(`a secret header of "${value}" ${isTyped ? 'holds a secret itself' : 'only names one'}`, () => {
    assert.equal(isLiteralSecret('X-Api-Key', value), isTyped)
    assert.equal(isLiteralSecret('X-Note', 'by ${NAME} of the team'), false)
  })
}
