import { stringify } from 'csv-stringify/sync'
import type { Db } from '../db/schema.ts'
import type { Answers } from '../forms/form.ts'
import { listFieldNames } from '../forms/form-version-store.ts'
import type { InboxCursor, InboxFilter } from './inbox-filter.ts'
import { listInboxForms } from './inbox-store.ts'
import { answerOf, answerText } from './label-answers.ts'
import { listInbox } from './list-inbox.ts'
import type { Submission } from './submission.ts'

const BATCH = 500
const COLUMNS = ['id', 'submitted_at', 'form', 'status', 'page', 'service', 'location'] as const
// Tells spreadsheets that it is UTF-8.
const BYTE_ORDER_MARK = '\ufeff'

/**
 * The submissions that the filter shows as CSV (RFC 4180), newest first, in parts: a column for each field that their
 * form ever had, which is called `answers.status` where the submission itself has a `status`. What a spreadsheet would
 * run as a formula gets a `'` in front.
 */
export async function* exportCsv(db: Db, filter: InboxFilter): AsyncGenerator<string> {
  const names = await listFieldNames(db, filter.formId)
  const slugs = await slugsOfForms(db)
  yield BYTE_ORDER_MARK + toCsv([[...COLUMNS, ...names.map(headerOf)]])
  for await (const submissions of inBatches(db, filter)) {
    yield toCsv(
      submissions.map((submission) => [
        ...columnsOf(submission, slugs),
        ...names.map((name) => cellOf(submission.answers, name)),
      ]),
    )
  }
}

/** The same as a JSON array: answers as they are stored. */
export async function* exportJson(db: Db, filter: InboxFilter): AsyncGenerator<string> {
  const slugs = await slugsOfForms(db)
  let separator = '['
  for await (const submissions of inBatches(db, filter)) {
    for (const submission of submissions) {
      const values = columnsOf(submission, slugs)
      const columns = Object.fromEntries(COLUMNS.map((name, index) => [name, values[index] ?? null]))
      yield `${separator}\n${JSON.stringify({ ...columns, answers: submission.answers })}`
      separator = ','
    }
  }
  yield separator === '[' ? '[]\n' : '\n]\n'
}

async function* inBatches(db: Db, filter: InboxFilter): AsyncGenerator<Submission[]> {
  let cursor: InboxCursor | undefined
  do {
    const page = await listInbox(db, filter, { cursor, limit: BATCH })
    yield page.submissions
    cursor = page.older
  } while (cursor)
}

function columnsOf(submission: Submission, slugs: ReadonlyMap<number, string>) {
  const { id, submittedAt, formId, status, pagePath, serviceSlug, locationPath } = submission
  const form = formId === null ? undefined : slugs.get(formId)
  return [id, submittedAt, form, status, pagePath, serviceSlug, locationPath]
}

async function slugsOfForms(db: Db): Promise<Map<number, string>> {
  return new Map((await listInboxForms(db, { most: 0 })).map(({ id, slug }) => [id, slug]))
}

function headerOf(name: string): string {
  return (COLUMNS as readonly string[]).includes(name) ? `answers.${name}` : name
}

// A number is no formula, whatever its sign. A line break in front, which hides one, is not seen by `escape_formulas`.
function cellOf(answers: Answers, name: string): string | number {
  const answer = answerOf(answers, name)
  if (typeof answer === 'number') return answer
  const text = answerText(answer)
  return text.startsWith('\n') ? `'${text}` : text
}

function toCsv(rows: readonly unknown[][]): string {
  return stringify([...rows], {
    escape_formulas: true,
    record_delimiter: 'windows',
    // Without it a single line feed in an answer begins a new row.
    quote_record_delimiter: true,
  })
}
