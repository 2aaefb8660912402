import type { SubmissionOrigin } from '../../db/tables/submission-origin.ts'
import type { SubmissionMeta } from '../../templates/meta.ts'

export interface MetaSource extends SubmissionOrigin {
  id: number
  submittedAt: string
  form: { id: number; slug: string; name: string }
}

/** The part of `meta` that a submission itself determines (contract §6). `siteUrl` has no trailing slash. */
export function submissionMeta(submission: MetaSource, { siteUrl }: { siteUrl: string }): SubmissionMeta {
  return {
    submission_id: submission.id,
    form_id: submission.form.id,
    form_slug: submission.form.slug,
    form_name: submission.form.name,
    submitted_at: submission.submittedAt,
    page_url: submission.pagePath === null ? null : siteUrl + submission.pagePath,
    page_path: submission.pagePath,
    service_slug: submission.serviceSlug,
    location_slug: submission.locationSlug,
    location_name: submission.locationName,
    location_path: submission.locationPath,
    site_url: siteUrl,
    is_test: false,
  }
}
