import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { claimDueMails } from '#src/notifications/mail-store.ts'
import { markNotSpam } from '#src/submissions/inbox/mark-spam.ts'
import { createPostLimits } from '#src/submissions/limits/post-limits.ts'
import { deleteRecentPosts } from '#src/submissions/limits/recent-post-store.ts'
import { challengeInserts } from '#src/submissions/limits/spent-challenge-store.ts'
import { applyRetention } from '#src/submissions/retention/retention.ts'
import { aDesk, assertStored, countRows, storedSubmission, storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

const engine = postgresEngine()
after(() => engine.close())

test('contract §5 on PostgreSQL posts are stored once, with their deliveries, or refused', async () => {
  const db = await engine.openMigrated()
  await storeForm(db, 'quote')
  const form = await storeForm(db, 'quote', {
    fields: [{ name: 'email', label: 'Email', type: 'email', required: true }],
  })
  await storeWebhook(db, form.id)
  const desk = aDesk(db)
  const ids = Array.from({ length: 20 }, () => randomUUID())
  const outcomes = await Promise.all(
    [...ids, ...ids].map((_id) =>
      desk.accept('quote', { _id, email: `${_id}@example.com`, _page: '/services/ac-repair/austin' }),
    ),
  )
  for (const [index, _id] of ids.entries()) {
    const [first, second] = [outcomes[index] as never, outcomes[index + ids.length] as never]
    assert.equal(assertStored(first).id, assertStored(second).id)
    const submission = await storedSubmission(db, first)
    assert.deepEqual(submission.answers, { email: `${_id}@example.com` })
    assert.equal(submission.locationPath, 'usa/texas/austin')
  }
  assert.deepEqual(
    [await countRows(db, 'form_submissions'), await countRows(db, 'webhook_deliveries')],
    [20, 20],
  )
  assert.equal((await desk.accept('quote', { _id: ids[0], email: '' })).kind, 'repeated')
  assert.equal((await desk.accept('quote', { email: '' })).kind, 'invalid')
  assert.equal((await desk.accept('unknown', {})).kind, 'not_found')
})

test('contract §5 on PostgreSQL deleting a webhook after it was read fails no post', async () => {
  const db = await engine.openMigrated()
  const form = await storeForm(db, 'quote')
  const webhook = await storeWebhook(db, form.id)
  const desk = aDesk(db, { now: () => new Date('2026-11-20T10:00:00.000Z') })
  await desk.accept('quote', {})
  await db.deleteFrom('form_webhooks').where('id', '=', webhook).execute()
  const kinds = await Promise.all(
    ['quote', 'waitlist', 'quote'].map(async (slug) => (await desk.accept(slug, {})).kind),
  )
  assert.deepEqual(kinds, ['accepted', 'invalid', 'accepted'])
  assert.equal(await countRows(db, 'form_submissions'), 3)
})

test('contract §2 on PostgreSQL limits, used challenges, and emails are rows too', async () => {
  const db = await engine.openMigrated()
  const now = () => new Date('2026-11-20T10:00:00.000Z')
  const secretKeys = fixedRing(new Uint8Array(32))
  const settings = { notification_email: 'leads@example.com', honeypot: 'website' }
  await storeForm(db, 'quote', { settings })
  const limits = () => createPostLimits({ db, limits: [{ count: 2, windowMs: 60_000 }], secretKeys, now })
  const sender = { address: '198.51.100.9' }
  const desk = aDesk(db, { now, sendsMail: true, limits: limits() })
  const spam = assertStored(await desk.accept('quote', { website: 'x' }, sender))
  await desk.accept('quote', {}, sender)
  const restarted = aDesk(db, { now, limits: limits() })
  const refused = { kind: 'too_many', retryAfterSeconds: 60 }
  assert.deepEqual(await restarted.accept('quote', {}, sender), refused)
  const expiresAt = new Date('2026-11-20T10:30:00.000Z')
  const challenges = [
    { challenge: 'a', expiresAt },
    { challenge: 'a', expiresAt },
  ]
  const [spend] = challengeInserts(db, challenges)
  assert.ok(spend)
  assert.deepEqual((await db.executeQuery(spend)).rows, [{ challenge: 'a' }])
  assert.deepEqual((await db.executeQuery(spend)).rows, [])
  await markNotSpam(db, spam.id, {
    scope: EVERY_LEAD,
    siteUrl: 'https://www.example.com',
    sendsMail: true,
    now: now(),
  })
  const claim = { now: now(), limit: 5, leaseMs: 1_000 }
  const claimed = await db.transaction().execute((trx) => claimDueMails(trx, claim))
  assert.deepEqual(claimed.map(({ submissionId }) => submissionId).sort(), [1, 2])
  const later = new Date('2027-11-20T10:00:00.000Z')
  assert.equal(await deleteRecentPosts(db, { before: later, limit: 10 }), 2)
  await db
    .updateTable('forms')
    .set({ settings_json: '{"retention_days":1}' })
    .where('slug', '=', 'quote')
    .execute()
  const [removed] = await applyRetention(db, { now: later, files: openDiskFiles('/nowhere') })
  assert.equal(removed?.count, 2)
})
