import { sql } from 'kysely'
import { EVERY_LEAD } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import type { DisabledReason } from '../../messages/admin/webhooks/reasons.ts'
import { cancelDeliveries } from '../deliveries/cancel-deliveries.ts'
import { readDisabledReason } from '../reasons/disabled-reason.ts'

/**
 * Turns a webhook off for a reason that the admin shows, and cancels its pending deliveries. A webhook that is off
 * already keeps its reason.
 */
export async function disableWebhook(
  db: Db,
  id: number,
  { reason, now }: { reason: Exclude<DisabledReason, { code: 'other' }>; now: Date },
): Promise<void> {
  await db
    .updateTable('form_webhooks')
    .set({ enabled: 0, disabled_at: now.toISOString(), disabled_code: reason.code })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .execute()
  await cancelForOff(db, id, { now })
}

/** Cancels the pending deliveries of a webhook that is off, except tests. */
export function cancelForOff(db: Db, webhookId: number, { now }: { now: Date }): Promise<number> {
  return cancelDeliveries(
    db,
    { webhookId, isTest: false, scope: EVERY_LEAD },
    { reason: { code: 'webhook_off' }, now },
  )
}

/**
 * Sets or clears the pause. Days without attempts don't count as days of failure. Returns false if there is no such
 * webhook.
 */
export async function updatePause(db: Db, id: number, pausedAt: string | null): Promise<boolean> {
  const unlessResumed = sql<string | null>`case when paused_at is null then failing_since end`
  const result = await db
    .updateTable('form_webhooks')
    .set({ paused_at: pausedAt, ...(pausedAt === null && { failing_since: unlessResumed }) })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Starts a streak of failures for these webhooks, unless they are in one. */
export async function beginFailing(db: Db, ids: readonly number[], { now }: { now: Date }): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('form_webhooks')
    .set({ failing_since: now.toISOString() })
    .where('id', 'in', ids)
    .where('failing_since', 'is', null)
    .execute()
}

export async function endFailing(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('form_webhooks')
    .set({ failing_since: null })
    .where('id', 'in', ids)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Lists the active webhooks whose attempts have all failed since `since` or longer. */
export async function listFailingSince(
  db: Db,
  ids: readonly number[],
  { since }: { since: Date },
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('form_webhooks')
    .select('id')
    .where('id', 'in', ids)
    .where('enabled', '=', 1)
    .where('failing_since', '<=', since.toISOString())
    .execute()
  return rows.map(({ id }) => id)
}

/** A webhook that fails, or that the program turned off because it failed. */
export interface FailingWebhook {
  id: number
  name: string
  formSlug: string
  formName: string
  failingSince: string | null
  disabledReason: DisabledReason | null
}

/** Lists webhooks that fail or were turned off by the program, longest first. */
export async function listFailingWebhooks(db: Db): Promise<FailingWebhook[]> {
  const rows = await db
    .selectFrom('form_webhooks')
    .innerJoin('forms', 'forms.id', 'form_webhooks.form_id')
    .select(['form_webhooks.id', 'form_webhooks.name', 'failing_since as failingSince'])
    .select(['forms.slug as formSlug', 'forms.name as formName', 'disabled_code', 'disabled_text'])
    .where(({ eb, or, and }) =>
      or([
        and([eb('failing_since', 'is not', null), eb('enabled', '=', 1)]),
        eb('disabled_code', 'is not', null),
      ]),
    )
    .orderBy('failing_since')
    .execute()
  return rows.map(({ disabled_code, disabled_text, ...row }) => ({
    ...row,
    disabledReason: readDisabledReason({ disabled_code, disabled_text }),
  }))
}
