import type { Kysely } from 'kysely'
import { engineOf, jsonListOf } from '../../db/dialects.ts'
import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db, Schema } from '../../db/schema.ts'
import type { DisabledReason } from '../../messages/admin/webhooks/reasons.ts'
import { readDisabledReason } from '../reasons/disabled-reason.ts'
import { ATTEMPT_COLUMNS, type LoggedAttempt, toAttempt } from './attempt-store.ts'
import { type DeliveryRecord, type LogRow, selectFiltered, toRecord } from './delivery-log-store.ts'

/** A webhook that is turned off. */
export interface OffWebhook {
  id: number
  name: string
  disabledReason: DisabledReason | null
}

/** A delivery with its attempts, oldest first. */
export type AttemptedDelivery = DeliveryRecord & { attempts: LoggedAttempt[] }

/**
 * Lists a submission's latest deliveries, oldest first, and its form's webhooks that are off and have none of these;
 * in one query.
 */
export async function listDeliveriesOf(
  db: Db,
  { id, formId }: { id: number; formId: number | null },
  { scope, limit }: { scope: LeadScope; limit: number },
): Promise<{ deliveries: AttemptedDelivery[]; off: OffWebhook[] }> {
  const latest = selectFiltered(db, { submissionId: id, scope })
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(limit)
  const off = (db as Kysely<Schema>)
    .selectFrom('form_webhooks')
    .select(['id as off_id', 'name as off_name', 'disabled_code', 'disabled_text'])
    .where('form_id', '=', formId ?? 0)
    .where('enabled', '=', 0)
  const rows = await (db as Kysely<Schema>)
    .selectFrom(latest.as('delivery'))
    .fullJoin(off.as('off'), 'off.off_id', 'delivery.webhook_id')
    .selectAll(['delivery', 'off'])
    .select(({ selectFrom }) =>
      selectFrom('delivery_attempts')
        .select(jsonListOf(engineOf(db), ATTEMPT_COLUMNS, { orderBy: 'id' }).as('list'))
        .whereRef('delivery_attempts.delivery_id', '=', 'delivery.id')
        .as('attempts'),
    )
    .orderBy('delivery.id')
    .orderBy('off_id')
    .execute()
  return {
    deliveries: rows.flatMap(({ off_id, off_name, disabled_code, disabled_text, attempts, ...row }) =>
      row.id === null
        ? []
        : { ...toRecord(row as LogRow), attempts: JSON.parse(attempts ?? '[]').map(toAttempt) },
    ),
    off: rows.flatMap(({ id, off_id, off_name, disabled_code, disabled_text }) =>
      id !== null || off_id === null
        ? []
        : {
            ...{ id: off_id, name: off_name ?? '' },
            disabledReason: readDisabledReason({ disabled_code, disabled_text }),
          },
    ),
  }
}
