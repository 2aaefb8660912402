import { z } from 'zod'
import type { Db } from '../db/schema.ts'
import { fromRow } from '../db/tables/columns.ts'
import { jsonColumn } from '../lib/json-column.ts'
import type { Person } from './person.ts'

/** User who requested an erasure. */
export interface Eraser {
  userId: number | null
  userEmail: string
  address: string
}

/** An erasure in the admin's list, without the person. */
export interface Erasure {
  id: number
  requestedAt: string
  userEmail: string
  leads: number
  files: number
  texts: number
  finishedAt: string | null
  /** See the table. */
  removal: number | null
}

const personColumn = jsonColumn(
  z.object({
    email: z.string().nullable(),
    phone: z.object({ shown: z.string(), countryCode: z.string(), digits: z.string() }).nullable(),
    text: z.string().nullable(),
    deletesMentions: z.boolean(),
  }),
)

/** Stores an erasure request; returns its ID. */
export async function insertErasure(
  db: Db,
  person: Person,
  { userId, userEmail, address }: Eraser,
  { now }: { now: Date },
): Promise<number> {
  const { id } = await db
    .insertInto('privacy_erasures')
    .values({
      requested_at: now.toISOString(),
      ...{ user_id: userId, user_email: userEmail, address },
      person_json: personColumn.encode(person),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the oldest unfinished erasure, with the person and the requesting user. */
export async function findUnfinished(db: Db): Promise<({ id: number; person: Person } & Eraser) | undefined> {
  const row = await db
    .selectFrom('privacy_erasures')
    .select(['id', 'person_json', 'user_id', 'user_email', 'address'])
    .where('person_json', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!row?.person_json) return undefined
  const { id, user_id: userId, user_email: userEmail, address } = row
  return { id, userId, userEmail, address, person: personColumn.decode(row.person_json) }
}

/** Adds to an erasure's numbers. */
export async function addErased(
  db: Db,
  id: number,
  { leads = 0, files = 0, texts = 0 }: { leads?: number; files?: number; texts?: number },
): Promise<void> {
  await db
    .updateTable('privacy_erasures')
    .set(({ eb }) => ({
      leads: eb('leads', '+', leads),
      files: eb('files', '+', files),
      texts: eb('texts', '+', texts),
    }))
    .where('id', '=', id)
    .execute()
}

/** Deletes the person's details; returns the erasure, or undefined if another process finished it. */
export async function finishErasure(
  db: Db,
  id: number,
  { now, removal }: { now: Date; removal: number | undefined },
): Promise<Erasure | undefined> {
  const row = await db
    .updateTable('privacy_erasures')
    .set({ person_json: null, finished_at: now.toISOString(), removal: removal ?? null })
    .where('id', '=', id)
    .where('person_json', 'is not', null)
    .returning(SHOWN)
    .executeTakeFirst()
  return row && fromRow(row)
}

const SHOWN = [
  'id',
  'requested_at',
  'user_email',
  'leads',
  'files',
  'texts',
  'finished_at',
  'removal',
] as const

/** Lists the latest erasures, newest first. */
export async function listErasures(db: Db, { limit }: { limit: number }): Promise<Erasure[]> {
  const rows = await db
    .selectFrom('privacy_erasures')
    .select(SHOWN)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(fromRow)
}

/** Returns the erasure with that ID. */
export async function findErasure(db: Db, id: number): Promise<Erasure | undefined> {
  const row = await db.selectFrom('privacy_erasures').select(SHOWN).where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** Returns the number of removals after which the file must be rewritten because of an erasure; 0 without one. */
export async function findNeededRewrite(db: Db): Promise<number> {
  const row = await db
    .selectFrom('privacy_erasures')
    .select(({ fn }) => fn.max('removal').as('removal'))
    .executeTakeFirst()
  return Number(row?.removal ?? 0)
}
