import { createHash } from 'node:crypto'
import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import type { PreviewAnswer } from '../../publish/previews/answer-store.ts'
import { type ChangedPage, PAGES_LISTED } from '../../publish/previews/changed-pages.ts'
import { kindOfPage, PAGE_KINDS, type PageKind } from '../../publish/previews/page-kinds.ts'
import type { Preview } from '../../publish/previews/preview-store.ts'
import { escapeXml } from '../../site/pages/site-files.ts'
import { plainDocument } from '../plain-pages/plain-page.ts'
import { editList } from './edit-list.ts'
import { link, linksOf } from './page-links.ts'

const REFRESH_SECONDS = 5
/** Number of changed pages that are listed without folding. */
const FEW_PAGES = 5

const STYLE = `:root{color-scheme:light dark;background:#fff;color:#18202a;font:1rem/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:80rem;padding:1.5rem;box-sizing:border-box;overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.2}h2{margin:1.5rem 0 .5rem;font-size:1.15rem}
a{color:inherit}ul{list-style:none;margin:0;padding:0}li{border-top:1px solid #8884;padding:.6rem 0}
[role=status]{border:1px solid #8884;border-radius:.4rem;padding:.6rem .8rem;font-weight:600}
.steps{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}.steps a{padding:.3rem 0}.steps span{padding:.3rem 0}
li a{display:inline-block;margin-right:1rem;padding:.3rem 0}
form{display:grid;gap:1rem;max-width:30rem}label{display:grid;gap:.25rem}
input,textarea,button{font:inherit;padding:.6rem;border:1px solid #777;border-radius:.4rem;background:transparent;color:inherit}
button{background:#1d4ed8;border-color:#1d4ed8;color:#fff;cursor:pointer}
form button+button{background:transparent;border-color:#777;color:inherit}
.edits dl{margin:.3rem 0 0}.edits p{margin:.3rem 0 0}.edits dt{font-size:.9rem}.edits dd{margin:0 0 .6rem;white-space:pre-line}
summary{cursor:pointer;padding:.6rem 0;font-weight:600}details{border-top:1px solid #8884}
.edits img{display:block;max-width:12rem;max-height:9rem;border-radius:.4rem}:is(ins,del):has(>img){display:inline-block;padding:.3rem;vertical-align:top}
del:has(>img){opacity:.6}del+ins{margin-left:.25rem}ins,del{padding:.05rem .2rem;border-radius:.2rem}ins{background:#16a34a2e;text-decoration:underline}del{background:#dc26262e}
.word{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.note{white-space:pre-line;margin:.25rem 0 1rem}
fieldset{border:0;margin:0 0 1rem;padding:0}legend{margin-bottom:.4rem}
fieldset label{display:inline-flex;align-items:center;gap:.5rem;margin-right:1.5rem;padding:.4rem 0}
fieldset input{width:1.3rem;height:1.3rem;margin:0}
figure{margin:0}figcaption{padding:.3rem 0}iframe{width:100%;height:80vh;border:1px solid #8884;border-radius:.4rem;background:#fff}
@media(min-width:56rem){.frames{display:grid;gap:1rem;grid-template-columns:1fr 1fr}fieldset{display:none}}
@media(max-width:55.99rem){main:has(#show-old:checked) .new,main:has(#show-new:checked) .old{display:none}}
[role=alert]{color:#b91c1c}
@media(prefers-color-scheme:dark){:root{background:#101418;color:#e8ecf1}[role=alert]{color:#fca5a5}}`

/** Allows the style of these pages, their form, pictures, and frames of this site. */
export const PREVIEW_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
].join('; ')

function wholePage(title: string, main: string): string {
  return plainDocument({ title, style: STYLE, main })
}

type Shown = Pick<Preview, 'changes' | 'pageCount' | 'approvedBy'>

interface Overview {
  preview: Shown & Pick<Preview, 'edits' | 'hasMoreEdits' | 'kinds'>
  /** The number of the list of changed pages to show, from 1, and its pages. */
  list: number
  pages: readonly ChangedPage[]
  answers: readonly PreviewAnswer[]
  /** The address of the preview. */
  base: string
  /** The name of the business. */
  site: string | undefined
  /** Fault of a posted answer. */
  problem?: string | undefined
  /** The answer that this visitor has just sent. */
  sent?: string | undefined
}

/** Returns what changed, then the answers or the form for one, then a list of changed pages. */
export function overviewPage(overview: Overview): string {
  const { preview, list, pages, answers, base, site, problem, sent } = overview
  const { pageCount, approvedBy } = preview
  // The address alone must not claim an answer.
  const thanks = answers.some(({ kind }) => kind === sent) ? sentence(texts.sent[sent as Answer]) : ''
  const said = approvedBy === null ? answerForm(base, problem) : sentence(texts.approved(approvedBy))
  return wholePage(
    escapeXml(texts.title(site)),
    `${thanks}<p>${texts.lead}</p>
${list === 1 ? editList(preview, base) : ''}<h2 id="answer">${texts.approval}</h2>
${answers.map(askedChanges).join('')}${said}
<h2 id="pages">${texts.pages(pageCount)}</h2>
${pageCount > pages.length ? listSteps({ list, pages, pageCount, base }) : ''}${pageGroups(overview)}`,
  )
}

// Long lists are folded, so that the answer stays near what was edited.
function pageGroups({ preview, list, pages, base }: Overview): string {
  const groups = Map.groupBy(pages, kindOfPage)
  const isOpen = list > 1 || preview.pageCount <= FEW_PAGES ? ' open' : ''
  const group = (kind: PageKind, shown: readonly ChangedPage[]) => {
    const count = texts.kinds[kind](preview.kinds[kind] ?? shown.length)
    return `<details${isOpen}><summary>${count}</summary>
<ul>
${shown.map((page) => listItem(page, base)).join('\n')}
</ul></details>`
  }
  return PAGE_KINDS.flatMap((kind) => {
    const shown = groups.get(kind)
    return shown ? [group(kind, shown)] : []
  }).join('\n')
}

type Steps = Pick<Overview, 'list' | 'pages' | 'base'> & { pageCount: number }

function listSteps({ list, pages, pageCount, base }: Steps): string {
  const start = (list - 1) * PAGES_LISTED
  const end = start + pages.length
  const to = (other: number, label: string) => link(`${base}?list=${other}#pages`, label)
  const before = list > 1 ? to(list - 1, texts.previousList) : ''
  const after = end < pageCount ? to(list + 1, texts.nextList) : ''
  return `<p class="steps">${before}${after}<span>${texts.listed(start + 1, end, pageCount)}</span></p>`
}

type Answer = PreviewAnswer['kind']

function askedChanges({ kind, name, note }: PreviewAnswer): string {
  if (kind === 'approved') return ''
  return `${sentence(texts.asked(name))}<p class="note">${escapeXml(note ?? '')}</p>`
}

function sentence(text: string): string {
  return `<p role="status">${escapeXml(text)}</p>`
}

// The heading says "changed" for all of them.
function listItem({ change, path, title }: ChangedPage, base: string): string {
  const state = change === 'changed' ? '' : ` (${texts.changes[change]})`
  const address = title ? `<br><small>${escapeXml(path)}</small>` : ''
  return `<li><strong>${title ?? escapeXml(path)}</strong>${state}${address}<br>${linksOf({ change, path }, base)}</li>`
}

function answerForm(base: string, problem?: string): string {
  return `<form method="post" action="${base}">
${problem === undefined ? '' : `<p role="alert">${problem}</p>`}
<label>${texts.name}<input name="name" required maxlength="80" autocomplete="name"></label>
<label>${texts.note}<textarea name="note" rows="4" maxlength="500"></textarea></label>
<p>${texts.approveHint}</p>
<button type="submit" name="answer" value="approved">${texts.approve}</button>
<button type="submit" name="answer" value="changes">${texts.askChanges}</button>
</form>`
}

interface Compared {
  preview: Shown
  path: string
  /** The address of the preview. */
  base: string
}

/**
 * Returns a page with the live page and the new one side by side, on a phone one of them at a time, and the form for an
 * answer.
 */
export function comparePage({ preview, path, base }: Compared): string {
  const { changes, approvedBy } = preview
  const frame = (side: 'old' | 'new', label: string) => {
    const address = `${base}/${side}${escapeXml(path)}`
    return `<figure class="${side}"><figcaption><a href="${address}">${label}</a></figcaption><iframe title="${label}" src="${address}"></iframe></figure>`
  }
  const choice = (side: 'old' | 'new', label: string) =>
    `<label><input type="radio" name="side" id="show-${side}"${side === 'new' ? ' checked' : ''}>${label}</label>`
  const title = changes.find((change) => change.path === path)?.title ?? escapeXml(path)
  const answer = `<h2>${texts.approval}</h2>${answerForm(base)}`
  return wholePage(
    texts.comparing(title),
    `<p class="steps">${link(base, texts.back)}${neighbors(changes, { path, base })}</p>
<fieldset><legend>${texts.sides}</legend>${choice('old', texts.oldPage)}${choice('new', texts.newPage)}</fieldset>
<div class="frames">${frame('old', texts.oldPage)}${frame('new', texts.newPage)}</div>
${approvedBy === null ? answer : sentence(texts.approved(approvedBy))}`,
  )
}

function neighbors(changes: readonly ChangedPage[], { path, base }: { path: string; base: string }): string {
  const paths = changes.filter(({ change }) => change === 'changed').map((change) => change.path)
  const place = paths.indexOf(path)
  if (place === -1 || paths.length < 2) return ''
  const to = (other: string | undefined, label: string) =>
    other === undefined ? '' : link(`${base}/compare?page=${encodeURIComponent(other)}`, label)
  const [before, after] = [to(paths[place - 1], texts.previous), to(paths[place + 1], texts.next)]
  return `${before}${after}<span>${texts.position(place + 1, paths.length)}</span>`
}

/** Returns the page of a preview in progress. It reloads itself. */
export function makingPage(): string {
  const main = `<p>${texts.makingText}</p>`
  return plainDocument({ title: texts.making, style: STYLE, refreshAfter: REFRESH_SECONDS, main })
}

/** Returns a page of a heading and a sentence. */
export function saidPage(title: string, text: string): string {
  return wholePage(title, `<p>${text}</p>`)
}
