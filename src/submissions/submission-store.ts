import type { CompiledQuery, Insertable, RawBuilder, Selectable } from 'kysely'
import { z } from 'zod'
import { inScope, type LeadScope } from '../db/lead-scope/lead-scope.ts'
import type { Db, Schema } from '../db/schema.ts'
import { insertRows } from '../db/statements/insert-rows.ts'
import { readSourceColumn } from '../db/tables/submission-source.ts'
import type { Answers } from '../forms/form.ts'
import { jsonColumn } from '../lib/json-column.ts'
import { readSpamReason, spamColumns } from './spam-reason.ts'
import type { NewSubmission, Submission } from './submission.ts'

type SubmissionRow = Selectable<Schema['form_submissions']>

const LEGACY_COLUMNS = ['full_name', 'email', 'phone', 'role', 'clients_managed', 'bottleneck'] as const

const fileAnswer = z.object({ name: z.string(), size: z.number(), type: z.string(), upload_id: z.number() })

const answer = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()), fileAnswer])

// An older program may have stored a different type of answer. As text, it breaks neither the inbox nor its search.
const answersColumn = jsonColumn(
  z.record(
    z.string(),
    answer.catch(({ value }) => JSON.stringify(value)),
  ),
)

const consentsColumn = jsonColumn(z.record(z.string(), z.string()))

type InsertedRow = Pick<SubmissionRow, 'id' | 'form_id' | 'client_id'>

/** Identifies an inserted row among those of one call. */
export interface InsertedSubmission {
  id: number
  formId: number
  clientId: string
}

/**
 * Statements that insert submissions, skipping those whose form already has one with the same `clientId`. Read the
 * results with `readInserted`; their order is undefined.
 */
export function submissionInserts(
  db: Db,
  submissions: readonly NewSubmission[],
): CompiledQuery<InsertedRow>[] {
  if (submissions.length === 0) return []
  const insert = insertRows(db, 'form_submissions', submissions.map(toRow))
    .onConflict((conflict) =>
      conflict.columns(['form_id', 'client_id']).where('client_id', 'is not', null).doNothing(),
    )
    .returning(['id', 'form_id', 'client_id'])
  return [insert.compile()]
}

export function readInserted(rows: readonly InsertedRow[]): InsertedSubmission[] {
  return rows.map((row) => ({
    id: row.id,
    formId: row.form_id as number,
    clientId: row.client_id as string,
  }))
}

/** Returns the form's submission with that `_id`. */
export async function findSubmissionByClientId(
  db: Db,
  formId: number,
  clientId: string,
): Promise<Submission | undefined> {
  const row = await db
    .selectFrom('form_submissions')
    .selectAll()
    .where('form_id', '=', formId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row && toSubmission(row)
}

/** Returns the submission with that ID, including those from before multiple forms (§2.4). */
export async function findSubmission(db: Db, id: number, scope: LeadScope): Promise<Submission | undefined> {
  const row = await db
    .selectFrom('form_submissions')
    .selectAll()
    .where('id', '=', id)
    .where(inScope(db, scope))
    .executeTakeFirst()
  return row && toSubmission(row)
}

/**
 * Returns the submissions with these IDs, which may be a subquery, in no particular order. Deleted ones are missing.
 */
export async function listSubmissionsById(
  db: Db,
  ids: readonly number[] | RawBuilder<{ id: number }>,
  scope: LeadScope,
): Promise<Submission[]> {
  if ('length' in ids && ids.length === 0) return []
  const rows = await db
    .selectFrom('form_submissions')
    .selectAll()
    .where('id', 'in', ids as readonly number[])
    .where(inScope(db, scope))
    .execute()
  return rows.map(toSubmission)
}

/** Replaces a submission's answers, in the transaction that inserted it. */
export async function updateAnswers(db: Db, id: number, answers: Answers): Promise<void> {
  const columns = { data_json: JSON.stringify(answers) }
  await db.updateTable('form_submissions').set(columns).where('id', '=', id).execute()
}

function toRow(submission: NewSubmission): Insertable<Schema['form_submissions']> {
  return {
    form_id: submission.formId,
    form_version: submission.formVersion,
    client_id: submission.clientId,
    status: submission.status,
    ...spamColumns(submission.spamReason),
    data_json: JSON.stringify(submission.answers),
    submitted_at: submission.submittedAt,
    local_day: submission.localDay,
    page_path: submission.pagePath,
    service_slug: submission.serviceSlug,
    service_name: submission.serviceName,
    service_id: submission.serviceId,
    location_slug: submission.locationSlug,
    location_name: submission.locationName,
    location_path: submission.locationPath,
    location_id: submission.locationId,
    consents_json: submission.consents ? JSON.stringify(submission.consents) : null,
    source: submission.sourceName ?? null,
    source_json: submission.source ? JSON.stringify(submission.source) : null,
  }
}

function toSubmission(row: SubmissionRow): Submission {
  return {
    id: row.id,
    formId: row.form_id,
    formVersion: row.form_version,
    clientId: row.client_id,
    status: row.status,
    stage: row.stage,
    assigneeId: row.assignee_id,
    spamReason: readSpamReason(row),
    answers: readAnswers(row),
    submittedAt: row.submitted_at,
    pagePath: row.page_path,
    serviceSlug: row.service_slug,
    serviceName: row.service_name,
    serviceId: row.service_id,
    locationSlug: row.location_slug,
    locationName: row.location_name,
    locationPath: row.location_path,
    locationId: row.location_id,
    consents: consentsColumn.safeDecode(row.consents_json ?? '{}').data ?? {},
    sourceName: row.source,
    source: readSourceColumn(row.source_json),
  }
}

// Revision 0011 fills `data_json` of older rows. A row that an older program adds after that has only the legacy
// columns.
function readAnswers(row: SubmissionRow): Answers {
  const answers = answersColumn.decode(row.data_json || '{}')
  const isLegacy = Object.keys(answers).length === 0 && LEGACY_COLUMNS.some((column) => row[column] !== null)
  return isLegacy ? Object.fromEntries(LEGACY_COLUMNS.map((column) => [column, row[column]])) : answers
}
