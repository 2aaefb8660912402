import type { Condition } from '../../conditions/conditions.ts'
import type { Json } from '../../lib/canonical-json.ts'
import type { DisabledReason } from '../../messages/admin/webhooks/reasons.ts'

export const WEBHOOK_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number]

/** A replaced secret: encrypted for `previousSecretPlace(id)`, with the time when it stops signing; UTC text. */
export interface PreviousSecret {
  sealed: string
  until: string
}

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
  /** True if it fires when no other webhook of its form does, and only then. */
  fallback: boolean
  /** Sealed for the place `signingSecretPlace(id)`. */
  signingSecret: string | null
  /** The former secrets, newest first; each also signs until it expires. */
  previousSecrets: readonly PreviousSecret[]
  maxRetries: number
  enabled: boolean
  /** True if a redirect counts as delivered; it is never followed. */
  acceptRedirect: boolean
  createdAt: string
  /** While set, nothing is sent and deliveries stay pending. */
  pausedAt: string | null
  /** When and why the program switched it off; null when a person did. */
  disabledAt: string | null
  disabledReason: DisabledReason | null
  /** The first failed attempt since the last delivery that arrived. */
  failingSince: string | null
  /** Problem of a stored column that cannot be read; the column's value is null then. */
  unreadable: Partial<Record<'method' | 'headers' | 'payloadTemplate' | 'fireOn', string>>
}
