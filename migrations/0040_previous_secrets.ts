import { type Kysely, sql } from 'kysely'

interface Row {
  id: number
  sealed: string
  until: string
}

/** Each replaced secret signs for its own 24 hours: a list, however many times the secret is replaced meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table form_webhooks add column previous_secrets_json text`.execute(db)
  const { rows } = await sql<Row>`
    select id, previous_signing_secret as sealed, previous_secret_expires_at as until from form_webhooks
    where previous_signing_secret is not null and previous_secret_expires_at is not null`.execute(db)
  for (const { id, sealed, until } of rows) {
    const list = JSON.stringify([{ sealed, until }])
    await sql`update form_webhooks set previous_secrets_json = ${list} where id = ${id}`.execute(db)
  }
  for (const column of ['previous_signing_secret', 'previous_secret_expires_at'])
    await sql`alter table form_webhooks drop column ${sql.ref(column)}`.execute(db)
}
