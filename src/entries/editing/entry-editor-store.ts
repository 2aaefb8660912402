import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** A browser says that its editor is open every 20 seconds: see `colleagues.client.ts`. */
const GONE_AFTER_MS = 60_000
/** The page that a save leads to may be the editor again. */
const LEFT_AFTER_MS = 5_000

interface Editor {
  entryId: number
  userId: number
}

/** A user who has the editor of an entry open. */
export interface OpenEditor {
  email: string
  name: string | null
  /** UTC text. */
  since: string
}

/** Notes that a user has the editor of an entry open, and forgets those that said so a while ago. */
export async function noteEditor(db: Db, { entryId, userId }: Editor, { now }: { now: Date }): Promise<void> {
  const at = now.toISOString()
  await db.deleteFrom('entry_editors').where('seen_at', '<', goneBefore(now)).execute()
  await db
    .insertInto('entry_editors')
    .values({ entry_id: entryId, user_id: userId, since: at, seen_at: at })
    .onConflict((row) => row.columns(['entry_id', 'user_id']).doUpdateSet({ seen_at: sql`excluded.seen_at` }))
    .execute()
}

/** Notes that a user left the editor of an entry: it counts as open for some seconds more. */
export async function noteLeaving(
  db: Db,
  { entryId, userId }: Editor,
  { now }: { now: Date },
): Promise<void> {
  await db
    .updateTable('entry_editors')
    .set({ seen_at: goneBefore(new Date(now.getTime() + LEFT_AFTER_MS)) })
    .where('entry_id', '=', entryId)
    .where('user_id', '=', userId)
    .execute()
}

/** Lists the other users who have the editor of an entry open, the longest first. */
export async function listOtherEditors(
  db: Db,
  { entryId, userId }: Editor,
  { now }: { now: Date },
): Promise<OpenEditor[]> {
  return db
    .selectFrom('entry_editors as editor')
    .innerJoin('admin_users as user', 'user.id', 'editor.user_id')
    .select(['user.email', 'user.name', 'editor.since'])
    .where('editor.entry_id', '=', entryId)
    .where('editor.user_id', '<>', userId)
    .where('editor.seen_at', '>=', goneBefore(now))
    .orderBy('editor.since')
    .execute()
}

function goneBefore(now: Date): string {
  return new Date(now.getTime() - GONE_AFTER_MS).toISOString()
}
