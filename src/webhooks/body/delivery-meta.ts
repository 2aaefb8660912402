import type { Json } from '../../lib/canonical-json.ts'

/** A submission's answers by field name, as `data_json` holds them (§2.4). */
export type Answers = Readonly<Record<string, Json>>

/** The keys of `meta` in contract §6. */
export const META_KEYS = [
  'submission_id',
  'form_id',
  'form_slug',
  'form_name',
  'webhook_id',
  'webhook_name',
  'delivery_id',
  'submitted_at',
  'page_url',
  'page_path',
  'service_slug',
  'location_slug',
  'location_name',
  'location_path',
  'site_url',
  'is_test',
] as const

export interface DeliveryMeta {
  submission_id: number
  form_id: number
  form_slug: string
  form_name: string
  webhook_id: number
  webhook_name: string
  delivery_id: number
  submitted_at: string
  /** Address and path of the page the form stood on. */
  page_url: string | null
  page_path: string | null
  service_slug: string | null
  location_slug: string | null
  location_name: string | null
  /** The location's slugs from the root, joined by `/`. */
  location_path: string | null
  site_url: string
  is_test: boolean
}

type NullableKey = {
  [Key in keyof DeliveryMeta]: null extends DeliveryMeta[Key] ? Key : never
}[keyof DeliveryMeta]

/** The keys that are null where there is nothing to say. */
export const NULLABLE_META_KEYS: Readonly<Record<NullableKey, true>> = {
  page_url: true,
  page_path: true,
  service_slug: true,
  location_slug: true,
  location_name: true,
  location_path: true,
}

/** What is known before the deliveries of a submission exist. */
export type SubmissionMeta = Omit<DeliveryMeta, 'webhook_id' | 'webhook_name' | 'delivery_id'>
