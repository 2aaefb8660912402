import type { Db } from '../../db/schema.ts'
import { listWebhookRows, toWebhook, type WebhookRow } from '../definition/webhook-store.ts'
import { listValidPrevious } from '../secrets/signing-secrets.ts'
import { type Opening, openWebhook, type Readiness } from './sendable-webhook.ts'

interface Known {
  row: WebhookRow
  /** When the next of the replaced secrets expires; UTC text. */
  until: string | null
  readiness: Readiness
}

/** Reads webhooks that are to be sent. */
export type WebhookReader = ReturnType<typeof createWebhookReader>

/** Returns a reader that decrypts each state of a webhook only once. */
export function createWebhookReader(opening: Omit<Opening, 'now'>) {
  const known = new Map<number, Known>()
  return {
    /**
     * The existing ones among these webhooks, by ID. A webhook that has not changed since it was last read comes back
     * as the same object, for the cost of reading its row.
     */
    async read(db: Db, ids: readonly number[], { now }: { now: Date }): Promise<Map<number, Readiness>> {
      const rows = await listWebhookRows(db, ids)
      const moment = now.toISOString()
      return new Map(
        rows.map((row) => {
          const before = known.get(row.id)
          if (before && isSame(before.row, row) && (before.until === null || moment < before.until))
            return [row.id, before.readiness]
          const webhook = toWebhook(row)
          const readiness = openWebhook(webhook, { ...opening, now })
          const [until = null] = listValidPrevious(webhook, now)
            .map((secret) => secret.until)
            .sort()
          known.set(row.id, { row, until, readiness })
          return [row.id, readiness]
        }),
      )
    },
  }
}

function isSame(one: WebhookRow, other: WebhookRow): boolean {
  return (Object.keys(one) as (keyof WebhookRow)[]).every((column) => one[column] === other[column])
}
