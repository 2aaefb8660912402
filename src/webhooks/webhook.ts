import type { Json } from '../lib/canonical-json.ts'
import type { Condition } from './conditions.ts'

export const WEBHOOK_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number]

/** A row of `form_webhooks` (§2.3). */
export interface Webhook {
  id: number
  formId: number
  name: string
  url: string
  method: WebhookMethod
  headers: Record<string, string> | null
  payloadTemplate: Json | null
  fireOn: Condition | null
  /** Sealed for the place `signingSecretPlace(id)`. */
  signingSecret: string | null
  maxRetries: number
  enabled: boolean
  createdAt: string
  /** What is wrong with a stored column that cannot be read; the column's value is null then. */
  unreadable: Partial<Record<'method' | 'headers' | 'payloadTemplate' | 'fireOn', string>>
}
