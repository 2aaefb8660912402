import { EVERY_LEAD } from '../db/lead-scope/lead-scope.ts'
import type { Db } from '../db/schema.ts'
import type { Answer } from '../forms/answer.ts'
import { findSubjects } from '../submissions/results/rename-subjects.ts'
import type { Submission } from '../submissions/submission.ts'
import { listSubmissionsById } from '../submissions/submission-store.ts'
import type { Person } from './person.ts'
import { createPersonPattern, type PersonPattern } from './person-pattern.ts'
import { CONTENT_TABLES, LEADS, PERSONAL_TABLES } from './personal-columns.ts'
import {
  COUNTED_TABLES,
  type CountedTable,
  countMailboxes,
  countOfLeads,
  countReceivers,
} from './personal-text-store.ts'
import { walkTexts } from './walk-texts.ts'

const BATCH = 500

/** Places in which a person was found. */
export interface FoundPerson {
  /** IDs of the person's leads, oldest first. */
  leads: number[]
  /** IDs of other leads that mention the person in an answer. */
  mentions: number[]
  /** Numbers of rows that belong to the person's leads, by table. */
  parts: Record<CountedTable, number>
  /** Rows outside the person's leads that mention the person, by table. */
  elsewhere: ReadonlyMap<string, number>
  /** Texts written by the business, by table; these are edited by hand. */
  content: ReadonlyMap<string, number>
  /** Webhooks that received the person's leads. */
  receivers: readonly Receiver[]
  /** Email addresses that received notifications and replies about the person's leads. */
  mailboxes: readonly Mailbox[]
  /** When the first of the leads was received, UTC text; undefined if there is none. */
  since: string | undefined
}

interface Mailbox {
  address: string
  count: number
}

interface Receiver {
  name: string
  /** Of its URL. */
  host: string
  count: number
}

/** Finds everything stored about a person. Reads every table with visitors' texts, in small steps. */
export async function findPerson(db: Db, person: Person): Promise<FoundPerson> {
  const pattern = createPersonPattern(person)
  const { leads, mentions } = await findLeads(db, person, pattern)
  const own = new Set(leads)
  const elsewhere = new Map<string, number>()
  for (const table of PERSONAL_TABLES)
    for await (const rows of walkTexts(db, table, pattern)) {
      const others = rows.filter(({ lead }) => lead === null || !own.has(lead)).length
      if (others > 0) elsewhere.set(table.table, (elsewhere.get(table.table) ?? 0) + others)
    }
  for await (const { table } of findSubjects(db, pattern.redact))
    elsewhere.set(table, (elsewhere.get(table) ?? 0) + 1)
  const content = await countContent(db, pattern)
  const [first] = await listSubmissionsById(db, leads.slice(0, 1), EVERY_LEAD)
  const { parts, receivers, mailboxes } = await countParts(db, leads)
  return { leads, mentions, parts, elsewhere, content, receivers, mailboxes, since: first?.submittedAt }
}

async function countContent(db: Db, pattern: PersonPattern): Promise<Map<string, number>> {
  const content = new Map<string, number>()
  for (const table of CONTENT_TABLES)
    for await (const rows of walkTexts(db, table, pattern))
      content.set(table.table, (content.get(table.table) ?? 0) + rows.length)
  return content
}

/** Returns the IDs of a person's leads, and of others that mention the person, oldest first. */
export async function findLeads(
  db: Db,
  { deletesMentions }: Pick<Person, 'deletesMentions'>,
  pattern: PersonPattern,
): Promise<{ leads: number[]; mentions: number[] }> {
  const [leads, mentions]: [number[], number[]] = [[], []]
  for await (const rows of walkTexts(db, LEADS, pattern)) {
    const submissions = await listSubmissionsById(
      db,
      rows.map(({ id }) => id),
      EVERY_LEAD,
    )
    for (const submission of submissions.sort((a, b) => a.id - b.id))
      (deletesMentions || isOwn(submission, pattern) ? leads : mentions).push(submission.id)
  }
  return { leads, mentions }
}

function isOwn({ answers }: Submission, pattern: PersonPattern): boolean {
  return Object.values(answers)
    .flatMap(textsOf)
    .some((text) => pattern.isAnswer(text))
}

function textsOf(answer: Answer): string[] {
  if (answer === null || typeof answer === 'boolean') return []
  if (Array.isArray(answer)) return answer
  return [typeof answer === 'object' ? answer.name : String(answer)]
}

async function countParts(db: Db, leads: readonly number[]) {
  const parts = Object.fromEntries(COUNTED_TABLES.map((table) => [table, 0])) as Record<CountedTable, number>
  const receivers = new Map<string, Receiver>()
  const mailboxes = new Map<string, number>()
  for (let start = 0; start < leads.length; start += BATCH) {
    const ids = leads.slice(start, start + BATCH)
    const counts = await countOfLeads(db, ids)
    for (const table of COUNTED_TABLES) parts[table] += counts[table]
    for (const { address, count } of await countMailboxes(db, ids))
      mailboxes.set(address, count + (mailboxes.get(address) ?? 0))
    for (const { name, url, count } of await countReceivers(db, ids)) {
      const host = URL.parse(url)?.host ?? ''
      const key = `${name} ${host}`
      receivers.set(key, { name, host, count: count + (receivers.get(key)?.count ?? 0) })
    }
  }
  return {
    parts,
    receivers: [...receivers.values()],
    mailboxes: [...mailboxes].map(([address, count]) => ({ address, count })),
  }
}

/** Returns true if nothing about a person was found. */
export function isNothing({ leads, mentions, elsewhere, content }: FoundPerson): boolean {
  return leads.length + mentions.length + elsewhere.size + content.size === 0
}

/** Kinds of rows counted for a person. */
type FoundKind = CountedTable | 'leads' | 'mentions' | 'elsewhere' | 'content'

/** The numbers found, in the order of the screens. */
export function countFound({
  leads,
  parts,
  mentions,
  elsewhere,
  content,
}: FoundPerson): [FoundKind, number][] {
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0)
  return [
    ['leads', leads.length],
    ...COUNTED_TABLES.map((table): [FoundKind, number] => [table, parts[table]]),
    ['mentions', mentions.length],
    ['elsewhere', sum(elsewhere)],
    ['content', sum(content)],
  ]
}
