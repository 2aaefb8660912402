import assert from 'node:assert/strict'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { exportPerson } from '#src/privacy/export-person.ts'
import { countFound, findPerson, isNothing } from '#src/privacy/find-person.ts'
import { sqliteEngine, temporaryFolder } from '#tests/support/database.ts'
import { addEntry } from '#tests/support/small-site.ts'
import { zipEntries } from '#tests/support/zip-entries.ts'
import { NOW, PERSON, storeLead, storeWorld, toPerson } from './stored-person.ts'

const engine = sqliteEngine()
after(() => engine.close())

const { email } = PERSON

async function storeWebhook(db: Kysely<Schema>, name: string, url: string): Promise<number> {
  const { id } = await db
    .insertInto('form_webhooks')
    .values({ form_id: 1, name, url })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('whoever received a person’s leads is counted once per webhook and mailbox', async (t) => {
  const db = await engine.openMigrated()
  const { first, second, other } = await storeWorld(db, temporaryFolder(t))
  const crm = await storeWebhook(db, 'CRM', 'https://crm.example.com/leads')
  const broken = await storeWebhook(db, 'Office', 'not a URL')
  for (const [lead, webhook] of [
    [first, crm],
    [second, crm],
    [other, crm],
  ] as const)
    await db
      .updateTable('webhook_deliveries')
      .set({ webhook_id: webhook, status: 'delivered' })
      .where('id', '=', lead.deliveryId)
      .execute()
  await db
    .insertInto('webhook_deliveries')
    .values({ submission_id: first.id, form_id: 1, webhook_id: broken, status: 'delivered' })
    .execute()
  await db
    .updateTable('notification_mails')
    .set({ status: 'sent' })
    .where('submission_id', 'in', [first.id, second.id])
    .execute()
  const found = await findPerson(db, toPerson({ email, phone: PERSON.phone }))
  assert.deepEqual(
    found.receivers.toSorted((a, b) => a.name.localeCompare(b.name)),
    [
      { name: 'CRM', host: 'crm.example.com', count: 2 },
      { name: 'Office', host: '', count: 1 },
    ],
  )
  const office = found.mailboxes.find(({ address }) => address === 'office@example.com')
  assert.equal(office?.count, 2)
  assert.equal(found.since, NOW.toISOString())
})

test('receivers and mailboxes of more than 500 leads are added up', async (t) => {
  const db = await engine.openMigrated()
  const count = 501
  const { id: stored } = await storeLead(db, {
    answers: { email },
    text: email,
    uploadsDir: temporaryFolder(t),
  })
  const crm = await storeWebhook(db, 'CRM', 'https://crm.example.com/leads')
  const lead = { form_id: 1, data_json: JSON.stringify({ email }) }
  const ids = await db.transaction().execute((trx) =>
    trx
      .insertInto('form_submissions')
      .values(Array.from({ length: count - 1 }, () => lead))
      .returning('id')
      .execute(),
  )
  const leads = [stored, ...ids.map(({ id }) => id)]
  const ofLead = (id: number) => ({
    submission_id: id,
    form_id: 1,
    webhook_id: crm,
    status: 'delivered' as const,
  })
  await db.insertInto('webhook_deliveries').values(leads.map(ofLead)).execute()
  const mail = (id: number) => ({
    submission_id: id,
    form_id: 1,
    recipient: 'sales@example.com',
    created_at: NOW.toISOString(),
    status: 'sent' as const,
  })
  await db.insertInto('notification_mails').values(leads.map(mail)).execute()
  const found = await findPerson(db, toPerson({ email }))
  assert.deepEqual(found.receivers, [{ name: 'CRM', host: 'crm.example.com', count }])
  assert.ok(found.mailboxes.some((one) => one.address === 'sales@example.com' && one.count === count))
})

test('someone whose address has the same word is not the person', async (t) => {
  const db = await engine.openMigrated()
  const text = 'aoife.kelly@elsewhere.example'
  await storeLead(db, { answers: { email: text }, text, uploadsDir: temporaryFolder(t) })
  const found = await findPerson(db, toPerson({ email }))
  assert.deepEqual([found.leads, found.mentions, [...found.elsewhere]], [[], [], []])
  assert.ok(isNothing(found))
})

test('a lead’s answers belong to the person whatever their type, except a checkbox', async (t) => {
  const db = await engine.openMigrated()
  const uploadsDir = temporaryFolder(t)
  const store = async (answers: Record<string, unknown>) =>
    (await storeLead(db, { answers, text: 'x', uploadsDir })).id
  const leads = [
    await store({ budget: 871234567 }),
    await store({ phones: ['087 123 4567', 'none'] }),
    await store({ photo: { name: '0871234567.jpg', size: 7, type: 'image/jpeg', upload_id: 3 } }),
  ]
  assert.deepEqual((await findPerson(db, toPerson({ phone: '087 123 4567' }))).leads, leads)
  const ticked = await store({ call_back: true })
  const found = await findPerson(db, toPerson({ text: 'true' }))
  assert.deepEqual([found.leads, found.mentions], [[], [ticked]])
})

test('rows of the person’s leads are not counted elsewhere, and content is', async (t) => {
  const db = await engine.openMigrated()
  const lead = await storeLead(db, { answers: { email }, text: email, uploadsDir: temporaryFolder(t) })
  for (const slug of ['about', 'team'])
    await addEntry(db, 'pages', { slug, title: 'About us', body: `Write to ${email}.` })
  const found = await findPerson(db, toPerson({ email }))
  assert.deepEqual(
    [found.leads, [...found.elsewhere], [...found.content]],
    [[lead.id], [], [['content_entries', 2]]],
  )
  assert.deepEqual(Object.fromEntries(countFound(found)), {
    ...{ leads: 1, uploads: 1, submission_notes: 1, notification_mails: 1, reply_mails: 1 },
    ...{ webhook_deliveries: 1, mentions: 0, elsewhere: 0, content: 2 },
  })
})

test('the export lists every lead and mention in valid JSON', async (t) => {
  const db = await engine.openMigrated()
  const dataDir = temporaryFolder(t)
  const { first, second, mention } = await storeWorld(db, join(dataDir, 'uploads'))
  const person = toPerson({ email, phone: PERSON.phone })
  const options = { found: await findPerson(db, person), files: openDiskFiles(dataDir), now: NOW }
  const entries = zipEntries(await buffer(await exportPerson(db, person, options)))
  const exported = JSON.parse(String(entries.get('person.json')))
  assert.deepEqual(exported.searched, { email, phone: PERSON.phone, text: null })
  assert.deepEqual(
    exported.leads.map(({ id }: { id: number }) => id),
    [first.id, second.id],
  )
  const tables = exported.mentions.map((one: { in: string }) => one.in)
  assert.deepEqual(new Set(tables).size, tables.length, 'one row of each table is about the other lead')
  assert.ok(
    exported.mentions.some(
      (one: { in: string; id: number }) => one.in === 'submission_notes' && one.id === mention.noteId,
    ),
  )
})
