import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import type { Form } from '../forms/form.ts'
import { type FormRows, putFormRowsBack, readFormRows } from '../forms/form-rows-store.ts'
import { deleteForm, findForm } from '../forms/form-store.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { AdminProblem } from '../messages/admin/problems.ts'
import { changeContent } from '../versions/content-turn-store.ts'
import { deleteTrashed, findTrashed, insertTrashed } from '../versions/trash-store.ts'
import type { Saving } from '../versions/version.ts'
import { putWebhookRowsBack, readWebhookRows } from '../webhooks/definition/webhook-rows-store.ts'
import type { WebhookRow } from '../webhooks/definition/webhook-store.ts'

/** A form as stored in the trash. */
export interface TrashedForm {
  rows: FormRows
  /** Includes their encrypted secrets, so that a restored form sends as before. */
  webhooks: WebhookRow[]
}

/**
 * Moves a form to the trash with its fields, versions, and webhooks. Restoring it gives it `status`. Call it inside a
 * transaction.
 */
export async function trashForm(
  db: Db,
  { id, slug, name, status }: Pick<Form, 'id' | 'slug' | 'name' | 'status'>,
  saving: Saving,
): Promise<void> {
  const { form, ...rows } = await readFormRows(db, id)
  const webhooks = await readWebhookRows(db, id)
  const content: TrashedForm = { rows: { ...rows, form: { ...form, status } }, webhooks }
  await deleteForm(db, id)
  const described = { typeSlug: slug, name, parts: webhooks.length }
  await insertTrashed(db, { kind: 'form', id }, { ...described, content }, saving)
}

/** Restores a form from the trash under its ID, with its webhooks. Refused if another form has its slug now. */
export function restoreTrashedForm(
  db: Kysely<Schema>,
  trashId: number,
  { now }: { now: Date },
): Promise<Outcome<Pick<Form, 'id' | 'slug' | 'name'>, AdminProblem>> {
  return changeContent(db, async (trx) => {
    const found = await findTrashed(trx, trashId)
    if (found?.trashed.subject.kind !== 'form') return { kind: 'not_found' }
    const { rows, webhooks } = found.content as TrashedForm
    const { id, slug, name } = rows.form
    if (await findForm(trx, slug))
      return {
        kind: 'invalid',
        problems: [{ path: ['slug'], code: 'trash_address_taken', params: { slug } }],
      }
    await putFormRowsBack(trx, rows, { now: now.toISOString() })
    await putWebhookRowsBack(trx, webhooks)
    await deleteTrashed(trx, trashId)
    return { kind: 'saved', value: { id, slug, name } }
  })
}
