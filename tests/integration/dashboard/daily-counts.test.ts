import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { countActivity, countTheRest, mergeCounts } from '#src/server/dashboard/count-activity.ts'
import { type DailyCount, listDailyCounts } from '#src/server/dashboard/daily-count-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')

for (const engine of [sqliteEngine(), postgresEngine()]) {
  describe(`daily counts on ${engine.name}`, () => {
    let db: Kysely<Schema>
    beforeEach(async () => {
      db = await engine.openMigrated()
    })
    after(() => engine.close())

    const submit = (submitted_at: string, status: 'new' | 'spam' = 'new') =>
      db
        .insertInto('form_submissions')
        .values({ form_id: 1, submitted_at, status })
        .returning('id')
        .executeTakeFirstOrThrow()

    const attempt = async (deliveryId: number, started_at: string, duration_ms: number, failed = false) => {
      const failure_kind = failed ? 'timeout' : null
      const rest = { delivery_id: deliveryId, attempt_number: 1, request_url: 'https://example.com/' }
      await db
        .insertInto('delivery_attempts')
        .values({ ...rest, started_at, duration_ms, failure_kind })
        .execute()
    }

    const shown = async () => {
      const counted = await listDailyCounts(db, { fromDay: '2026-11-01' })
      return sorted(mergeCounts([...counted, ...(await countTheRest(db, 'UTC'))]))
    }

    test('submissions of a day are counted by form and outcome, with or without earlier counts', async () => {
      const { id: submission_id } = await submit('2026-11-19T23:59:59.000Z')
      await submit('2026-11-20T00:00:00.000Z')
      await submit('2026-11-20T01:00:00.000Z', 'spam')
      const delivery = { submission_id, form_id: 1, webhook_id: null }
      const { id } = await db
        .insertInto('webhook_deliveries')
        .values(delivery)
        .returning('id')
        .executeTakeFirstOrThrow()
      await attempt(id, '2026-11-20T00:00:00.000Z', 40, true)
      await attempt(id, '2026-11-20T00:00:05.000Z', 100)
      await attempt(id, '2026-11-20T00:00:09.000Z', 60_000)
      const expected = [
        '2026-11-19 submissions 1: 1',
        '2026-11-20 attempts delivered: 2',
        '2026-11-20 attempts failed: 1',
        '2026-11-20 duration 100: 1',
        '2026-11-20 duration 15000: 1',
        '2026-11-20 duration 50: 1',
        '2026-11-20 spam 1: 1',
        '2026-11-20 submissions 1: 1',
      ]
      assert.deepEqual(await shown(), expected)
      await countActivity(db, { now: NOW })
      assert.deepEqual(await countTheRest(db, 'UTC'), [], 'all of it is counted')
      assert.deepEqual(await shown(), expected)
    })

    test('counting again adds only new submissions, and deleted ones stay counted', async () => {
      await submit('2026-11-20T01:00:00.000Z')
      await countActivity(db, { now: NOW })
      await submit('2026-11-20T02:00:00.000Z')
      await Promise.all([countActivity(db, { now: NOW }), countActivity(db, { now: NOW })])
      await db.deleteFrom('form_submissions').execute()
      assert.deepEqual(await shown(), ['2026-11-20 submissions 1: 2'])
    })

    test('a lead marked as spam, or as not spam, moves to that series, counted or not', async () => {
      const lead = await submit('2026-11-19T01:00:00.000Z')
      await submit('2026-11-19T02:00:00.000Z')
      const spam = await submit('2026-11-20T01:00:00.000Z', 'spam')
      const late = await submit('2026-11-20T09:59:30.000Z')
      await countActivity(db, { now: NOW })
      for (const [{ id }, status] of [
        [lead, 'spam'] as const,
        [spam, 'new'] as const,
        [late, 'spam'] as const,
      ])
        await db.updateTable('form_submissions').set({ status }).where('id', '=', id).execute()
      assert.deepEqual(await shown(), [
        '2026-11-19 spam 1: 1',
        '2026-11-19 submissions 1: 1',
        '2026-11-20 spam 1: 1',
        '2026-11-20 submissions 1: 1',
      ])
    })

    test('submissions of the last minute are shown but not finalized', async () => {
      await submit('2026-11-20T09:58:00.000Z')
      await submit('2026-11-20T09:59:30.000Z')
      await countActivity(db, { now: NOW })
      assert.deepEqual(sorted(await countTheRest(db, 'UTC')), ['2026-11-20 submissions 1: 1'])
      assert.deepEqual(await shown(), ['2026-11-20 submissions 1: 2'])
    })
  })
}

function sorted(counts: readonly DailyCount[]): string[] {
  return counts.map(({ day, series, subject, count }) => `${day} ${series} ${subject}: ${count}`).sort()
}
