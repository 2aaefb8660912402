import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { truncateLog } from '../db/truncate-log.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Form } from '../forms/form.ts'
import { findForm, setFormStatus } from '../forms/form-store.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { AdminProblem } from '../messages/admin/problems.ts'
import { changeContent } from '../versions/content-turn-store.ts'
import type { Saver, Saving } from '../versions/version.ts'
import { removeSubmissions } from './retention/remove-submissions.ts'
import { countSubmissions, deleteSubmissions, listOldestSubmissionIds } from './retention/retention-store.ts'
import { trashForm } from './trash-form.ts'

interface RemoveFormOptions {
  /** Text typed to confirm; it must equal the slug. */
  confirmation?: string
  files: FileStore
  now: Date
  by?: Saver | undefined
}

/**
 * Moves a form to the trash and permanently deletes its submissions with their files, deliveries, and emails.
 * Built-in forms can't be removed; a form with submissions requires its slug as confirmation. Returns the number of
 * submissions deleted. The form is archived first, so that no new posts arrive in the meantime.
 */
export async function removeForm(
  db: Kysely<Schema>,
  slug: string,
  { confirmation, files, now, by }: RemoveFormOptions,
): Promise<Outcome<number, AdminProblem, 'builtin'>> {
  const form = await findForm(db, slug)
  if (!form) return { kind: 'not_found' }
  if (form.isBuiltin) return { kind: 'refused', code: 'builtin' }
  const submissions = await countSubmissions(db, form.id)
  if (submissions > 0 && confirmation !== slug) {
    const problem = { path: ['confirmation'], code: 'unconfirmed' as const, params: { slug } }
    return { kind: 'invalid', problems: [problem] }
  }
  await setFormStatus(db, form.id, 'archived', { now: now.toISOString() })
  const removed = await removeSubmissions(db, form.id, { files })
  const late = await removeRest(db, form, { now: now.toISOString(), by })
  await truncateLog(db)
  return { kind: 'saved', value: removed + late }
}

// Submissions from posts that read the form before it was archived. Their files, if any, are swept as orphans.
function removeRest(db: Kysely<Schema>, form: Form, saving: Saving): Promise<number> {
  return changeContent(db, async (trx) => {
    const late = await listOldestSubmissionIds(trx, form.id, { limit: 1_000 })
    await deleteSubmissions(trx, late)
    await trashForm(trx, form, saving)
    return late.length
  })
}
