import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../db/dialects.ts'
import type { Db } from '../db/schema.ts'
import type { Probe } from './person-pattern.ts'
import type { PersonalTable } from './personal-columns.ts'

/** A row that may mention a person. */
export interface PersonalRow {
  id: number
  /** The lead it belongs to, if any. */
  lead: number | null
  texts: Readonly<Record<string, string | null>>
}

const SEPARATORS = [' ', '-', '.', '(', ')', '/', '%20', '+', '\u00a0', '\u2011', '\u2013']

/** Returns the highest key of a table; 0 if it is empty. */
export async function findHighestKey(db: Db, { table, key }: PersonalTable): Promise<number> {
  const { rows } = await sql<{ highest: number | null }>`
    select max(${sql.ref(key)}) as highest from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.highest ?? 0)
}

/** Returns rows with keys in a range whose texts match one of the probes: few more than those with the person. */
export async function listProbed(
  db: Db,
  { table, key, columns, lead, via }: PersonalTable,
  { after, until, probes }: { after: number; until: number; probes: readonly Probe[] },
): Promise<PersonalRow[]> {
  const own = (column: string) => sql.ref(`t.${column}`)
  const leadColumn = lead === null ? sql`null` : sql.ref(`${via ? 'p' : 't'}.${lead}`)
  const join = via ? sql`join ${sql.table(via.table)} as p on p.id = ${own(via.column)}` : sql``
  const passes = columns.flatMap((column) => probes.map((probe) => passesProbe(db, own(column), probe)))
  const { rows } = await sql<Record<string, unknown>>`
    select ${own(key)} as id, ${leadColumn} as lead, ${sql.join(columns.map((column) => sql`${own(column)} as ${sql.ref(column)}`))}
    from ${sql.table(table)} as t ${join}
    where ${own(key)} > ${after} and ${own(key)} <= ${until} and (${sql.join(passes, sql` or `)})
    order by ${own(key)}`.execute(db)
  return rows.map(({ id, lead: leadId, ...row }) => ({
    id: Number(id),
    lead: leadId === null ? null : Number(leadId),
    texts: textsOf(row, columns),
  }))
}

function textsOf(row: Record<string, unknown>, columns: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(
    columns.map((column) => [column, typeof row[column] === 'string' ? (row[column] as string) : null]),
  )
}

function passesProbe(db: Db, column: RawBuilder<unknown>, probe: Probe): RawBuilder<boolean> {
  if (probe.kind === 'any') return sql`${column} is not null`
  const like = engineOf(db) === 'sqlite' ? sql`like` : sql`ilike`
  if (probe.kind === 'word') return sql`${column} ${like} ${`%${probe.word}%`}`
  const bare = SEPARATORS.reduce<RawBuilder<unknown>>(
    (text, separator) => sql`replace(${text}, ${separator}, '')`,
    column,
  )
  return sql`${bare} like ${`%${probe.digits}%`}`
}

/** Replaces texts of a row. */
export async function updateTexts(
  db: Db,
  { table, key }: PersonalTable,
  { id, texts }: { id: number; texts: Readonly<Record<string, string>> },
): Promise<void> {
  const changes = Object.entries(texts).map(([column, text]) => sql`${sql.ref(column)} = ${text}`)
  await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${sql.ref(key)} = ${id}`.execute(db)
}

/** Tables whose rows belong to a lead. */
export const COUNTED_TABLES = [
  'uploads',
  'submission_notes',
  'notification_mails',
  'reply_mails',
  'webhook_deliveries',
] as const

export type CountedTable = (typeof COUNTED_TABLES)[number]

/** Counts the rows of each table that belong to these leads, up to 500 leads. */
export async function countOfLeads(db: Db, ids: readonly number[]): Promise<Record<CountedTable, number>> {
  const counts: Record<string, number> = {}
  for (const table of COUNTED_TABLES) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where submission_id in (${sql.join(ids)})`.execute(db)
    counts[table] = Number(rows[0]?.count ?? 0)
  }
  return counts as Record<CountedTable, number>
}

/** Counts the sent notifications and replies of these leads by recipient, up to 500 leads. */
export async function countMailboxes(
  db: Db,
  ids: readonly number[],
): Promise<{ address: string; count: number }[]> {
  const ofLeads = sql`status = 'sent' and submission_id in (${sql.join(ids)})`
  const { rows } = await sql<{ address: string; count: number }>`
    select recipient as address, count(*) as count from (
      select recipient from notification_mails where ${ofLeads}
      union all select recipient from reply_mails where ${ofLeads}
    ) as mails group by recipient order by recipient`.execute(db)
  return rows.map(({ address, count }) => ({ address, count: Number(count) }))
}

/** Counts the deliveries of these leads by webhook, up to 500 leads. */
export async function countReceivers(
  db: Db,
  ids: readonly number[],
): Promise<{ name: string; url: string; count: number }[]> {
  const { rows } = await sql<{ name: string; url: string; count: number }>`
    select w.name, w.url, count(*) as count from webhook_deliveries as d join form_webhooks as w on w.id = d.webhook_id
    where d.status = 'delivered' and d.submission_id in (${sql.join(ids)}) group by w.name, w.url`.execute(db)
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}
