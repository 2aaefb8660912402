import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { findRenamed, listUnknownSlugs } from '#src/conditions/renamed-store.ts'
import { listReusedSlugs } from '#src/conditions/reused-slugs-store.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { findForm } from '#src/forms/form-store.ts'
import { findPlaceOfPage } from '#src/site/pages/place-of-page.ts'
import { markNotSpam, markSpam } from '#src/submissions/inbox/mark-spam.ts'
import { deleteTerms, setTermSlug } from '#src/taxonomies/taxonomy-store.ts'
import { findWebhook } from '#src/webhooks/definition/webhook-store.ts'
import { judgeToday } from '#src/webhooks/replays/judge-today.ts'
import { openTestDatabase, sqliteEngine } from '../../support/database.ts'
import { aDesk, assertStored, storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const SITE_URL = 'https://www.example.com'
const within = (value: string) => ({ field: 'meta.location_slug', op: 'within', value })

async function aBusiness(db: Kysely<Schema>) {
  const ids = await addPlaces(db, 'clare/ennis', 'kerry/tralee')
  const idOf = (slug: string) => ids.get(slug) as number
  const repair = { slug: 'repair', id: await addEntry(db, 'services', { slug: 'repair', title: 'Repair' }) }
  for (const slug of ['ennis', 'tralee']) await offer(db, repair, { slug, id: idOf(slug) })
  const form = await storeForm(db, 'quote', {
    settings: {
      notifications: [
        { to: ['ennis@example.com'], when: within('ennis') },
        { to: ['hq@example.com'], fallback: true },
      ],
    },
  })
  const webhookId = await storeWebhook(db, form.id, { fireOn: within('ennis') })
  await storeWebhook(db, form.id, { fireOn: { 'meta.service_slug': 'repair' } })
  return { idOf, form, webhookId, serviceId: repair.id }
}

function openDesk(db: Kysely<Schema>) {
  const desk = aDesk(db, {
    siteUrl: SITE_URL,
    findPage: (path) => findPlaceOfPage(db, path),
    sendsMail: true,
  })
  /** Posts from the page of a place; returns who gets the lead. */
  return async (path: string) => {
    desk.invalidate()
    const { id } = assertStored(await desk.accept('quote', { _page: path, answer: 'Leak' }))
    return { id, ...(await readOutbox(db, id)) }
  }
}

async function readOutbox(db: Kysely<Schema>, id: number) {
  const mails = await db
    .selectFrom('notification_mails')
    .select('recipient')
    .where('submission_id', '=', id)
    .execute()
  const deliveries = await db
    .selectFrom('webhook_deliveries')
    .select('status')
    .where('submission_id', '=', id)
    .orderBy('webhook_id')
    .execute()
  return {
    mails: mails.map(({ recipient }) => recipient),
    deliveries: deliveries.map(({ status }) => status),
  }
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: webhook and email rules follow renamed places and services`, async () => {
    const db = await engine.openMigrated()
    const { idOf, webhookId, serviceId } = await aBusiness(db)
    const post = openDesk(db)
    const before = await post('/services/repair/ennis')
    assert.deepEqual(before.mails, ['ennis@example.com'])
    assert.deepEqual(before.deliveries, ['pending', 'pending'])

    await setTermSlug(db, idOf('ennis'), 'ennis-town')
    await db.updateTable('content_entries').set({ slug: 'repairs' }).where('id', '=', serviceId).execute()
    await db
      .updateTable('content_entries')
      .set({ slug: 'repairs/ennis-town' })
      .where('slug', '=', 'repair/ennis')
      .execute()
    const after = await post('/services/repairs/ennis-town')
    assert.deepEqual([after.mails, after.deliveries], [['ennis@example.com'], ['pending', 'pending']])

    // A lead of before the rename and a rule of after it.
    const rule = JSON.stringify(within('ennis-town'))
    await db.updateTable('form_webhooks').set({ fire_on_json: rule }).where('id', '=', webhookId).execute()
    const webhook = await findWebhook(db, webhookId)
    assert.ok(webhook)
    for (const { id } of [before, after])
      assert.equal((await judgeToday(db, webhook, id, { siteUrl: SITE_URL }))?.fires, true)

    // Another place with the slug has the rules from then on.
    await setTermSlug(db, idOf('tralee'), 'ennis')
    const { mails } = await post('/services/repairs/ennis-town')
    assert.deepEqual(mails, ['hq@example.com'])
  })

  test(`${engine.name}: rules about missing places or services are found`, async () => {
    const db = await engine.openMigrated()
    const { idOf } = await aBusiness(db)
    const conditions = [within('ennis'), { 'meta.service_slug': ['repair', 'nothing'] }, { role: 'nowhere' }]
    assert.deepEqual(await listUnknownSlugs(db, conditions), { places: [], services: ['nothing'] })
    await setTermSlug(db, idOf('ennis'), 'ennis-town')
    assert.deepEqual((await listUnknownSlugs(db, conditions)).places, [])
    await deleteTerms(db, [idOf('ennis')])
    assert.deepEqual((await listUnknownSlugs(db, conditions)).places, ['ennis'])
    // Content files of a new site name former slugs.
    const former = { former_slugs_json: '["ennis"]' }
    await db.updateTable('taxonomy_terms').set(former).where('id', '=', idOf('tralee')).execute()
    assert.deepEqual((await listUnknownSlugs(db, conditions)).places, [])
  })
}

test('a lead that was spam goes to the recipients of its renamed place', async (t) => {
  const engine = sqliteEngine()
  t.after(() => engine.close())
  const db = await engine.openMigrated()
  const { idOf } = await aBusiness(db)
  const { id } = await openDesk(db)('/services/repair/ennis')
  const options = { siteUrl: SITE_URL, sendsMail: true, now: new Date(), scope: EVERY_LEAD }
  await markSpam(db, id, options)
  await db.deleteFrom('notification_mails').execute()
  await setTermSlug(db, idOf('ennis'), 'ennis-town')
  const settings = (await findForm(db, 'quote'))?.settings
  const [first, ...rest] = settings?.notifications ?? []
  const changed = { ...settings, notifications: [{ ...first, when: within('ennis-town') }, ...rest] }
  await db
    .updateTable('forms')
    .set({ settings_json: JSON.stringify(changed) })
    .where('slug', '=', 'quote')
    .execute()
  await markNotSpam(db, id, options)
  assert.deepEqual((await readOutbox(db, id)).mails, ['ennis@example.com'])
})

test('a place’s current slug is never mistaken for another place’s former one', async (t) => {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, 'clare/ennis', 'kerry/tralee', 'kerry/dingle')
  const idOf = (slug: string) => ids.get(slug) as number
  await setTermSlug(db, idOf('dingle'), 'daingean')
  // As content files name them: two that others have or had, and one of its own.
  await db
    .updateTable('taxonomy_terms')
    .set({ former_slugs_json: JSON.stringify(['ennis', 'dingle', 'old']) })
    .where('id', '=', idOf('tralee'))
    .execute()
  const rules = ['ennis', 'dingle', 'old', 'nowhere'].map(within)
  assert.deepEqual(
    (await findRenamed(db, rules)).places,
    new Map([
      ['dingle', 'daingean'],
      ['old', 'tralee'],
    ]),
  )
  assert.deepEqual(await listUnknownSlugs(db, rules), { places: ['nowhere'], services: [] })
  const lead = { location_slug: 'old', location_path: 'kerry/old' }
  assert.deepEqual((await findRenamed(db, [within('kerry')], [lead])).places, new Map([['old', 'tralee']]))
  // Without a rule nothing is looked up for a lead.
  assert.deepEqual((await findRenamed(db, [null], [lead])).places, new Map())
})

test('a slug that passed to another place is listed with both places', async (t) => {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, 'clare/ennis', 'kerry/tralee')
  const idOf = (slug: string) => ids.get(slug) as number
  const rules = [within('ennis'), null]
  assert.deepEqual(await listReusedSlugs(db, rules), [])
  await setTermSlug(db, idOf('ennis'), 'ennis-town')
  assert.deepEqual(await listReusedSlugs(db, rules), [])
  await setTermSlug(db, idOf('tralee'), 'ennis')
  assert.deepEqual(await listReusedSlugs(db, rules), [{ slug: 'ennis', now: 'Tralee', before: 'Ennis' }])
  assert.deepEqual(await listReusedSlugs(db, [within('clare')]), [])
})
