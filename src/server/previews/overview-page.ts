import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import { type ChangedPage, PAGES_LISTED } from '../../publish/previews/changed-pages.ts'
import { countKinds, kindOfPage, PAGE_KINDS, type PageKind } from '../../publish/previews/page-kinds.ts'
import { escapeXml } from '../../site/pages/site-files.ts'
import { editList } from './edit-list.ts'
import { link, linksOf } from './page-links.ts'
import { previewDocument } from './preview-document.ts'
import { answerForm, dayOf, type ShownPreview, stateBox } from './response.ts'

/** Number of pages that are listed without folding. */
const FEW_PAGES = 5

interface Overview extends ShownPreview {
  /** The number of the list of changed pages to show, from 1, and its pages. */
  list: number
  pages: readonly ChangedPage[]
  /** The name of the business. */
  site: string | undefined
  /** Fault of a posted answer. */
  problem?: string | undefined
  /** The answer that this visitor has just sent. */
  sent?: string | undefined
}

/** Returns what changed, with the pages that were edited, then the other changed pages, then the form for an answer. */
export function overviewPage(overview: Overview): string {
  const { preview, list, base, site, timeZone, problem, sent } = overview
  const lead = preview.publishedAt === null ? texts.lead : texts.leadLive
  const main =
    list === 1
      ? `${stateBox(overview, sent)}
${editList(preview, base)}${otherPages(overview)}
${answerForm(overview, problem)}`
      : `<p class="steps">${link(base, texts.back)}</p>
<h2 id="pages">${texts.pages(preview.pageCount)}</h2>
${listSteps(overview)}${groupsOf(overview.pages, overview)}`
  return previewDocument(
    escapeXml(texts.title(site)),
    `<p>${lead(dayOf(preview.expiresAt, timeZone))}</p>
${main}`,
  )
}

// A list of many pages is folded, so that the answer stays near what was edited.
function otherPages(overview: Overview): string {
  const { preview, pages, base } = overview
  const edited = new Set(preview.edits.flatMap(({ page }) => page ?? []))
  const others = pages.filter(({ key }) => !edited.has(key))
  const count = preview.pageCount - pages.length + others.length
  if (count === 0) return ''
  const added = others.filter(({ change }) => change === 'added')
  const isFew = count === others.length && added.length <= FEW_PAGES
  const shown = preview.edits.length > 0 && isFew ? added : []
  const folded = others.filter((page) => !shown.includes(page))
  const first = shown.length > 0 ? `<h2>${texts.newPages}</h2>${itemsOf(shown, base, 'added')}` : ''
  return first + (folded.length > 0 ? foldedPages(overview, folded, count - shown.length) : '')
}

function foldedPages(overview: Overview, pages: readonly ChangedPage[], count: number): string {
  const { edits } = overview.preview
  const isSharing = count === pages.length && pages.every(({ change }) => change === 'changed')
  const others = isSharing ? texts.sharing(count) : texts.others(count)
  const isOpen = edits.length === 0 && count <= FEW_PAGES ? ' open' : ''
  return `<details id="pages"${isOpen}><summary>${edits.length === 0 ? texts.pages(count) : others}</summary>
${overview.preview.pageCount > overview.pages.length ? listSteps(overview) : ''}${groupsOf(pages, overview)}</details>`
}

// A list of some pages doesn't know how many there are of each kind.
function groupsOf(pages: readonly ChangedPage[], { preview, pages: listed, base }: Overview): string {
  const counts = listed.length === preview.pageCount ? countKinds(pages) : preview.kinds
  const groups = Map.groupBy(pages, kindOfPage)
  const group = (kind: PageKind, shown: readonly ChangedPage[]) =>
    `<h3>${texts.kinds[kind](counts[kind] ?? shown.length)}</h3>
${itemsOf(shown, base)}`
  return PAGE_KINDS.flatMap((kind) => {
    const shown = groups.get(kind)
    return shown ? [group(kind, shown)] : []
  }).join('\n')
}

function itemsOf(
  pages: readonly ChangedPage[],
  base: string,
  told: ChangedPage['change'] = 'changed',
): string {
  return `<ul>
${pages.map((page) => listItem(page, base, told)).join('\n')}
</ul>`
}

function listSteps({ preview: { pageCount }, list, pages, base }: Overview): string {
  const start = (list - 1) * PAGES_LISTED
  const end = start + pages.length
  const to = (other: number, label: string) => link(`${base}?list=${other}#pages`, label)
  const before = list > 1 ? to(list - 1, texts.previousList) : ''
  const after = end < pageCount ? to(list + 1, texts.nextList) : ''
  return `<p class="steps">${before}${after}<span>${texts.listed(start + 1, end, pageCount)}</span></p>`
}

// The heading tells the usual change.
function listItem({ change, path, title }: ChangedPage, base: string, told: ChangedPage['change']): string {
  const state = change === told ? '' : ` (${texts.changes[change]})`
  const address = title ? `<br><small>${escapeXml(path)}</small>` : ''
  return `<li><strong>${title ?? escapeXml(path)}</strong>${state}${address}<br>${linksOf({ change, path }, base)}</li>`
}
