import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Bodies in a table of their own: the row of a delivery is written again with each claim and attempt, a body never. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table delivery_bodies (
    delivery_id ${referenceType(engine)} primary key references webhook_deliveries (id) on delete cascade,
    body text not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`insert into delivery_bodies (delivery_id, body)
    select id, request_body from webhook_deliveries where request_body is not null`.execute(db)
  await sql`alter table webhook_deliveries drop column request_body`.execute(db)
}
