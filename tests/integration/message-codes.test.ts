import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Failure, showMessagesAs } from '#src/lib/messages.ts'
import { describeReason } from '#src/messages/admin/webhooks/reasons.ts'
import { backupTexts } from '#src/messages/command-line/data.ts'
import { describeFinding } from '#src/messages/command-line/doctor.ts'
import { describeMailReason } from '#src/messages/mail/outcomes.ts'

const run = promisify(execFile)
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests of rules that read and write codes. */
const RULES = [
  './submissions/mark-spam.test.ts',
  './submissions/proof-of-work.test.ts',
  './submissions/spam.test.ts',
  './submissions/edit-form.test.ts',
  './webhooks/webhook-health.test.ts',
  './content-files/mistakes.test.ts',
  './content-files/conflicts.test.ts',
  '../unit/components/setting-mistakes.test.ts',
  '../unit/entries/route-pattern.test.ts',
  '../unit/forms/check-answers.test.ts',
  '../unit/forms/control-attributes.test.ts',
  '../unit/forms/field-types.test.ts',
  '../unit/forms/file.test.ts',
  '../unit/forms/form-definition.test.ts',
  '../unit/publish/plan-causes.test.ts',
  '../unit/submissions/read-form-body.test.ts',
  '../unit/conditions/conditions.test.ts',
  '../unit/templates/template-checks.test.ts',
  '../unit/webhooks/webhook-definition.test.ts',
  '../unit/webhooks/webhook-input.test.ts',
].map(fileOf)

test('rule tests pass with message codes in place of sentences', async () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const codes = new URL('../support/message-codes.ts', import.meta.url).href
  await run(
    process.execPath,
    ['--import', codes, '--test', '--test-isolation=none', '--test-reporter=dot', ...RULES],
    { env },
  )
})

test('a message is shown as a sentence or as its code', (t) => {
  t.after(() => showMessagesAs('sentence'))
  assert.equal(describeReason({ code: 'spam' }), 'The lead was marked as spam')
  showMessagesAs('code')
  assert.deepEqual(
    [describeReason({ code: 'spam' }), describeMailReason({ code: 'refused' })],
    ['spam', 'refused'],
  )
  assert.equal(describeFinding('lost', ['signpost.db']), 'lost')
  assert.equal(new Failure(backupTexts, 'noDatabase', 'signpost.db').message, 'noDatabase')
})
