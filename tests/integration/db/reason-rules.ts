import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Kysely } from 'kysely'
import { up as translateSpam } from '#migrations/0061_spam_reasons.ts'
import { NOTHING_RENAMED } from '#src/conditions/condition-slugs.ts'
import { evaluateCondition } from '#src/conditions/evaluate-condition.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { describeSpam } from '#src/messages/admin/spam.ts'
import { describeDisabled, describeOutcome } from '#src/messages/admin/webhooks/reasons.ts'
import { describeMailReason } from '#src/messages/mail/outcomes.ts'
import { readMailReason } from '#src/notifications/mail-reason.ts'
import { readSpamReason } from '#src/submissions/spam-reason.ts'
import { readDisabledReason } from '#src/webhooks/reasons/disabled-reason.ts'
import { readReason } from '#src/webhooks/reasons/reason-columns.ts'
import type { TestEngine } from '../../support/database.ts'
import { insertRow, type Row } from './rows.ts'

const { trace } = evaluateCondition({ role: 'owner' } as never, {
  answers: { role: 'agency' },
  meta: {} as never,
  renamed: NOTHING_RENAMED,
})

/** What a database held before the codes: the code, the sentence with its row, and today's where that is another. */
const DELIVERIES: [code: string | null, former: Row & { outcome_reason: string | null }, today?: string][] = [
  [null, { status: 'delivered', outcome_reason: null }],
  [
    'spam',
    { status: 'cancelled', outcome_reason: 'The submission was marked as spam' },
    'The lead was marked as spam',
  ],
  ['webhook_deleted', { status: 'cancelled', outcome_reason: 'The webhook was deleted' }],
  [
    'webhook_off',
    { status: 'cancelled', outcome_reason: 'The webhook was switched off' },
    'The webhook was turned off',
  ],
  ['by_hand', { status: 'cancelled', outcome_reason: 'Cancelled by hand' }, 'Canceled manually'],
  [
    'form_deleted',
    { status: 'failed', outcome_reason: 'The form of the submission was deleted' },
    'The lead’s form was deleted',
  ],
  [
    'answers_unreadable',
    { status: 'failed', outcome_reason: 'The answers of the submission cannot be read' },
    'The lead’s answers can’t be read',
  ],
  [
    'gone',
    { status: 'failed', outcome_reason: 'HTTP 410: the webhook was switched off' },
    'The receiver returned 410 (Gone), so the webhook was turned off',
  ],
  [
    'unrecorded',
    {
      status: 'failed',
      outcome_reason: 'An attempt was made that could not be recorded; see the log of the program',
    },
    'The last attempt could not be recorded, so retries stopped. See the server log',
  ],
  ['test_failed', { status: 'failed', outcome_reason: 'The test failed: HTTP 500 “é\\"”' }],
  [
    'attempts_failed',
    { status: 'failed', attempt_count: 1, outcome_reason: 'The only attempt failed with: HTTP 500' },
    'The only attempt failed: HTTP 500',
  ],
  [
    'attempts_failed',
    { status: 'failed', attempt_count: 12, outcome_reason: '12 attempts failed, the last with: timeout' },
    'All 12 attempts failed. Last error: timeout',
  ],
  [
    'method_unusable',
    { status: 'failed', outcome_reason: 'The method of the webhook cannot be used: a' },
    'The webhook’s method is invalid: a',
  ],
  [
    'headers_unusable',
    { status: 'failed', outcome_reason: 'The headers of the webhook cannot be used: b' },
    'The webhook’s headers are invalid: b',
  ],
  [
    'template_unreadable',
    { status: 'failed', outcome_reason: 'The template of the webhook cannot be read: it is not JSON' },
    'The webhook’s template is invalid: it is not JSON',
  ],
  [
    'condition_unreadable',
    { status: 'skipped', outcome_reason: 'The condition cannot be read: it is not JSON' },
    'Not sent: the conditions are invalid: it is not JSON',
  ],
  [
    'rule_failed',
    {
      status: 'skipped',
      outcome_reason: 'role eq "owner", but it was "agency"',
      trace_json: JSON.stringify(trace),
    },
    'Not sent: “role” is “agency”; this webhook is for leads where “role” is “owner”',
  ],
  [
    'other',
    { status: 'skipped', outcome_reason: 'role eq "owner", but it was "agency"' },
    'Not sent: role eq "owner", but it was "agency"',
  ],
  [
    'values_missing',
    { status: 'pending', outcome_reason: 'Waits: A, B is not set in the environment' },
    'Pending: A, B are not set in the environment. Set them there or in .env, and restart the server',
  ],
  [
    'url_invalid',
    { status: 'pending', outcome_reason: 'Waits: ${A} is no address with the values of the environment' },
    'Pending: ${A} is not a valid URL with the current environment variables',
  ],
  [
    'header_sealed',
    { status: 'pending', outcome_reason: 'Waits: a header cannot be opened with this SECRET_KEY' },
    'Pending: the current SECRET_KEY can’t decrypt one of the webhook’s headers',
  ],
  [
    'secret_sealed',
    { status: 'pending', outcome_reason: 'Waits: the signing secret cannot be opened with this SECRET_KEY' },
    'Pending: the current SECRET_KEY can’t decrypt the signing secret',
  ],
  [
    'header_invalid',
    {
      status: 'pending',
      outcome_reason: 'Waits: A header cannot be sent with the values of the environment',
    },
    'Pending: one of the webhook’s headers is not valid with the current environment variables',
  ],
  ['other', { status: 'pending', outcome_reason: 'Waits: nobody knows why' }, 'Pending: nobody knows why'],
  ['other', { status: 'failed', outcome_reason: 'Nobody % knows "why"' }],
]

const WEBHOOKS = [
  [null, null],
  ['gone', 'The receiver answered 410 (gone)', 'the receiver returned 410 (Gone)'],
  ['always_failing', 'Every attempt of the last 5 days failed', 'every attempt in the last five days failed'],
  ['other', 'Nobody knows why'],
] as const

const MAILS: [string | null, Row & { last_error: string | null }][] = [
  [null, { status: 'pending', last_error: '450 try later' }],
  ['spam', { status: 'cancelled', last_error: 'The submission was marked as spam' }],
  ['other', { status: 'cancelled', last_error: 'Nobody knows why' }],
  ['refused', { status: 'failed', attempt_count: 1, last_error: '550 no such user' }],
  ['attempts_failed', { status: 'failed', attempt_count: 7, last_error: '450 try later' }],
]

/** The code of a submission's reason, the sentence before the codes, and today's where that is another. */
const SPAM: [code: string | null, former: string | null, today?: string][] = [
  [null, null],
  ['decoy_filled', 'The decoy field was filled', 'The hidden spam trap was filled in'],
  ['sent_early', 'Sent 0.0 s after the form was opened'],
  ['sent_early', 'Sent 12.4 s after the form was opened'],
  ['many_links', '1 link in the text'],
  ['many_links', '24 links in the text'],
  ['by_hand', 'Marked as spam by hand', 'Marked as spam manually'],
  ['other', 'Nobody % knows "why"'],
  ['other', 'Sent 0.4 s after the form was opened, and again'],
]

/** What becomes of sentences that a former version stored as reasons, on one engine. */
export function testReasons(engine: TestEngine) {
  describe(`reasons of an earlier version on ${engine.name}`, () => {
    let db: Kysely<Schema>
    before(async () => {
      db = await engine.openEmpty()
      await migrate(db, { to: '0056' })
      await insertOldRows(db)
      await migrate(db)
    })

    test('a delivery’s stored reason becomes a code with the same meaning', async () => {
      const rows = await db.selectFrom('webhook_deliveries').selectAll().orderBy('id').execute()
      assert.deepEqual(
        rows.map((row) => [row.outcome_code, describeOutcome({ ...row, reason: readReason(row) }) ?? null]),
        DELIVERIES.map(([code, { outcome_reason }, today = outcome_reason]) => [code, today]),
      )
    })

    test('a disabled webhook’s stored reason becomes a code with the same meaning', async () => {
      const rows = await db.selectFrom('form_webhooks').selectAll().orderBy('id').execute()
      const reasons = rows.map(readDisabledReason)
      assert.deepEqual(
        reasons.map((reason) => [reason?.code ?? null, reason && describeDisabled(reason)]),
        WEBHOOKS.map(([code, former, today = former]) => [code, today]),
      )
    })

    test('a spam submission’s stored reason becomes a code with the same meaning', async () => {
      const rows = await db.selectFrom('form_submissions').selectAll().orderBy('id').execute()
      const reasons = rows.slice(0, SPAM.length).map(readSpamReason)
      assert.deepEqual(
        reasons.map((reason) => [reason?.code ?? null, reason && describeSpam(reason)]),
        SPAM.map(([code, former, today = former]) => [code, today]),
      )
    })

    test('translating spam again changes nothing', async () => {
      const read = () => db.selectFrom('form_submissions').selectAll().orderBy('id').execute()
      const rows = await read()
      await translateSpam(db as Kysely<unknown>)
      assert.deepEqual(await read(), rows)
    })

    test('an email’s stored reason becomes a code, and the server’s response stays', async () => {
      const rows = await db.selectFrom('notification_mails').selectAll().orderBy('id').execute()
      assert.deepEqual(
        rows.map(({ outcome_code }) => outcome_code),
        MAILS.map(([code]) => code),
      )
      const kept = MAILS.map(([code, { last_error }]) => (code === 'spam' ? null : last_error))
      assert.deepEqual(
        rows.map(({ last_error }) => last_error),
        kept,
      )
      const said = rows.map(readMailReason).map((reason) => reason && describeMailReason(reason))
      assert.deepEqual(said.slice(0, 3), [null, 'The lead was marked as spam', 'Nobody knows why'])
    })
  })
}

async function insertOldRows(db: Kysely<Schema>) {
  for (const [, spam_reason] of SPAM)
    await insertRow(db, 'form_submissions', { form_id: 1, data_json: '{}', spam_reason })
  for (const [, row] of DELIVERIES) await insertRow(db, 'webhook_deliveries', row)
  for (const [, disabled_reason] of WEBHOOKS)
    await insertRow(db, 'form_webhooks', { form_id: 1, url: 'https://a.example.com', disabled_reason })
  const { id: submission_id } = await insertRow(db, 'form_submissions', { form_id: 1, data_json: '{}' })
  const mail = { submission_id, recipient: 'a@example.com', created_at: '2026-11-20T10:00:00.000Z' }
  for (const [, row] of MAILS) await insertRow(db, 'notification_mails', { ...mail, ...row })
}
