import type { APIContext } from 'astro'
import { leadActivity } from '../../messages/admin/leads.ts'
import { recordChange } from '../audit/record-change.ts'

/**
 * Records that a lead was opened, by its ID, because the log is kept forever. Exports and downloads are always
 * recorded.
 */
export function recordReading(context: Pick<APIContext, 'locals'>, id: number): Promise<void> {
  return recordChange(context, { action: 'submission.opened', id, summary: leadActivity.opened(id) })
}
