import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { migrate } from '../../../src/db/migrate.ts'
import { pgliteEngine } from '../../support/database.ts'
import { aDesk, assertStored, countRows, storedSubmission, storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const engine = pgliteEngine()
after(() => engine.close())

test('contract §5 on PostgreSQL posts are stored once, with their deliveries, or refused', async () => {
  const db = await engine.openEmpty()
  await migrate(db)
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

test('contract §5 on PostgreSQL a webhook deleted since it was read costs no post', async () => {
  const db = await engine.openEmpty()
  await migrate(db)
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
