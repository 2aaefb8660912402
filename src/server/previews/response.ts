import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import type { PreviewAnswer } from '../../publish/previews/answer-store.ts'
import type { KnownPreview } from '../../publish/previews/make-preview.ts'
import { escapeXml } from '../../site/pages/site-files.ts'

/** A preview as someone with its link sees it. */
export interface ShownPreview extends KnownPreview {
  /** The address of the preview. */
  base: string
  timeZone: string
}

/** Formats `December 6, 2026`. */
export function dayOf(at: string, timeZone: string): string {
  return new Date(at).toLocaleDateString('en-US', { dateStyle: 'long', timeZone })
}

/**
 * Returns the state of a preview in one box: that an answer was sent, that the pages went live or are outdated, or who
 * answered what.
 */
export function stateBox(shown: ShownPreview, sent?: string): string {
  const { answers } = shown
  // The address alone must not claim an answer.
  const thanks = answers.find(({ kind }) => kind === sent)
  const parts = thanks ? [texts.sent[thanks.kind]] : stateParts(shown)
  const [said = '', ...notes] = parts.map((part) => escapeXml(part).trim())
  const note = notes.map((one) => `<p class="note">${one}</p>`).join('')
  return `<div role="status"><p>${said}</p>${note}</div>`
}

function stateParts({ preview, state, answers, timeZone }: ShownPreview): string[] {
  const { publishedAt, approvedBy } = preview
  if (publishedAt !== null) return [texts.published(dayOf(publishedAt, timeZone))]
  if (state === 'older') return [texts.older]
  if (approvedBy !== null) return [texts.approved(approvedBy)]
  const asked = answers.findLast(isRequest)
  return asked ? [texts.asked(asked.name), asked.note ?? ''] : [texts.waiting]
}

function isRequest({ kind }: PreviewAnswer): boolean {
  return kind === 'changes'
}

/** Returns the form for an answer; empty for a preview whose pages are approved, live, or outdated. */
export function answerForm({ preview, state, base }: ShownPreview, problem?: string): string {
  if (state !== 'open' && state !== 'changes') return ''
  return `<h2 id="answer">${texts.approval}</h2>
<form method="post" action="${base}">
<input type="hidden" name="pages" value="${preview.pagesSha256}">
${problem === undefined ? '' : `<p role="alert">${problem}</p>`}
<label>${texts.name}<input name="name" required maxlength="80" autocomplete="name"></label>
<label>${texts.note}<textarea name="note" rows="4" maxlength="500"></textarea></label>
<p>${texts.approveHint}</p>
<button type="submit" name="answer" value="approved">${texts.approve}</button>
<button type="submit" name="answer" value="changes">${texts.askChanges}</button>
</form>`
}
