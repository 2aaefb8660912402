import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import type { ChangedPage } from '../../publish/previews/changed-pages.ts'
import type { PreviewEdit, ShownPicture } from '../../publish/previews/preview-edit.ts'
import type { Preview } from '../../publish/previews/preview-store.ts'
import { escapeXml } from '../../site/pages/site-files.ts'
import { linksOf } from './page-links.ts'

/** Returns what changed, with links to the pages; empty if there is nothing to list. */
export function editList(
  { edits, hasMoreEdits, changes }: Pick<Preview, 'edits' | 'hasMoreEdits' | 'changes'>,
  base: string,
): string {
  if (edits.length === 0) return ''
  const more = hasMoreEdits ? `<p>${texts.moreEdits}</p>` : ''
  const pages = new Map(changes.map((page) => [page.key, page]))
  return `<h2 id="edits">${texts.edits}</h2>
<ul class="edits">
${edits.map((edit) => editItem(edit, { page: pages.get(edit.page ?? ''), base })).join('\n')}
</ul>${more}
`
}

interface Edited {
  /** The page that the edit is about. */
  page: ChangedPage | undefined
  base: string
}

function editItem({ name, kind, change, fields }: PreviewEdit, { page, base }: Edited): string {
  const state = fields.length > 0 && change === 'edited' ? '' : ` ${texts.editStates[change]}`
  const shown = fields.map(
    ({ label, parts }) => `<dt>${escapeXml(label)}</dt><dd>${versions(parts, base)}</dd>`,
  )
  const list = shown.length > 0 ? `<dl>${shown.join('')}</dl>` : ''
  const links = page ? `<p>${linksOf(page, base)}</p>` : ''
  return `<li><strong>${escapeXml(name)}</strong> <small>${escapeXml(kind)}</small>${state}${list}${links}</li>`
}

type Part = PreviewEdit['fields'][number]['parts'][number]

// The new version comes first; the one before it is folded.
function versions(parts: readonly Part[], base: string): string {
  if (parts.length === 0) return texts.editStates.edited
  const without = (change: Part['change']) =>
    parts.filter((part) => part.change !== change).map((part) => editPart(part, base))
  const now = without('removed').join('') || texts.emptied
  if (!parts.some(({ change }) => change === 'removed')) return now
  return `${now} <details><summary>${texts.former}</summary> ${without('added').join('')}</details>`
}

function editPart({ change, text, picture }: Part, base: string): string {
  const shown = picture ? pictureOf(picture, base) : escapeXml(text)
  if (change === 'same' || shown.trim() === '') return shown
  const element = change === 'added' ? 'ins' : 'del'
  const word = change === 'added' ? texts.addedText : texts.removedText
  return `<${element}><span class="word"> ${word} </span>${shown}</${element}>`
}

function pictureOf({ sha256, alt }: ShownPicture, base: string): string {
  return `<img src="${base}/pictures/${sha256}" alt="${escapeXml(alt)}" loading="lazy">`
}
