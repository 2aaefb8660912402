import type { DisabledReason } from '../../messages/admin/webhooks/reasons.ts'

/** The reason in the columns of a webhook; null when it is on, or a person turned it off. */
export function readDisabledReason(row: {
  disabled_code: string | null
  disabled_text: string | null
}): DisabledReason | null {
  const { disabled_code: code, disabled_text: text } = row
  if (code === null) return null
  return code === 'gone' || code === 'always_failing'
    ? { code }
    : { code: 'other', params: { text: text ?? code } }
}
