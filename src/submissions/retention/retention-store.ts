import type { Db } from '../../db/schema.ts'

/** Counts the submissions of a form; with `before` (UTC text), only older ones. */
export async function countSubmissions(
  db: Db,
  formId: number,
  { before }: { before?: string } = {},
): Promise<number> {
  let query = db
    .selectFrom('form_submissions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('form_id', '=', formId)
  if (before !== undefined) query = query.where('submitted_at', '<', before)
  return Number((await query.executeTakeFirstOrThrow()).count)
}

/** Lists a form's oldest submissions; with `before` (UTC text), only older ones. */
export async function listOldestSubmissionIds(
  db: Db,
  formId: number,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<number[]> {
  const query = db
    .selectFrom('form_submissions')
    .select('id')
    .where('form_id', '=', formId)
    .orderBy('submitted_at')
    .limit(limit)
  const rows = await (before === undefined ? query : query.where('submitted_at', '<', before)).execute()
  return rows.map(({ id }) => id)
}

/**
 * Deletes submissions with everything that belongs to them: deliveries, attempts with their bodies, emails, and
 * upload rows.
 */
export async function deleteSubmissions(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('form_submissions').where('id', 'in', ids).execute()
}
