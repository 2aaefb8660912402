import { TOUCH_KEYS, type TouchKey } from '../db/tables/submission-source.ts'
import type { Json } from '../lib/canonical-json.ts'

/** A submission's answers by field name, as `data_json` holds them (§2.4). */
export type Answers = Readonly<Record<string, Json>>

/** The keys of the last and of the first touch (contract §8), and of the pages seen before. */
export const TOUCH_META_KEYS = [
  ...TOUCH_KEYS,
  ...TOUCH_KEYS.map((key) => `first_${key}` as const),
  'pages_seen',
] as const

/** The keys of the kind of the last and of the first touch: `ads`, `search`, `direct`. */
export const KIND_META_KEYS = ['source_kind', 'first_source_kind'] as const

/** The keys of `meta` in contract §6 and §8. */
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
  'service_name',
  'location_slug',
  'location_name',
  'location_path',
  'site_url',
  'admin_url',
  'is_test',
  ...KIND_META_KEYS,
  ...TOUCH_META_KEYS,
] as const

/** The keys that are null where there is nothing to say; the path is the location's slugs from the root, joined by `/`. */
export const NULLABLE_META_KEYS = [
  ...(['page_url', 'page_path', 'service_slug', 'service_name'] as const),
  ...(['location_slug', 'location_name', 'location_path'] as const),
  ...KIND_META_KEYS,
  ...TOUCH_META_KEYS,
]

export type TouchMeta = Record<TouchKey, string | null>
export type FirstTouchMeta = Record<`first_${TouchKey}`, string | null>

export interface DeliveryMeta extends Record<(typeof NULLABLE_META_KEYS)[number], string | null> {
  submission_id: number
  form_id: number
  form_slug: string
  form_name: string
  webhook_id: number
  webhook_name: string
  delivery_id: number
  submitted_at: string
  site_url: string
  admin_url: string
  is_test: boolean
}

/** The `meta` that is known before the deliveries of a submission exist. */
export type SubmissionMeta = Omit<DeliveryMeta, 'webhook_id' | 'webhook_name' | 'delivery_id'>
