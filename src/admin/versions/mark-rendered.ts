import { diffArrays } from 'diff'
import { versionTexts } from '#src/messages/admin/history/versions.ts'

// If texts differ more than this, words they share by chance would only distract.
const MAX_CHANGES = 2_000
const PARTS = /<[^>]*>|&#?\w+;|\s+|[^\s<&]+|&/g

const MARKS = {
  del: { look: 'bg-error/15', name: versionTexts.removedText },
  ins: { look: 'bg-success/15', name: versionTexts.addedText },
} as const

/** Marks the words that differ between two texts in HTML: those removed in the first one, and those added in the second. */
export function markRendered(before: string, after: string): [string, string] {
  const changes = diffArrays(partsOf(before), partsOf(after), { maxEditLength: MAX_CHANGES, timeout: 200 })
  if (!changes) return [before, after]
  const side = (
    mark: keyof typeof MARKS,
    isOfSide: (change: { added: boolean; removed: boolean }) => boolean,
  ) =>
    changes
      .filter(isOfSide)
      .map(({ added, removed, value }) => (added || removed ? marked(value, mark) : value.join('')))
      .join('')
  return [side('del', ({ added }) => !added), side('ins', ({ removed }) => !removed)]
}

function partsOf(html: string): string[] {
  return html.match(PARTS) ?? []
}

// Only words are wrapped, and never a tag, so that elements stay whole.
function marked(parts: readonly string[], mark: keyof typeof MARKS): string {
  const { look, name } = MARKS[mark]
  const wrap = (words: string) =>
    words.trim() === ''
      ? words
      : `<${mark} class="${look}"><span class="sr-only">${name} </span>${words}</${mark}>`
  let html = ''
  let words = ''
  for (const part of parts) {
    if (!isTag(part)) {
      words += part
      continue
    }
    html += wrap(words) + part
    words = ''
  }
  return html + wrap(words)
}

function isTag(part: string): boolean {
  return part.startsWith('<') && part.length > 1
}
