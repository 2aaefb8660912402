import type { Selectable } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'

/** The stored rows of a form. */
export interface FormRows {
  form: Selectable<Schema['forms']>
  fields: Selectable<Schema['form_fields']>[]
  versions: Selectable<Schema['form_versions']>[]
}

/** Returns a form's rows and the rows deleted with it, except its webhooks. */
export async function readFormRows(db: Db, id: number): Promise<FormRows> {
  const form = await db.selectFrom('forms').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const fields = db.selectFrom('form_fields').selectAll().where('form_id', '=', id).orderBy('id')
  const versions = db.selectFrom('form_versions').selectAll().where('form_id', '=', id).orderBy('version')
  return { form, fields: await fields.execute(), versions: await versions.execute() }
}

/** Restores the rows of a deleted form under their IDs. */
export async function putFormRowsBack(
  db: Db,
  { form, fields, versions }: FormRows,
  { now }: { now: string },
): Promise<void> {
  // The account that changed it last may have been deleted.
  await db
    .insertInto('forms')
    .values({ ...form, updated_by: null, updated_at: now })
    .execute()
  if (fields.length > 0) await db.insertInto('form_fields').values(fields).execute()
  if (versions.length > 0) await db.insertInto('form_versions').values(versions).execute()
}
