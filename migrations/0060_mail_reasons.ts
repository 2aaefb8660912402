import { type Kysely, sql } from 'kysely'

// After one attempt more a mail failed; before, the server had refused it.
const RETRIES = 6

/**
 * Gives mails that failed or were canceled a code for the reason. What the mail server said stays; an unknown sentence
 * too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notification_mails add column outcome_code text`.execute(db)
  await sql`update notification_mails set outcome_code = 'spam', last_error = null
    where status = 'cancelled' and last_error = 'The submission was marked as spam'`.execute(db)
  await sql`update notification_mails set outcome_code = 'other'
    where status = 'cancelled' and last_error is not null and outcome_code is null`.execute(db)
  await sql`update notification_mails
    set outcome_code = case when attempt_count > ${sql.lit(RETRIES)} then 'attempts_failed' else 'refused' end
    where status = 'failed'`.execute(db)
}
