import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpamReason } from '#src/messages/admin/spam.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, countRows, storedSubmission, storeWebhook } from '../../support/desk.ts'
import { type FormFile, storeForm } from '../../support/forms.ts'

const NOW = Date.parse('2026-11-20T10:00:00.000Z')
const now = () => new Date(NOW)

const FIELDS: FormFile['fields'] = [
  { name: 'answer', label: 'Answer', type: 'textarea' },
  { name: 'site', label: 'Your site', type: 'url' },
]
const LINKS = 'http://a.example https://b.example www.c.example [url=d]d[/url]'

const CASES: [string, FormFile['settings'], Record<string, unknown>, SpamReason | null][] = [
  ['sent 0.4 s after opening', {}, { _t: NOW - 400 }, { code: 'sent_early', params: { seconds: 0.4 } }],
  ['… as ISO text', {}, { _t: '2026-11-20T09:59:59.000Z' }, { code: 'sent_early', params: { seconds: 1.0 } }],
  [
    '… as text of digits',
    {},
    { _t: String(NOW - 1_999) },
    { code: 'sent_early', params: { seconds: 1.999 } },
  ],
  ['after 2 s', {}, { _t: NOW - 2_000 }, null],
  ['without JavaScript', {}, {}, null],
  ['a visitor whose clock is ahead', {}, { _t: NOW + 60_000 }, null],
  ['open for 0.4 s', {}, { _open_ms: '400' }, { code: 'sent_early', params: { seconds: 0.4 } }],
  [
    '… whatever the visitor’s clock says',
    {},
    { _open_ms: 400, _t: NOW - 60_000 },
    { code: 'sent_early', params: { seconds: 0.4 } },
  ],
  ['open for a minute by a clock that is ahead', {}, { _open_ms: '60000', _t: NOW - 500 }, null],
  ['an unreadable _open_ms', {}, { _open_ms: '-1' }, null],
  ['an unreadable _t', {}, { _t: 'yesterday' }, null],
  [
    'min_seconds of the form',
    { anti_spam: { min_seconds: 5 } },
    { _t: NOW - 3_000 },
    { code: 'sent_early', params: { seconds: 3.0 } },
  ],
  ['min_seconds 0', { anti_spam: { min_seconds: 0 } }, { _t: NOW }, null],
  ['three links', {}, { answer: 'https://a.example www.b.example http://c.example' }, null],
  ['four links', {}, { answer: LINKS }, { code: 'many_links', params: { links: 4 } }],
  ['an address that was asked for', {}, { answer: 'see www.b.example', site: 'https://a.example' }, null],
  [
    'max_links of the form',
    { anti_spam: { max_links: 0 } },
    { answer: '<a href="x">y</a>' },
    { code: 'many_links', params: { links: 1 } },
  ],
  ['max_links null', { anti_spam: { max_links: null } }, { answer: LINKS }, null],
  ['anti_spam false', { anti_spam: false }, { answer: LINKS, _t: NOW }, null],
  ['a filled decoy', { honeypot: 'website' }, { website: 'x' }, { code: 'decoy_filled' }],
]

for (const [name, settings, body, reason] of CASES) {
  test(`contract §5 ${name}: ${reason?.code ?? 'not spam'}`, async (t) => {
    const db = await openTestDatabase(t)
    const form = await storeForm(db, 'quote', { fields: FIELDS, settings: settings ?? {} })
    await storeWebhook(db, form.id)
    const outcome = await aDesk(db, { now }).accept('quote', { answer: 'hello', ...body })
    assert.equal(outcome.kind, 'accepted')
    const { status, spamReason } = await storedSubmission(db, outcome)
    assert.deepEqual(
      [status, spamReason?.code, spamReason?.params],
      [reason === null ? 'new' : 'spam', reason?.code, reason?.params],
    )
    assert.equal(await countRows(db, 'webhook_deliveries'), reason === null ? 1 : 0)
  })
}

test('§2.1 an anti_spam value of an earlier version is read as the defaults', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { fields: FIELDS })
  const settings_json = JSON.stringify({ anti_spam: 'strict' })
  await db.updateTable('forms').set({ settings_json }).where('id', '=', form.id).execute()
  const outcome = await aDesk(db, { now }).accept('quote', { answer: LINKS })
  assert.equal((await storedSubmission(db, outcome)).status, 'spam')
})

test('contract §5 a decoy writes and withdraws its deliveries and emails, so that it takes as long as others', async (t) => {
  const db = await openTestDatabase(t)
  const settings = { honeypot: 'website', notification_email: 'leads@example.com' }
  const form = await storeForm(db, 'quote', { settings })
  for (const url of ['https://a.example/', 'https://b.example/']) await storeWebhook(db, form.id, { url })
  const desk = aDesk(db, { sendsMail: true })
  const leftIds = async () => [
    (await db.selectFrom('webhook_deliveries').select('id').orderBy('id').execute()).map(({ id }) => id),
    (await db.selectFrom('notification_mails').select('id').execute()).map(({ id }) => id),
  ]
  await desk.accept('quote', { answer: 'hello', website: 'x' })
  assert.deepEqual(await leftIds(), [[], []])
  // In one transaction with others only its own are withdrawn.
  await Promise.all(['', 'x'].map((website) => desk.accept('quote', { answer: 'hello', website })))
  assert.deepEqual(await leftIds(), [[3, 4], [2]])
})
