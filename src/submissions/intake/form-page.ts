import type { SubmissionOrigin } from '../../db/tables/submission-origin.ts'

/** Subject of the page that showed a form. */
export type FormPage = Omit<SubmissionOrigin, 'pagePath'>

/** Returns what a submission stores about its page; all null without a page. */
export function toOrigin(page: FormPage | undefined): FormPage {
  const { serviceSlug = null, serviceName = null, serviceId = null } = page ?? {}
  const { locationSlug = null, locationName = null, locationPath = null, locationId = null } = page ?? {}
  return { serviceSlug, serviceName, serviceId, locationSlug, locationName, locationPath, locationId }
}
