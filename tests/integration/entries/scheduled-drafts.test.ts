import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { findEntryDraft, saveDraft } from '#src/entries/history/entry-draft.ts'
import { restoreEntry } from '#src/entries/history/restore-entry.ts'
import { listScheduledDrafts, useDueDrafts } from '#src/entries/history/scheduled-draft.ts'
import { savePublishedAddresses } from '#src/publish/addresses/published-address-store.ts'
import { renameForm } from '#src/site/forms/rename-form.ts'
import { sqliteEngine, type TestEngine } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { editPlace } from '../../support/small-edits.ts'
import { NOW, openWorld, type World } from './entry-world.ts'

const ANN = { source: 'admin', email: 'ann@example.com' } as const
const OPENING = '2026-11-26T09:00:00.000Z'
const AT_OPENING = new Date('2026-11-26T09:00:02.000Z')

testScheduledDrafts(sqliteEngine())
testScheduledDrafts(postgresEngine())

function testScheduledDrafts(engine: TestEngine) {
  describe(`scheduled drafts on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld(engine)
    })
    after(() => engine.close())

    // A live page with a draft.
    const aDraft = async (slug: string, publishAt: string | null, livePublishAt: string | null = null) => {
      const id = await world.saved('pages', { slug, title: 'Live', publishAt: livePublishAt })
      const input = { ...emptyEntryInput({}), slug, title: 'Next', publishAt }
      const outcome = await saveDraft(
        world.db,
        { type: await world.type('pages'), id, input },
        { now: NOW, by: ANN },
      )
      assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
      return id
    }
    const isScheduled = async (id: number) =>
      (await listScheduledDrafts(world.db)).some(({ entry }) => entry.id === id)

    test('a scheduled draft replaces its page when it is due, once', async () => {
      const id = await aDraft('s-due', OPENING)
      const early = await useDueDrafts(world.db, { now: NOW })
      assert.deepEqual([early.used, early.next], [[], OPENING])
      assert.equal((await world.entry(id)).title, 'Live')
      assert.deepEqual((await useDueDrafts(world.db, { now: AT_OPENING })).used, [id])
      const { title, publishAt } = await world.entry(id)
      assert.deepEqual([title, publishAt], ['Next', AT_OPENING.toISOString()])
      assert.equal(await findEntryDraft(world.db, id), undefined)
      assert.deepEqual((await useDueDrafts(world.db, { now: AT_OPENING })).used, [])
    })

    test('scheduled drafts are listed in the order of their times', async () => {
      const times = ['2027-02-03', '2027-02-01', '2027-02-02'].map((day) => `${day}T09:00:00.000Z`)
      for (const [index, time] of times.entries()) await aDraft(`s-order-${index}`, time)
      const listed = (await listScheduledDrafts(world.db)).map(({ at }) => at)
      assert.deepEqual(
        listed.filter((at) => times.includes(at)),
        times.toSorted(),
      )
    })

    test('a draft without a date of its own is not scheduled', async () => {
      const past = '2026-11-01T09:00:00.000Z'
      assert.equal(await isScheduled(await aDraft('s-none', null)), false)
      assert.equal(await isScheduled(await aDraft('s-past', past, past)), false)
      assert.equal(await isScheduled(await aDraft('s-same', OPENING, OPENING)), false)
      assert.equal(await isScheduled(await aDraft('s-own', OPENING, past)), true)
    })

    test('a text that looks like a date in JSON schedules nothing', async () => {
      const id = await world.saved('pages', { slug: 's-text', title: 'Live' })
      const input = { ...emptyEntryInput({}), slug: 's-text', title: `"publishAt":"${OPENING}"` }
      await saveDraft(world.db, { type: await world.type('pages'), id, input }, { now: NOW, by: ANN })
      assert.equal(await isScheduled(id), false)
    })

    test('using a scheduled draft now keeps the page’s own date', async () => {
      const id = await aDraft('s-now', OPENING)
      const versionId = (await findEntryDraft(world.db, id))?.version.id ?? 0
      await restoreEntry(world.db, { type: await world.type('pages'), id, versionId }, { now: NOW })
      const { title, publishAt } = await world.entry(id)
      assert.deepEqual([title, publishAt], ['Next', null])
    })

    test('a scheduled draft goes live after what it names was renamed', async () => {
      const { db } = world
      const form = await storeForm(db, 's-form')
      await savePublishedAddresses(db, [{ path: '/forms/s-form', key: `form:${form.id}` }])
      const hvac = await world.saved('services', { slug: 's-hvac', title: 'HVAC' })
      const schedule = async (type: string, slug: string, fields: Record<string, unknown>) => {
        const id = await world.saved(type, { slug, title: 'Live', fields })
        const input = { ...emptyEntryInput(fields), slug, title: 'Next', publishAt: OPENING }
        const draft = { type: await world.type(type), id, input }
        assert.equal((await saveDraft(db, draft, { now: NOW, by: ANN })).kind, 'saved')
        return id
      }
      const ids = [
        await schedule('pages', 's-quote', { form: 's-form' }),
        await schedule('testimonials', 's-jo', { author: 'Jo', service: 's-hvac' }),
        await schedule('services', 's-paint', { offered_in: ['texas/**', 'except tulsa'] }),
      ]
      await renameForm(db, 's-form', 's-estimate', { now: NOW.toISOString(), by: ANN })
      await world.saved('services', { slug: 's-cooling', title: 'HVAC' }, hvac)
      await editPlace(db, world.place('tulsa'), { slug: 'tulsa-ok' })
      const { used } = await useDueDrafts(db, { now: AT_OPENING })
      assert.deepEqual(new Set(ids).difference(new Set(used)), new Set())
      const data = await Promise.all(ids.map(async (id) => (await world.entry(id)).data))
      assert.deepEqual(data, [
        { form: 's-estimate' },
        { author: 'Jo', service: 's-cooling' },
        { offered_in: ['texas/**', 'except tulsa-ok'] },
      ])
    })

    test('a draft whose address was taken meanwhile stays a draft, with the reason', async () => {
      const id = await aDraft('s-taken-2', OPENING)
      await world.saved('pages', { slug: 's-moved', title: 'Live' }, id)
      const input = { ...emptyEntryInput({}), slug: 's-taken-2', title: 'Next', publishAt: OPENING }
      await saveDraft(world.db, { type: await world.type('pages'), id, input }, { now: NOW, by: ANN })
      await world.saved('pages', { slug: 's-taken-2', title: 'Somebody else' })
      const { used, refused } = await useDueDrafts(world.db, { now: AT_OPENING })
      assert.equal(used.includes(id), false)
      assert.deepEqual(
        refused.map(({ entry, problems }) => [entry.id, problems.map(({ code }) => code)]),
        [[id, ['entry_slug_taken']]],
      )
      assert.ok(await findEntryDraft(world.db, id))
    })
  })
}
