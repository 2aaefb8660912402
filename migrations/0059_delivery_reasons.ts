import { setImmediate } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { engineOf } from '../src/db/dialects.ts'

// A few milliseconds on SQLite, which holds up the program meanwhile.
const BATCH = 2_000

/** Sentences without parts, by their codes. */
const WHOLE = {
  spam: 'The submission was marked as spam',
  webhook_deleted: 'The webhook was deleted',
  webhook_off: 'The webhook was switched off',
  by_hand: 'Cancelled by hand',
  form_deleted: 'The form of the submission was deleted',
  answers_unreadable: 'The answers of the submission cannot be read',
  gone: 'HTTP 410: the webhook was switched off',
  unrecorded: 'An attempt was made that could not be recorded; see the log of the program',
  header_sealed: 'Waits: a header cannot be opened with this SECRET_KEY',
  secret_sealed: 'Waits: the signing secret cannot be opened with this SECRET_KEY',
  header_invalid: 'Waits: A header cannot be sent with the values of the environment',
}

/** Sentences around one part: the code, its parameter, and the text before and after the part. */
const AROUND = [
  ['test_failed', 'message', 'The test failed: ', ''],
  ['method_unusable', 'problem', 'The method of the webhook cannot be used: ', ''],
  ['headers_unusable', 'problem', 'The headers of the webhook cannot be used: ', ''],
  ['template_unreadable', 'problem', 'The template of the webhook cannot be read: ', ''],
  ['condition_unreadable', 'problem', 'The condition cannot be read: ', ''],
  ['values_missing', 'names', 'Waits: ', ' is not set in the environment'],
  ['url_invalid', 'url', 'Waits: ', ' is no address with the values of the environment'],
  ['other', 'text', 'Waits: ', ''],
  ['other', 'text', '', ''],
] as const

const TEXT = sql.ref('outcome_params_json')
const LAST_FAILED = ' attempts failed, the last with: '
const ONLY_FAILED = 'The only attempt failed with: '

/**
 * Gives deliveries, and webhooks that the program switched off, a code for the reason instead of a sentence. The column
 * of the sentence becomes that of the code's parameters; an unknown sentence is a parameter as a whole.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await changeColumns(db)
  const { codes, params } = translation(db)
  for (let after = 0; ; ) {
    const last = await lastOfBatch(db, after)
    if (last === null) break
    await sql`update webhook_deliveries set outcome_code = ${codes}, outcome_params_json = ${params}
      where id > ${after} and id <= ${last} and outcome_params_json is not null and outcome_code is null`.execute(
      db,
    )
    after = last
    await setImmediate()
  }
  await sql`update form_webhooks set disabled_code = case disabled_text
      when 'The receiver answered 410 (gone)' then 'gone'
      when 'Every attempt of the last 5 days failed' then 'always_failing' else 'other' end
    where disabled_text is not null and disabled_code is null`.execute(db)
  await sql`update form_webhooks set disabled_text = null where disabled_code <> 'other'`.execute(db)
}

async function changeColumns(db: Kysely<unknown>) {
  const tables = await db.introspection.getTables()
  const columns = tables.find(({ name }) => name === 'webhook_deliveries')?.columns ?? []
  if (columns.some(({ name }) => name === 'outcome_code')) return
  await sql`alter table webhook_deliveries rename column outcome_reason to outcome_params_json`.execute(db)
  await sql`alter table webhook_deliveries add column outcome_code text`.execute(db)
  await sql`alter table form_webhooks rename column disabled_reason to disabled_text`.execute(db)
  await sql`alter table form_webhooks add column disabled_code text`.execute(db)
}

async function lastOfBatch(db: Kysely<unknown>, after: number): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    select max(id) as last from
      (select id from webhook_deliveries where id > ${after} order by id limit ${BATCH}) as batch`.execute(db)
  const last = rows[0]?.last ?? null
  return last === null ? null : Number(last)
}

/** The code and the parameters of a row's sentence. */
function translation(db: Kysely<unknown>) {
  const json = (name: string, value: RawBuilder<unknown>) => jsonObject(db, [[name, value]])
  const whole = Object.entries(WHOLE).map(([code, text]) => [
    sql`${TEXT} = ${sql.lit(text)}`,
    code,
    sql`null`,
  ])
  const around = AROUND.map(([code, name, before, after]) => {
    const part = sql`substr(${TEXT}, ${sql.lit(before.length + 1)},
      length(${TEXT}) - ${sql.lit(before.length + after.length)})`
    return [startsAndEnds(before, after), code, json(name, part)]
  })
  const last = sql`substr(${TEXT}, length(cast(attempt_count as text)) + ${sql.lit(LAST_FAILED.length + 1)})`
  const only = sql`substr(${TEXT}, ${sql.lit(ONLY_FAILED.length + 1)})`
  const attempts = (message: RawBuilder<unknown>) =>
    jsonObject(db, [
      ['attempts', sql`attempt_count`],
      ['message', message],
    ])
  const cases = [
    // The trace of a rule that failed says what the sentence said.
    [sql`status = 'skipped' and trace_json is not null`, 'rule_failed', sql`null`],
    ...whole,
    [
      startsWith(sql`cast(attempt_count as text) || ${sql.lit(LAST_FAILED)}`),
      'attempts_failed',
      attempts(last),
    ],
    [startsWith(sql.lit(ONLY_FAILED)), 'attempts_failed', attempts(only)],
    ...around,
  ] as [RawBuilder<unknown>, string, RawBuilder<unknown>][]
  const choose = (values: RawBuilder<unknown>[]) => sql`case ${sql.join(values, sql` `)} end`
  return {
    codes: choose(cases.map(([when, code]) => sql`when ${when} then ${sql.lit(code)}`)),
    params: choose(cases.map(([when, , params]) => sql`when ${when} then ${params}`)),
  }
}

function startsWith(start: RawBuilder<unknown>) {
  return sql`substr(${TEXT}, 1, length(${start})) = ${start}`
}

function startsAndEnds(before: string, after: string) {
  const starts = startsWith(sql.lit(before))
  if (after === '') return starts
  return sql`${starts} and substr(${TEXT}, length(${TEXT}) - ${sql.lit(after.length - 1)}) = ${sql.lit(after)}`
}

function jsonObject(db: Kysely<unknown>, members: [string, RawBuilder<unknown>][]) {
  const list = sql.join(members.flatMap(([name, value]) => [sql.lit(name), value]))
  return engineOf(db) === 'postgres' ? sql`json_build_object(${list})::text` : sql`json_object(${list})`
}
