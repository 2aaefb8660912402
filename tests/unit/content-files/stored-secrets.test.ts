import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FormDocument } from '#src/content-files/document.ts'
import type { Reference } from '#src/content-files/parsing/reference.ts'
import { checkStoredSecrets } from '#src/content-files/syncing/check-stored-secrets.ts'
import { hashFormRow, isSameForm } from '#src/content-files/syncing/form-rows.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import type { Webhook } from '#src/webhooks/definition/webhook.ts'
import { type WebhookDefinition, webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { toDraftWebhook, toWebhookDefinition } from '#src/webhooks/definition/webhook-store.ts'
import { sealHeaders } from '#src/webhooks/secrets/sealed-headers.ts'
import { signingSecretPlace } from '#src/webhooks/secrets/signing-secrets.ts'
import { anEntry, aPlan, documentOf } from '../../support/content-plans.ts'

const secretBox = createSecretBox(new Uint8Array(32).fill(7))
const SECRET = `whsec_${'a'.repeat(32)}`
const URL = 'https://a.example/hook'

// Dots aren't a value of a webhook, only of its file.
const aDefinition = (values: object = {}): WebhookDefinition => ({
  ...webhookDefinition.parse({ name: 'Chat', url: URL }),
  ...values,
})

/** A stored webhook, its secrets encrypted. */
function aWebhook(values: object = {}, secret?: string): Webhook {
  const definition = aDefinition(values)
  const webhook = toDraftWebhook(definition, { formId: 1 })
  const sealing = { id: webhook.id, url: webhook.url, secretBox }
  return {
    ...webhook,
    headers: sealHeaders(definition.headers, null, sealing),
    signingSecret: secret === undefined ? null : secretBox.seal(secret, signingSecretPlace(sealing)),
  }
}

function aForm(webhooks: FormDocument['webhooks'], name = 'Quote'): FormDocument {
  const document = documentOf('forms/quote.yaml', `name: ${name}\nfields: []\n`)
  return { ...(document as FormDocument), webhooks }
}

const ofHeader: Reference = { to: 'stored_header', webhook: 0, name: 'x-key', line: 5 }
const ofSecret: Reference = { to: 'stored_secret', webhook: 0, line: 4 }
const DOTTED = { headers: { 'X-Key': '••••' } }
const KEYED = { headers: { 'X-Key': 'k' } }
const MOVED = 'https://b.example/hook'

for (const [name, given, stored, reference, code] of [
  ['a stored header', DOTTED, aWebhook(KEYED), ofHeader, undefined],
  [
    'a header of another name',
    DOTTED,
    aWebhook({ headers: { 'X-Site': 'k' } }),
    ofHeader,
    'header_not_stored',
  ],
  ['a header without a webhook', DOTTED, undefined, ofHeader, 'header_not_stored'],
  [
    'a header of another webhook',
    { ...DOTTED, name: 'A', url: MOVED },
    aWebhook(KEYED),
    ofHeader,
    'header_not_stored',
  ],
  ['a header for another path', { ...DOTTED, url: `${URL}/b` }, aWebhook(KEYED), ofHeader, undefined],
  [
    'a header for another origin',
    { ...DOTTED, url: MOVED },
    aWebhook(KEYED),
    ofHeader,
    'header_of_other_origin',
  ],
  ['a stored secret', {}, aWebhook({}, SECRET), ofSecret, undefined],
  ['no stored secret', {}, aWebhook(), ofSecret, undefined],
  ['no stored webhook', {}, undefined, ofSecret, undefined],
  ['a secret for another path', { url: `${URL}/b` }, aWebhook({}, SECRET), ofSecret, undefined],
  ['a secret for another origin', { url: MOVED }, aWebhook({}, SECRET), ofSecret, 'secret_of_other_origin'],
  ['no stored secret for another origin', { url: MOVED }, aWebhook(), ofSecret, undefined],
  ['a form that isn’t stored', {}, undefined, { to: 'form', slug: 'other', line: 4 }, undefined],
] satisfies [string, object, Webhook | undefined, Reference, string | undefined][]) {
  test(`a file that relies on ${name}: ${code ?? 'no mistake'}`, () => {
    const document = aForm([aDefinition(given)])
    const file = { path: 'forms/quote.yaml', document, references: [reference], mistakes: [] }
    const row = stored && { document, sha256: '', isBuiltin: false, webhooks: [stored] }
    const params = {
      header_not_stored: { webhook: document.webhooks[0]?.name, header: 'x-key', dots: '••••' },
      header_of_other_origin: { webhook: 'Chat', header: 'x-key', origin: 'https://a.example' },
      secret_of_other_origin: { webhook: 'Chat', origin: 'https://a.example' },
    }
    assert.deepEqual(
      checkStoredSecrets([file], [{ ...aPlan('write', { file: document }), row }]),
      code === undefined
        ? []
        : [
            {
              path: 'forms/quote.yaml',
              line: reference.line,
              fault: { code, params: params[code as keyof typeof params] },
            },
          ],
    )
    assert.deepEqual(checkStoredSecrets([{ ...file, document: anEntry('pages/a.md') }], []), [])
  })
}

test('a form’s row changes with its texts, webhooks, and stored secrets, but not with their order', () => {
  const [first, second] = [aWebhook({}, SECRET), aWebhook({ name: 'CRM' })]
  const hashOf = (webhooks: Webhook[], name?: string) =>
    hashFormRow(aForm(webhooks.map(toWebhookDefinition), name), webhooks)
  const hash = hashOf([first, second])
  assert.equal(hashOf([second, first]), hash)
  const changed = [
    hashOf([first, second], 'Other'),
    hashOf([first]),
    hashOf([aWebhook(), second]),
    hashOf([aWebhook({}, `${SECRET}b`), second]),
    hashOf([aWebhook({}, SECRET), second]),
    hashOf([
      { ...first, signingSecret: null },
      { ...second, signingSecret: first.signingSecret },
    ]),
    hashOf([first, { ...second, maxRetries: 1 }]),
  ]
  assert.equal(new Set([hash, ...changed]).size, changed.length + 1)
})

for (const [name, given, stored, expected] of [
  ['the same values', {}, aWebhook(), true],
  ['another value', { max_retries: 1 }, aWebhook(), false],
  ['another header', KEYED, aWebhook({ headers: { 'X-Key': 'l' } }), false],
  ['the same header', KEYED, aWebhook(KEYED), true],
  ['dots for a stored header', DOTTED, aWebhook(KEYED), true],
  ['dots without a stored header', DOTTED, aWebhook(), false],
  ['no secret, where one is stored', {}, aWebhook({}, SECRET), true],
  ['the stored secret', { signing_secret: SECRET }, aWebhook({}, SECRET), true],
  ['the name of the stored secret', { signing_secret: '${NAME}' }, aWebhook({}, SECRET), true],
  ['the name of another secret', { signing_secret: '${OTHER}' }, aWebhook({}, SECRET), false],
  ['another secret', { signing_secret: `${SECRET}b` }, aWebhook({}, SECRET), false],
  ['a secret where none is stored', { signing_secret: SECRET }, aWebhook(), false],
  ['null, where a secret is stored', { signing_secret: null }, aWebhook({}, SECRET), false],
  ['null, where no secret is stored', { signing_secret: null }, aWebhook(), true],
] satisfies [string, object, Webhook, boolean][]) {
  test(`a webhook in a file with ${name} is ${expected ? 'the stored one' : 'changed'}`, () => {
    const other = aWebhook({ name: 'Another' })
    const environment = { NAME: SECRET, OTHER: `${SECRET}c` }
    const file = aForm([aDefinition(given), aDefinition({ name: 'Another' })])
    const webhooks = [other, stored]
    const row = { document: aForm(webhooks.map(toWebhookDefinition)), webhooks }
    assert.equal(isSameForm(file, row, { environment, secretBox }), expected)
    assert.equal(
      isSameForm({ ...file, definition: aForm([], 'Other').definition }, row, { environment, secretBox }),
      false,
    )
    assert.equal(isSameForm(aForm(file.webhooks.slice(1)), row, { environment, secretBox }), false)
  })
}
