import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { EVERY_LEAD, type LeadScope } from '#src/db/lead-scope/lead-scope.ts'
import type { Db } from '#src/db/schema.ts'
import {
  countActivity,
  countInScope,
  countTheRest,
  mergeCounts,
} from '#src/server/dashboard/count-activity.ts'
import { listDailyCounts } from '#src/server/dashboard/daily-count-store.ts'
import { daysUntil } from '#src/server/dashboard/daily-series.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { addUpLeads } from '#src/submissions/results/add-up-leads.ts'
import { loadReport } from '#src/submissions/results/load-report.ts'
import { deleteSubmissions } from '#src/submissions/retention/retention-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { aDesk, assertStored } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

const MARCH = daysUntil('2026-03-31', 31)
const NOW = '2026-11-30T10:00:00.000Z'

const settle = (db: Db, time_zone: string) =>
  saveSiteSettings(db, siteSettings.parse({ name: 'Austin AC', time_zone }), { now: NOW })

async function leadsByDay(db: Db): Promise<Record<string, number>> {
  const { overTime } = await loadReport(db, { period: '2026-03', scope: EVERY_LEAD })
  return Object.fromEntries(
    overTime.filter(({ leads }) => leads !== 0).map(({ subject, leads }) => [subject.slice(-2), leads]),
  )
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())
  test(`${engine.name}: leads count on their local day, whatever the site’s time zone becomes`, async () => {
    const db = await engine.openMigrated()
    await settle(db, 'America/Chicago')
    const form = await storeForm(db, 'quote')
    let at = ''
    const desk = aDesk(db, { now: () => new Date(at) })
    const ids: number[] = []
    // Clocks went forward on March 8.
    for (at of [
      '2026-03-07T05:59:59.000Z',
      '2026-03-08T05:59:59.000Z',
      '2026-03-09T04:59:59.000Z',
      '2026-03-09T05:00:00.000Z',
    ])
      ids.push(assertStored(await desk.accept('quote', {})).id)
    assert.deepEqual(await leadsByDay(db), { '06': 1, '07': 1, '08': 1, '09': 1 })
    await countActivity(db, { now: new Date(NOW) })
    await settle(db, 'UTC')
    const mark = (id: number | undefined, status: 'spam' | 'new') =>
      db
        .updateTable('form_submissions')
        .set({ status })
        .where('id', '=', id ?? 0)
        .execute()
    await mark(ids[0], 'spam')
    await mark(ids[1], 'spam')
    await mark(ids[1], 'new')
    assert.deepEqual(await leadsByDay(db), { '07': 1, '08': 1, '09': 1 })
    const counted = (await listDailyCounts(db, { fromDay: '2026-03-01' })).filter(({ count }) => count !== 0)
    assert.deepEqual(counted.map(({ day, series }) => `${day} ${series}`).sort(), [
      '2026-03-06 spam',
      ...['07', '08', '09'].map((day) => `2026-03-${day} submissions`),
    ])
    const scope = { places: null, forms: [form.id] }
    const inScope = await countInScope(db, {
      days: daysUntil('2026-03-30', 23),
      since: '2026-03-08T06:00:00.000Z',
      scope,
    })
    assert.deepEqual(inScope.map(({ day }) => day).sort(), ['2026-03-08', '2026-03-09'])
  })

  test(`${engine.name}: attempts count on the site’s local day, and older leads on their UTC day`, async () => {
    const db = await engine.openMigrated()
    await settle(db, 'Asia/Kathmandu')
    const { id: submission_id } = await db
      .insertInto('form_submissions')
      .values({ form_id: 1, submitted_at: '2026-03-07T23:59:59.000Z' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: delivery_id } = await db
      .insertInto('webhook_deliveries')
      .values({ submission_id, form_id: 1, webhook_id: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const attempt = { delivery_id, request_url: 'https://example.com/', duration_ms: 40 }
    const starts = ['2026-03-07T18:14:59.000Z', '2026-03-07T18:15:00.000Z', '2026-03-07T23:00:00.000Z']
    for (const [index, started_at] of starts.entries())
      await db
        .insertInto('delivery_attempts')
        .values({ ...attempt, attempt_number: index + 1, started_at })
        .execute()
    const expected = ['2026-03-07 attempts: 1', '2026-03-07 submissions: 1', '2026-03-08 attempts: 2']
    const shown = async () =>
      mergeCounts([
        ...(await listDailyCounts(db, { fromDay: '2026-03-01' })),
        ...(await countTheRest(db, 'Asia/Kathmandu')),
      ])
        .filter(({ series }) => series !== 'duration')
        .map(({ day, series, count }) => `${day} ${series}: ${count}`)
        .sort()
    assert.deepEqual(await shown(), expected)
    await countActivity(db, { now: new Date(NOW) })
    assert.deepEqual(await shown(), expected)
    assert.deepEqual(await leadsByDay(db), { '07': 1 })
  })

  test(`${engine.name}: leads of some places stay counted after they are deleted`, async () => {
    const db = await engine.openMigrated()
    const noon = '2026-03-08T12:00:00.000Z'
    const lead = { form_id: 1, status: 'new' as const, submitted_at: noon, location_id: 7 }
    const leads = [
      ...[lead, lead, { ...lead, submitted_at: '2026-03-09T12:00:00.000Z' }],
      ...[
        { ...lead, location_id: 8 },
        { ...lead, status: 'spam' as const },
      ],
    ]
    await db.insertInto('form_submissions').values(leads).execute()
    await addUpLeads(db)
    const counted = async (scope: LeadScope) => {
      const counts = await countInScope(db, { days: MARCH, since: '2026-03-01', scope })
      return counts.map(({ day, subject, count }) => `${day} ${subject}: ${count}`).sort()
    }
    const scope = { places: [7, 9], forms: null }
    assert.deepEqual(await counted(scope), ['2026-03-08 1: 2', '2026-03-09 1: 1'])
    await deleteSubmissions(db, [1, 3])
    await db.insertInto('form_submissions').values(lead).execute()
    const deleted = ['2026-03-08 deleted: 1', '2026-03-09 deleted: 1']
    assert.deepEqual(await counted(scope), ['2026-03-08 1: 2', ...deleted])
    assert.deepEqual(await counted({ ...scope, forms: [1] }), ['2026-03-08 1: 2'])
    const { total } = await loadReport(db, { period: '2026-03', scope })
    assert.equal(total.leads, 4, 'as many as in the report')
  })

  test(`${engine.name}: a lead counted on a day of another time zone doesn’t seem to be deleted`, async () => {
    const db = await engine.openMigrated()
    const lead = { form_id: 1, status: 'new' as const, location_id: 7 }
    const before = { ...lead, submitted_at: '2026-03-01T02:00:00.000Z', local_day: null }
    const elsewhere = { ...lead, submitted_at: '2026-03-31T16:00:00.000Z', local_day: '2026-04-01' }
    await db.insertInto('form_submissions').values([before, elsewhere]).execute()
    await addUpLeads(db)
    const scope = { places: [7], forms: null }
    const counts = await countInScope(db, { days: MARCH, since: '2026-03-01T06:00:00.000Z', scope })
    assert.deepEqual(counts, [{ day: '2026-03-01', series: 'submissions', subject: '1', count: 1 }])
  })
}
