import { COUNTED_SUBMISSIONS } from '../../forms/form-list-store.ts'
import { formsPage } from '../../messages/admin/forms.ts'

/** Formats a number of submissions from `listFormSummaries`: `12`, or `more than 10,000`. */
export function describeCount(count: number): string {
  const most = COUNTED_SUBMISSIONS.toLocaleString('en-US')
  return count > COUNTED_SUBMISSIONS ? formsPage.moreThan(most) : count.toLocaleString('en-US')
}
