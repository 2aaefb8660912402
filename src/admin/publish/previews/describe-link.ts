import { previewTexts } from '#src/messages/admin/history/previews.ts'
import type { KnownPreview } from '#src/publish/previews/make-preview.ts'

/** Describes the state of a new preview link. */
export function describeLink({ preview, state }: KnownPreview): string {
  if (state === 'making') return previewTexts.makingHint
  if (state === 'older') return previewTexts.older
  return preview.failureMessage ?? previewTexts.ready
}
