import { setImmediate as nextTurn } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import { TOUCH_KEYS } from '../../db/tables/submission-source.ts'
import type { FormField } from '../../forms/form.ts'
import { listFieldLabels } from '../../forms/form-version-store.ts'
import { inParts } from '../../lib/in-parts.ts'
import { localTimeFormat } from '../../lib/locale/local-time.ts'
import { KIND_META_KEYS } from '../../templates/meta.ts'
import { sourceKind, sourceName } from '../../templates/source-name.ts'
import { stageName } from '../stages/stage-settings.ts'
import { findStages } from '../stages/stage-store.ts'
import type { Submission } from '../submission.ts'
import { columnTitles, createFieldsByVersion } from './export-labels.ts'
import type { InboxCursor, InboxFilter } from './inbox-filter.ts'
import { listInboxPlaces } from './inbox-store.ts'
import { answerOf, answerText, labelAnswers } from './label-answers.ts'
import { listInbox } from './list-inbox.ts'
import { listAssigneeEmails } from './progress-store.ts'
import { listInboxForms } from './unread-store.ts'

/** Submissions per query; at most 6 MB of answers. */
const BATCH = 100
/** Characters of answers written per turn of the event loop. With many quotes, they take 25 ms. */
const WRITTEN_AT_ONCE = 200_000
/** The size of a submission without answers. */
const SMALLEST_ROW = 200
const LAST = TOUCH_KEYS.filter((key) => key !== 'at')
const COLUMNS = [
  'id',
  'submitted_at',
  'form',
  'form_version',
  'status',
  'page',
  'service',
  'location',
  'local_time',
]
/** Columns after the answers. */
const LAST_COLUMNS = [
  ...['source', ...LAST, ...LAST.map((key) => `first_${key}`), 'stage', 'assignee'],
  ...KIND_META_KEYS,
  'pages_seen',
]
// Byte-order mark, which tells spreadsheets that the file is UTF-8.
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Yields the matching submissions as CSV (RFC 4180), newest first: a column for each field that a form with matching
 * answers ever had, titled with its labels, with option labels from the time of the submission. Cells that a
 * spreadsheet would run as formulas start with `'`. `semicolons` selects the dialect that spreadsheets expect in most
 * of Europe.
 */
export async function* exportCsv(
  db: Db,
  filter: InboxFilter,
  { semicolons = false } = {},
): AsyncGenerator<string> {
  const labels = await listFieldLabels(db, await listAnsweredForms(db, filter))
  const names = [...labels.keys()]
  const toCsv = semicolons ? toSemicolons : toCommas
  yield BYTE_ORDER_MARK +
    toCsv([[...COLUMNS, ...columnTitles(labels, [...COLUMNS, ...LAST_COLUMNS]), ...LAST_COLUMNS]])
  for await (const exported of inBatches(db, filter)) {
    yield toCsv(
      exported.map((row) => [...row.columns, ...names.map((name) => cellOf(row, name)), ...row.sources]),
    )
  }
}

/** Yields the same leads as a JSON array: answers as stored, and as readable text with the labels of their time. */
export async function* exportJson(db: Db, filter: InboxFilter): AsyncGenerator<string> {
  let separator = '['
  for await (const exported of inBatches(db, filter)) {
    for (const { columns, answers, fields, sources } of exported) {
      const named = { ...byName(COLUMNS, columns), ...byName(LAST_COLUMNS, sources) }
      const labelled = labelAnswers(answers, fields).map(({ name, label, answer, field }) => {
        return { name, label, text: answerText(answer, field) }
      })
      yield `${separator}\n${JSON.stringify({ ...named, answers, labelled })}`
      separator = ','
    }
  }
  yield separator === '[' ? '[]\n' : '\n]\n'
}

function byName(names: readonly string[], values: readonly unknown[]) {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))
}

interface Exported extends Pick<Submission, 'answers'> {
  /** In the order of COLUMNS. */
  columns: unknown[]
  /** In the order of LAST_COLUMNS. */
  sources: unknown[]
  /** The fields its form had at that time. */
  fields: FormField[]
}

async function* inBatches(db: Db, filter: InboxFilter): AsyncGenerator<Exported[]> {
  const slugs = await slugsOfForms(db, filter)
  const fieldsOf = createFieldsByVersion(db)
  const progressOf = await createProgressColumns(db)
  const toLocalTime = localTimeFormat((await findLocale(db)).timeZone)
  let cursor: InboxCursor | undefined
  do {
    const page = await listInbox(db, filter, { cursor, limit: BATCH })
    const exported: Exported[] = []
    for (const submission of page.submissions) {
      const columns = [...columnsOf(submission, slugs), toLocalTime(submission.submittedAt)]
      const fields = await fieldsOf(submission)
      const sources = [...sourceColumns(submission), ...progressOf(submission), ...kindColumns(submission)]
      exported.push({ columns, fields, sources, answers: submission.answers })
    }
    for (const part of inParts(exported, { room: WRITTEN_AT_ONCE, sizeOf })) {
      await nextTurn()
      yield part
    }
    cursor = page.older
  } while (cursor)
}

function sizeOf({ answers }: Exported): number {
  return Object.values(answers).reduce<number>(
    (size, answer) => size + (typeof answer === 'string' ? answer.length : 0),
    SMALLEST_ROW,
  )
}

function columnsOf(submission: Submission, slugs: ReadonlyMap<number, string>) {
  const { id, submittedAt, formId, formVersion, status, pagePath, serviceSlug, locationPath } = submission
  const form = formId === null ? undefined : slugs.get(formId)
  return [id, submittedAt, form, formVersion, status, pagePath, serviceSlug, locationPath]
}

// The stage under its current name, and the assignee's email address.
async function createProgressColumns(db: Db) {
  const stages = await findStages(db)
  const emails = await listAssigneeEmails(db)
  return ({ stage, assigneeId }: Submission) => [
    stageName(stages, stage),
    emails.get(assigneeId ?? 0) ?? null,
  ]
}

function sourceColumns({ sourceName, source }: Submission) {
  const { last, first } = source ?? {}
  return [sourceName, ...LAST.map((key) => last?.[key]), ...LAST.map((key) => first?.[key])]
}

function kindColumns({ sourceName: name, source }: Submission) {
  const first = source?.first ? sourceKind(sourceName(source.first)) : null
  return [sourceKind(name), first, source?.pages?.join(', ')]
}

// An export of one form keeps its columns even if there are no answers.
async function listAnsweredForms(db: Db, filter: InboxFilter): Promise<number[]> {
  if (filter.formId !== undefined) return [filter.formId]
  const answered: number[] = []
  for (const { id: formId } of await listInboxForms(db, { scope: filter.scope, most: 0 }))
    if (await isShown(db, { ...filter, formId })) answered.push(formId)
  return answered
}

async function isShown(db: Db, filter: InboxFilter): Promise<boolean> {
  // Fast, and sufficient for forms without answers.
  const [first] = await listInboxPlaces(db, filter, { cursor: undefined, limit: 1 })
  if (!first) return false
  let cursor: InboxCursor | undefined
  do {
    const page = await listInbox(db, filter, { cursor, limit: 1 })
    if (page.submissions.length > 0) return true
    cursor = page.older
  } while (cursor)
  return false
}

async function slugsOfForms(db: Db, { scope }: InboxFilter): Promise<Map<number, string>> {
  return new Map((await listInboxForms(db, { scope, most: 0 })).map(({ id, slug }) => [id, slug]))
}

// Numbers are never formulas, whatever their sign. A leading line break can hide a formula, and `escape_formulas`
// doesn't check for it.
function cellOf({ answers, fields }: Exported, name: string): string | number {
  const answer = answerOf(answers, name)
  if (typeof answer === 'number') return answer
  const text = answerText(
    answer,
    fields.find((field) => field.name === name),
  )
  return text.startsWith('\n') ? `'${text}` : text
}

function toCommas(rows: readonly unknown[][]): string {
  return stringify([...rows], LAYOUT)
}

// Programs that expect semicolons between cells expect decimal commas: 3.5 would become the third of May.
function toSemicolons(rows: readonly unknown[][]): string {
  const cast = { number: (value: number) => String(value).replace('.', ',') }
  return stringify([...rows], { ...LAYOUT, delimiter: ';', cast })
}

const LAYOUT = {
  escape_formulas: true,
  record_delimiter: 'windows',
  // Otherwise a lone line feed in an answer starts a new row.
  quote_record_delimiter: true,
} as const
