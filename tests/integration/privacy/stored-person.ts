import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { appendAuditEntry } from '#src/auth/audit/audit-chain.ts'
import type { Db } from '#src/db/schema.ts'
import { type Asked, type Person, readPerson } from '#src/privacy/person.ts'
import { LEADS, PERSONAL_TABLES } from '#src/privacy/personal-columns.ts'

export const NOW = new Date('2026-11-20T10:00:00.000Z')
const AT = NOW.toISOString()

/** What identifies a person in the tests: no other row has any of it. */
export const PERSON = { email: 'aoife.kelly@mail.example', phone: '087 765 4321', name: 'Qwyzel Kelly' }

export const ERASER = { userId: null, userEmail: 'ann@example.com', address: '127.0.0.1' }

export function toPerson(asked: Asked): Person {
  const person = readPerson(asked, 'IE')
  if (typeof person === 'string') throw new Error(person)
  return person
}

interface StoredLead {
  id: number
  noteId: number
  deliveryId: number
}

/** A lead with everything that can belong to one; `texts` are in all of it. */
export async function storeLead(
  db: Db,
  {
    answers,
    text,
    uploadsDir,
    bytes = text,
  }: { answers: Record<string, unknown>; text: string; uploadsDir: string; bytes?: string },
): Promise<StoredLead> {
  const idOf = async (row: Promise<{ id: number }>) => (await row).id
  const id = await idOf(
    db
      .insertInto('form_submissions')
      .values({
        ...{ form_id: 1, submitted_at: AT, data_json: JSON.stringify(answers) },
        source_json: JSON.stringify({ first: { landing_page: `/?q=${encodeURIComponent(text)}` } }),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const noteId = await idOf(
    db
      .insertInto('submission_notes')
      .values({ submission_id: id, user_email: 'ann@example.com', body: `Called ${text}` })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const mail = { submission_id: id, form_id: 1, created_at: AT, last_error: `550 ${text}` }
  const mailId = await idOf(
    db
      .insertInto('notification_mails')
      .values({ ...mail, recipient: 'office@example.com', status: 'failed' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await db
    .insertInto('mail_attempts')
    .values({ mail_id: mailId, attempt_number: 1, started_at: AT, duration_ms: 1, response: `250 ${text}` })
    .execute()
  await db
    .insertInto('reply_mails')
    .values({ ...mail, recipient: text, limit_key: text, status: 'sent' })
    .execute()
  const folder = id.toString(16).padStart(32, '0')
  const upload = { field_name: 'photo', name: `${text}.jpg`, size: 7, type: 'image/jpeg', folder, file: '1' }
  await db
    .insertInto('uploads')
    .values({ ...upload, submission_id: id, created_at: AT })
    .execute()
  mkdirSync(join(uploadsDir, folder), { recursive: true })
  writeFileSync(join(uploadsDir, folder, '1'), bytes)
  return { id, noteId, deliveryId: await storeDelivery(db, id, text) }
}

async function storeDelivery(db: Db, submissionId: number, text: string): Promise<number> {
  const { id } = await db
    .insertInto('webhook_deliveries')
    .values({
      submission_id: submissionId,
      form_id: 1,
      status: 'failed',
      trace_json: JSON.stringify({ text }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('delivery_bodies')
    .values({ delivery_id: id, body: JSON.stringify({ text, other: 'kept' }) })
    .execute()
  await db
    .insertInto('delivery_attempts')
    .values({
      ...{ delivery_id: id, attempt_number: 1, started_at: AT, duration_ms: 1 },
      ...{ request_url: 'https://hooks.example.com/', response_body: `{"saw":"${text}"}` },
    })
    .execute()
  return id
}

/** Two leads of the person, one that mentions them in everything, one of another person, and an entry of the log. */
export async function storeWorld(db: Db, uploadsDir: string) {
  const { email, phone, name } = PERSON
  const store = (answers: Record<string, unknown>, text: string, bytes = text) =>
    storeLead(db, { answers, text, bytes, uploadsDir })
  const first = await store({ full_name: name, email: email.toUpperCase(), phone: '' }, email)
  const second = await store({ full_name: 'A. K.', email: null, phone: '+353 (0)87 765-4321' }, phone)
  const story = `My neighbor wrote to you some weeks ago from ${email} and was very happy with the new boiler.`
  const mention = await store(
    { full_name: 'Bob Byrne', email: 'bob@mail.example', message: story },
    email,
    'of Bob',
  )
  const other = await store({ full_name: 'Bob Byrne', email: 'bob@mail.example' }, 'bob@mail.example')
  for (const summary of ['Renamed a form', `Changed the recipient to ${email}`, 'Renamed it back'])
    await appendAuditEntry(db, { ...ERASER, action: 'form.changed', summary }, { now: NOW })
  return { first, second, mention, other }
}

/** Writes a text into every column that is searched, in all rows. */
export async function fillEveryText(db: Db, text: string): Promise<void> {
  // Entries of the log are a chain, which stays whole.
  const tables = [LEADS, ...PERSONAL_TABLES].filter(({ table }) => table !== 'audit_log')
  for (const { table, columns } of tables)
    for (const column of columns) {
      const value = column.endsWith('_json') ? JSON.stringify({ [text]: [text] }) : text
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}`.execute(db)
    }
}
