import { findRenamed } from '../../conditions/renamed-store.ts'
import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import { conditionsOfMails, listRecipients } from '../../notifications/mail-rules.ts'
import { submissionMeta } from '../../webhooks/body/submission-meta.ts'
import type { Submission } from '../submission.ts'

/** Lists the addresses that the form's current settings notify about a stored submission. */
export async function findRecipients(
  db: Db,
  submission: Submission,
  form: Form,
  { siteUrl }: { siteUrl: string },
): Promise<string[]> {
  const meta = { ...submissionMeta({ ...submission, form }, { siteUrl }) }
  const renamed = await findRenamed(db, conditionsOfMails(form.settings), [meta])
  return listRecipients(form.settings, { answers: submission.answers, meta, renamed })
}
