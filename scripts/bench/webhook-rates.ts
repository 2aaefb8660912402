import type { WebhookWorkload } from './webhook-workload.ts'

const MS_PER_SECOND = 1_000

/** Posts forms that need this many deliveries, and returns the deliveries per second of the dispatcher. */
export async function wholeRate(
  workload: WebhookWorkload,
  { webhooks, deliveries }: { webhooks: number; deliveries: number },
): Promise<number> {
  await workload.submit(deliveries / webhooks)
  const { promise: finished, resolve } = Promise.withResolvers<void>()
  let delivered = 0
  const onDelivered = () => {
    delivered += 1
    if (delivered === deliveries) resolve()
  }
  const dispatcher = workload.createDispatcher({ onDelivered })
  const start = performance.now()
  dispatcher.start()
  await finished
  const elapsedMs = performance.now() - start
  await dispatcher.stop()
  return (deliveries / elapsedMs) * MS_PER_SECOND
}

export interface SentRequest {
  headers: Record<string, string>
  body: string
}

/** Returns the newest request of the log as it was sent; the loop without a queue sends it again and again. */
export async function lastRequest({ db }: WebhookWorkload): Promise<SentRequest> {
  const row = await db
    .selectFrom('delivery_attempts')
    .innerJoin('delivery_bodies', 'delivery_bodies.delivery_id', 'delivery_attempts.delivery_id')
    .select(['request_headers_json', 'body'])
    .orderBy('delivery_attempts.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { headers: JSON.parse(row.request_headers_json ?? '{}'), body: row.body }
}
