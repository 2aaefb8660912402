import { z } from 'zod'
import { isSpamCode, type SpamReason } from '../messages/admin/spam.ts'

const params = z.record(z.string(), z.union([z.string(), z.number()]))

/** A reason as stored in its columns. */
export function spamColumns(reason: SpamReason | null) {
  return {
    spam_code: reason?.code ?? null,
    spam_params_json: reason?.params ? JSON.stringify(reason.params) : null,
  }
}

/** Returns the reason stored with a submission. An unknown code is shown as is. */
export function readSpamReason(row: {
  spam_code: string | null
  spam_params_json: string | null
}): SpamReason | null {
  const { spam_code: code, spam_params_json: text } = row
  if (code === null) return null
  if (!isSpamCode(code)) return { code: 'other', params: { text: code } }
  return { code, params: text === null ? undefined : params.parse(JSON.parse(text)) } as SpamReason
}
