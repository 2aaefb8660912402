import type { SubmissionOrigin } from '../../db/tables/submission-origin.ts'
import { type SubmissionSource, TOUCH_KEYS, type Touch } from '../../db/tables/submission-source.ts'
import type { FirstTouchMeta, SubmissionMeta, TouchMeta } from '../../templates/meta.ts'
import { sourceKind, sourceName } from '../../templates/source-name.ts'

export interface MetaSource extends Omit<SubmissionOrigin, 'serviceId' | 'locationId'> {
  id: number
  submittedAt: string
  form: { id: number; slug: string; name: string }
  /** Name of the last touch, such as `search:bing`. */
  sourceName?: string | null | undefined
  source?: SubmissionSource | null
}

/** Origins of the site and its admin, without trailing slashes. */
export interface Origins {
  siteUrl: string
  /** `siteUrl` unless the admin has its own host. */
  adminUrl?: string | undefined
}

/** The part of `meta` that a submission itself determines (contract §6). */
export function submissionMeta(
  submission: MetaSource,
  { siteUrl, adminUrl = siteUrl }: Origins,
): SubmissionMeta {
  return {
    submission_id: submission.id,
    form_id: submission.form.id,
    form_slug: submission.form.slug,
    form_name: submission.form.name,
    submitted_at: submission.submittedAt,
    page_url: submission.pagePath === null ? null : siteUrl + submission.pagePath,
    page_path: submission.pagePath,
    service_slug: submission.serviceSlug,
    service_name: submission.serviceName,
    location_slug: submission.locationSlug,
    location_name: submission.locationName,
    location_path: submission.locationPath,
    site_url: siteUrl,
    admin_url: leadUrl(submission.id, adminUrl),
    is_test: false,
    source_kind: sourceKind(submission.sourceName),
    first_source_kind: firstSourceKind(submission.source, siteUrl),
    ...touchMeta(submission.source?.last),
    ...firstTouchMeta(submission.source?.first),
    pages_seen: submission.source?.pages?.join(', ') ?? null,
  }
}

function firstSourceKind(source: MetaSource['source'], siteUrl: string): string | null {
  const ownHosts = new Set(URL.canParse(siteUrl) ? [new URL(siteUrl).host] : [])
  return source?.first ? sourceKind(sourceName(source.first, ownHosts)) : null
}

function touchMeta(touch: Touch = {}): TouchMeta {
  return Object.fromEntries(TOUCH_KEYS.map((key) => [key, touch[key] ?? null])) as TouchMeta
}

function firstTouchMeta(touch: Touch = {}): FirstTouchMeta {
  return Object.fromEntries(TOUCH_KEYS.map((key) => [`first_${key}`, touch[key] ?? null])) as FirstTouchMeta
}

/** The address of a lead in the admin; that of the inbox for a sample. */
export function leadUrl(id: number, adminUrl: string): string {
  return id > 0 ? `${adminUrl}/admin/inbox/${id}` : `${adminUrl}/admin/inbox`
}
