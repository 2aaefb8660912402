import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listInbox } from '#src/submissions/inbox/list-inbox.ts'
import { deleteNote, listNotes } from '#src/submissions/inbox/note-store.ts'
import { countSubmissionsInScope } from '#src/submissions/inbox/submission-count-store.ts'
import { countUnread, countUnreadAndSpam, listInboxForms } from '#src/submissions/inbox/unread-store.ts'
import { addUpLeads } from '#src/submissions/results/add-up-leads.ts'
import { findLeadScope } from '#src/submissions/scope/scope-store.ts'
import { listSources } from '#src/submissions/sources/source-store.ts'
import { cancelDeliveries } from '#src/webhooks/deliveries/cancel-deliveries.ts'
import { listDeliveries } from '#src/webhooks/deliveries/delivery-log-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { addPlaces } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())
  test(`${engine.name}: queries are limited to a place and its descendants`, async () => {
    const db = await engine.openMigrated()
    const ids = await addPlaces(db, 'texas/austin', 'texas/dallas', 'ohio')
    const idOf = new Map<string, number>()
    for (const [name, slug] of [
      ['first', 'austin'],
      ['second', 'austin'],
      ['dallas', 'dallas'],
      ['ohio', 'ohio'],
      ['null', ''],
    ] as const) {
      const lead = {
        form_id: 1,
        status: 'new' as const,
        submitted_at: NOW.toISOString(),
        location_id: ids.get(slug) ?? null,
      }
      const { id } = await db
        .insertInto('form_submissions')
        .values({
          ...lead,
          email: 'a@example.com',
          data_json: '{"email":"a@example.com"}',
          source: `from-${name}`,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      idOf.set(name, id)
      await db
        .insertInto('submission_notes')
        .values({ submission_id: id, user_email: 'a', body: 'b' })
        .execute()
      await db
        .insertInto('webhook_deliveries')
        .values({ form_id: 1, submission_id: id, status: 'pending', created_at: NOW.toISOString() })
        .execute()
    }
    const scope = await findLeadScope(db, { places: [ids.get('austin') as number], forms: [1] })
    assert.deepEqual(scope.places, [ids.get('austin')])
    const own = ['first', 'second'].map((slug) => idOf.get(slug) as number)
    const { submissions } = await listInbox(db, { scope, statuses: ['new', 'read'] })
    assert.deepEqual(submissions.map(({ id }) => id).toSorted(), own)
    assert.equal(await countUnread(db, { scope, most: 10 }), 2)
    assert.deepEqual(await countUnreadAndSpam(db, { scope, most: 10 }), { unread: 2, spam: 0 })
    assert.equal((await listInboxForms(db, { scope, most: 10 }))[0]?.unread, 2)
    assert.equal((await countSubmissionsInScope(db, { scope, since: '2026-11-01' }))[0]?.count, 2)
    assert.deepEqual(await listSources(db, scope), ['from-first', 'from-second'])
    // From pending changes, then from the sums.
    assert.deepEqual(await listSources(db, { ...scope, forms: null }), ['from-first', 'from-second'])
    await addUpLeads(db)
    assert.deepEqual(await listSources(db, { ...scope, forms: null }), ['from-first', 'from-second'])
    assert.deepEqual(await listSources(db, { places: [], forms: null }), [])
    assert.deepEqual(await listSources(db, { places: null, forms: [] }), [])
    const { deliveries } = await listDeliveries(db, { scope, limit: 10 })
    assert.deepEqual(deliveries.map(({ submissionId }) => submissionId).toSorted(), own)
    const ohio = idOf.get('ohio') as number
    assert.deepEqual(await listNotes(db, ohio, scope), [])
    assert.equal(await deleteNote(db, 4, { submissionId: ohio, scope }), false)
    assert.equal(await cancelDeliveries(db, { submissionId: ohio, scope }, { now: NOW }), 0)
    const nothing = await findLeadScope(db, { places: [], forms: [] })
    assert.deepEqual((await listInbox(db, { scope: nothing, statuses: ['new'] })).submissions, [])
    assert.equal(await cancelDeliveries(db, { scope: nothing }, { now: NOW }), 0)
    const texas = await findLeadScope(db, { places: [ids.get('texas') as number], forms: null })
    assert.deepEqual(
      texas.places,
      ['texas', 'austin', 'dallas'].map((slug) => ids.get(slug)),
    )
  })
}
