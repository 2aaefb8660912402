import type { Generated } from 'kysely'

type Bool = 0 | 1

export type DeliveryStatus = 'pending' | 'delivering' | 'delivered' | 'failed' | 'skipped' | 'cancelled'

export interface WebhookTables {
  form_webhooks: {
    id: Generated<number>
    form_id: number
    name: Generated<string>
    url: string
    method: Generated<string>
    headers_json: string | null
    payload_template_json: string | null
    fire_on_json: string | null
    /** Ciphertext bound to this row and column; see src/lib/secret-box.ts. */
    signing_secret: string | null
    max_retries: Generated<number>
    enabled: Generated<Bool>
    /** 1: a redirect counts as delivered; it is never followed. */
    accept_redirect: Generated<Bool>
    created_at: Generated<string>
    /** The replaced secrets that sign too, each sealed and with its end, the newest first; null when there is none. */
    previous_secrets_json: string | null
    /** While set, nothing is sent and the queue is kept. */
    paused_at: string | null
    /** When and why the program switched the webhook off; null when a person did. */
    disabled_at: string | null
    disabled_code: string | null
    /** With the code `other`: the reason in words. */
    disabled_text: string | null
    /** The first failed attempt since the last delivery that arrived. */
    failing_since: string | null
  }
  webhook_deliveries: {
    id: Generated<number>
    /** Null in a test with sample answers. */
    submission_id: number | null
    status: Generated<DeliveryStatus>
    created_at: Generated<string>
    form_id: number | null
    webhook_id: number | null
    /** Sent as `webhook-id`; the same for every attempt. */
    message_id: string | null
    attempt_count: Generated<number>
    /** When the next attempt is due; null when none is. */
    next_attempt_at: string | null
    /** While `delivering`: changes with each renewal. Another process takes over a claim that is not renewed. */
    lease_expires_at: string | null
    /** Why it was skipped, failed or canceled, or cannot be sent yet; see src/webhooks/reasons. */
    outcome_code: string | null
    /** Parameters of the code's sentence; null without any. */
    outcome_params_json: string | null
    finished_at: string | null
    /** While `delivering`: the dispatcher that made the claim. */
    claimed_by: string | null
    /** While `skipped`: each rule of the condition with the value it saw. */
    trace_json: string | null
    is_test: Generated<Bool>
    /** The delivery that this one sends again. */
    replay_of: number | null
  }
  /** The exact body of a delivery's first attempt, sent again by every retry. */
  delivery_bodies: {
    delivery_id: number
    body: string
  }
  delivery_attempts: {
    id: Generated<number>
    delivery_id: number
    attempt_number: number
    started_at: string
    duration_ms: number
    request_url: string
    response_status: number | null
    response_headers_json: string | null
    response_body: string | null
    failure_kind: string | null
    failure_message: string | null
    request_method: string | null
    /** As sent, secrets shown as dots. */
    request_headers_json: string | null
  }
}
