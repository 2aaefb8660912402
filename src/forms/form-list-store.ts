import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { fromRow, type ToRow } from '../db/tables/columns.ts'
import type { Form } from './form.ts'

/** Higher counts are shown as "more than" this number. */
export const COUNTED_SUBMISSIONS = 10_000

/** A form as a list shows it. */
export interface FormSummary extends Pick<Form, 'slug' | 'name' | 'status' | 'isBuiltin' | 'updatedAt'> {
  fields: number
  webhooks: number
  /** At most `COUNTED_SUBMISSIONS` + 1, because counting millions takes too long. */
  submissions: number
  /** UTC text. */
  lastSubmittedAt: string | null
}

/** Every form by name, with its number of submissions. A form with millions takes no longer than one with 10,000. */
export async function listFormSummaries(db: Db): Promise<FormSummary[]> {
  const { rows } = await sql<ToRow<FormSummary>>`
    select slug, name, status, is_builtin, updated_at,
      (select count(*) from form_fields where form_id = forms.id) as fields,
      (select count(*) from form_webhooks where form_id = forms.id) as webhooks,
      (select count(*) from (
        select 1 as one from form_submissions where form_id = forms.id limit ${sql.lit(COUNTED_SUBMISSIONS + 1)}
      ) as counted) as submissions,
      (select max(submitted_at) from form_submissions where form_id = forms.id) as last_submitted_at
    from forms
    order by lower(name), id`.execute(db)
  return rows.map((row) => ({
    ...fromRow(row),
    fields: Number(row.fields),
    webhooks: Number(row.webhooks),
    submissions: Number(row.submissions),
  }))
}

/** Returns the name of every form by ID. */
export async function listFormNames(db: Db): Promise<Map<number, string>> {
  const rows = await db.selectFrom('forms').select(['id', 'name']).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Returns the slug and name of every form, by slug. */
export function listFormChoices(db: Db): Promise<Pick<Form, 'slug' | 'name'>[]> {
  return db.selectFrom('forms').select(['slug', 'name']).orderBy('slug').execute()
}
