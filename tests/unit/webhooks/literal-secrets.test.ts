// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLiteralSigningSecret } from '#src/webhooks/secrets/signing-secrets.ts'

for (const [text, isLiteral] of [
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', true],
  ['hush', true],
  ['${SECRET}', false],
  ['whsec_${SECRET}', false],
  ['whsec_${SECRET}1', true],
  ['a${SECRET}', true],
] as const)
  test(`the signing secret ${text} ${isLiteral ? 'is one itself' : 'is set in the environment'}`, () => {
    assert.equal(isLiteralSigningSecret(text), isLiteral)
  })
