import { type Kysely, sql } from 'kysely'

/** What a place is, such as a county; null where its depth in the tree says it (§2.6). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table taxonomy_terms add column kind text
    check (kind in ('country', 'state', 'region', 'county', 'city', 'area'))`.execute(db)
}
