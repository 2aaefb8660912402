import type { DeliveryStatus } from '../../db/tables/webhook-tables.ts'
import type { DeliveryFilter } from '../../webhooks/deliveries/delivery-log-store.ts'

/** The states to filter by, in menu order. */
export const STATUSES: readonly DeliveryStatus[] = [
  'pending',
  'delivering',
  'delivered',
  'failed',
  'skipped',
  'cancelled',
]

type Filter = Pick<DeliveryFilter, 'formId' | 'webhookId' | 'submissionId'> & {
  status?: DeliveryStatus | undefined
}

/** Reads the filter from a list's URL, ignoring invalid values. */
export function readFilter(search: URLSearchParams): { filter: Filter; before: number | undefined } {
  const id = (name: string) => {
    const text = search.get(name) ?? ''
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
  }
  const status = STATUSES.find((one) => one === search.get('status'))
  const filter = { formId: id('form'), webhookId: id('webhook'), submissionId: id('submission'), status }
  return { filter, before: id('before') }
}

/** Returns the URL of a list, starting after the delivery `before`. */
export function addressOf({ formId, webhookId, submissionId, status }: Filter, before?: number): string {
  const asked = { form: formId, webhook: webhookId, submission: submissionId, status, before }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? '/admin/deliveries' : `/admin/deliveries?${search}`
}
