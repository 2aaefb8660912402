import type { Db } from '../db/schema.ts'
import { listAdministrators } from './administrator-store.ts'
import { can } from './roles/capabilities.ts'

/** Returns true if a user gets the monthly report. Owners get it unless they opt out. */
export async function getsReport(db: Db, { id, role }: { id: number; role: string }): Promise<boolean> {
  const row = await db.selectFrom('admin_users').select('gets_report').where('id', '=', id).executeTakeFirst()
  return row?.gets_report === 1 || (row?.gets_report == null && role === 'owner')
}

/** Stores a user's choice. */
export async function setGetsReport(db: Db, id: number, isChosen: boolean): Promise<void> {
  await db
    .updateTable('admin_users')
    .set({ gets_report: isChosen ? 1 : 0 })
    .where('id', '=', id)
    .execute()
}

/** Lists the users who get the monthly report: accounts created before that time that may see results. */
export async function listReportReaders(db: Db, { since }: { since: string }): Promise<number[]> {
  const readers: number[] = []
  for (const user of await listAdministrators(db)) {
    const isReady = user.disabledAt === null && !user.isInvited && user.createdAt < since
    if (isReady && can(user, 'read_results') && (await getsReport(db, user))) readers.push(user.id)
  }
  return readers
}
