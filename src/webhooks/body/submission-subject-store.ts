import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { type At, type IdGroup, idGroups, isAmong, prepareQuery } from '../../db/statements/prepared-query.ts'
import { readSourceColumn } from '../../db/tables/submission-source.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import type { Choices } from '../../templates/choice-labels.ts'
import type { Answers } from '../../templates/meta.ts'
import { findChoices } from './choice-store.ts'
import type { MetaSource } from './submission-meta.ts'

/** A stored submission as webhooks see it. */
export interface StoredSubject {
  submission: MetaSource
  /** Undefined when `data_json` cannot be read. */
  answers: Answers | undefined
  /** The labels that the form had when it was answered. */
  choices: Choices
}

// The value is JSON already, so only its outer shape is checked.
const answersColumn = jsonColumn(z.custom<Answers>(isObject))
const optionsColumn = jsonColumn(z.array(z.string()))

/** Finds the submissions that exist and have a form, by ID. */
export async function findSubjects(db: Db, ids: readonly number[]): Promise<Map<number, StoredSubject>> {
  const rows: SubjectRow[] = []
  for (const group of idGroups(db, ids)) rows.push(...(await selectByIds(db, { ids: group })).rows)
  return new Map((await toSubjects(db, rows)).map((subject) => [subject.submission.id, subject]))
}

const selectByIds = prepareQuery((db, at: At<{ ids: IdGroup }>) =>
  selectSubjects(db)
    .where(isAmong('form_submissions.id', at('ids')))
    .compile(),
)

export async function findSubject(db: Db, id: number): Promise<StoredSubject | undefined> {
  return (await findSubjects(db, [id])).get(id)
}

/** Lists the submissions that are spam. */
export async function listSpamAmong(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const query = db.selectFrom('form_submissions').select('id').where('id', 'in', ids)
  return new Set((await query.where('status', '=', 'spam').execute()).map(({ id }) => id))
}

/** The latest submissions of a form without its spam, newest first. */
export async function listLatestSubjects(
  db: Db,
  formId: number,
  { limit }: { limit: number },
): Promise<StoredSubject[]> {
  const rows = await selectSubjects(db)
    .where('form_submissions.form_id', '=', formId)
    .where('form_submissions.status', '!=', 'spam')
    .orderBy('form_submissions.submitted_at', 'desc')
    .orderBy('form_submissions.id', 'desc')
    .limit(limit)
    .execute()
  return toSubjects(db, rows)
}

/** The latest submission of a form that is not spam; undefined when it has none. */
export async function findLatestSubmissionId(db: Db, formId: number): Promise<number | undefined> {
  const [latest] = await listLatestSubjects(db, formId, { limit: 1 })
  return latest?.submission.id
}

/** The form that a preview or a test without a submission belongs to. */
export async function findFormOrigin(db: Db, formId: number): Promise<MetaSource['form'] | undefined> {
  return db.selectFrom('forms').select(['id', 'slug', 'name']).where('id', '=', formId).executeTakeFirst()
}

/** Lists the fields of a form, with enough detail to make up answers. */
export async function listFieldTypes(db: Db, formId: number) {
  const rows = await db
    .selectFrom('form_fields')
    .select(['name', 'type', 'options_json'])
    .where('form_id', '=', formId)
    .orderBy('position')
    .execute()
  return rows.map(({ name, type, options_json: options }) => ({
    name,
    type,
    options: (options === null ? undefined : optionsColumn.safeDecode(options).data) ?? [],
  }))
}

function selectSubjects(db: Db) {
  return (
    db
      .selectFrom('form_submissions')
      .innerJoin('forms', 'forms.id', 'form_submissions.form_id')
      .select(['form_submissions.id', 'submitted_at as submittedAt', 'page_path as pagePath', 'data_json'])
      .select(['source_json', 'source as sourceName'])
      // Submissions stored before forms had versions name none.
      .select(({ fn }) => fn.coalesce('form_version', 'forms.version').as('form_version'))
      .select(['service_slug as serviceSlug', 'service_name as serviceName'])
      .select('location_slug as locationSlug')
      .select(['location_path as locationPath', 'location_name as locationName'])
      .select(['forms.id as form_id', 'forms.slug as form_slug', 'forms.name as form_name'])
  )
}

type SubjectRow = Awaited<ReturnType<ReturnType<typeof selectSubjects>['execute']>>[number]

async function toSubjects(db: Db, rows: readonly SubjectRow[]): Promise<StoredSubject[]> {
  const choicesOf = await findChoices(db, rows)
  return rows.map((row) => toSubject(row, choicesOf(row)))
}

function toSubject(
  {
    data_json,
    form_id: id,
    form_slug: slug,
    form_name: name,
    form_version: _,
    source_json,
    ...row
  }: SubjectRow,
  choices: Choices,
): StoredSubject {
  const answers = answersColumn.safeDecode(data_json).data
  const source = readSourceColumn(source_json)
  return { choices, answers, submission: { ...row, source, form: { id, slug, name } } }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
