import type { Selectable } from 'kysely'
import type { Schema } from '../schema.ts'
import type { FromRow } from './columns.ts'

type OriginColumn =
  | 'page_path'
  | 'service_slug'
  | 'service_id'
  | 'service_name'
  | 'location_slug'
  | 'location_id'
  | 'location_name'
  | 'location_path'

/**
 * Page of the form when it was sent: a path such as `/services/ac-repair/austin`, its service, and its place with the
 * slugs from the root. All null if the post named no page, or an unknown one. The IDs stay whatever the slugs become; 0
 * means that the service or place can no longer be determined.
 */
export type SubmissionOrigin = FromRow<Pick<Selectable<Schema['form_submissions']>, OriginColumn>>
