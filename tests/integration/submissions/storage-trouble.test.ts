import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { aDesk, countRows, storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { printFigure } from '../../support/soak.ts'

test('contract §5 full storage is unavailable until there is space', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote', { fields: [{ name: 'answer', label: 'Answer', type: 'textarea' }] })
  const desk = aDesk(db)
  const before = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  await sql`pragma max_page_count = ${sql.lit(before.rows[0]?.page_count)}`.execute(db)
  const large = { answer: 'x'.repeat(50_000) }
  const outcomes = await Promise.all([desk.accept('quote', large), desk.accept('quote', large)])
  assert.deepEqual(outcomes, [{ kind: 'unavailable' }, { kind: 'unavailable' }])
  assert.equal(await countRows(db, 'form_submissions'), 0)
  await sql`pragma max_page_count = 1000000`.execute(db)
  assert.equal((await desk.accept('quote', large)).kind, 'accepted')
})

test('contract §5 storage that another process keeps locked is unavailable after five seconds', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  const db = connectSqlite(path)
  const other = connectSqlite(path)
  t.after(() => Promise.all([db.destroy(), other.destroy()]))
  await migrate(db)
  await storeForm(db, 'quote')
  await sql`begin immediate`.execute(other)
  const start = performance.now()
  const outcomes = await Promise.all([1, 2, 3].map(() => aDesk(db).accept('quote', {})))
  assert.deepEqual(outcomes, [{ kind: 'unavailable' }, { kind: 'unavailable' }, { kind: 'unavailable' }])
  const waitedMs = performance.now() - start
  assertWithin(waitedMs, 8_000)
  printFigure(t, `3 posts at once answered after ${(waitedMs / 1_000).toFixed(1)} s`)
  await sql`rollback`.execute(other)
  assert.equal((await aDesk(db).accept('quote', {})).kind, 'accepted')
})

test('a submission and its deliveries are one transaction: without deliveries nothing is stored', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote')
  await storeForm(db, 'contact')
  await storeWebhook(db, form.id)
  await sql`create trigger refuse_deliveries before insert on webhook_deliveries
    begin select raise(abort, 'no deliveries today'); end`.execute(db)
  let accepted = 0
  const desk = aDesk(db, { onAccepted: () => (accepted += 1) })
  const posts = ['quote', 'contact', 'quote'].map((slug) => desk.accept(slug, {}))
  const settled = await Promise.allSettled(posts)
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected'],
  )
  assert.deepEqual([await countRows(db, 'form_submissions'), accepted], [1, 1])
  printFigure(t, '0 of 2 submissions stored without their deliveries, the third beside them stored')
})
