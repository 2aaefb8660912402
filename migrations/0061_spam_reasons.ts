import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'

const BATCH = 1_000

/** The sentences of former versions, by their codes. */
const SENTENCES: [RegExp, string, (part: string) => object | null][] = [
  [/^The decoy field was filled$/, 'decoy_filled', () => null],
  [/^Sent (\d+\.\d) s after the form was opened$/, 'sent_early', (part) => ({ seconds: Number(part) })],
  [/^(\d+) links? in the text$/, 'many_links', (part) => ({ links: Number(part) })],
  [/^Marked as spam by hand$/, 'by_hand', () => null],
]

interface Row {
  id: number
  text: string
}

/**
 * Gives submissions that are spam a code for the reason instead of a sentence. The column of the sentence becomes that of
 * the code's parameters; an unknown sentence is a parameter as a whole.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await changeColumns(db)
  for (let rows = await nextRows(db, 0); rows.length > 0; rows = await nextRows(db, rows.at(-1)?.id ?? 0)) {
    const byText = Map.groupBy(rows, ({ text }) => text)
    for (const [text, same] of byText) await translate(db, text, same)
    await setImmediate()
  }
}

async function changeColumns(db: Kysely<unknown>) {
  const tables = await db.introspection.getTables()
  const columns = tables.find(({ name }) => name === 'form_submissions')?.columns ?? []
  if (columns.some(({ name }) => name === 'spam_code')) return
  await sql`alter table form_submissions rename column spam_reason to spam_params_json`.execute(db)
  await sql`alter table form_submissions add column spam_code text`.execute(db)
}

async function nextRows(db: Kysely<unknown>, after: number): Promise<Row[]> {
  const { rows } = await sql<Row>`select id, spam_params_json as text from form_submissions
    where id > ${after} and spam_code is null and spam_params_json is not null
    order by id limit ${BATCH}`.execute(db)
  return rows
}

async function translate(db: Kysely<unknown>, text: string, rows: readonly Row[]) {
  const { code, params } = codeOf(text)
  const ids = sql.join(rows.map(({ id }) => id))
  await sql`update form_submissions set spam_code = ${code},
    spam_params_json = ${params && JSON.stringify(params)} where id in (${ids})`.execute(db)
}

function codeOf(text: string): { code: string; params: object | null } {
  for (const [pattern, code, paramsOf] of SENTENCES) {
    const match = pattern.exec(text)
    if (match) return { code, params: paramsOf(match[1] ?? '') }
  }
  return { code: 'other', params: { text } }
}
