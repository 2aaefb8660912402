import { createHash } from 'node:crypto'
import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import type { PreviewAnswer } from '../../publish/previews/answer-store.ts'
import type { Preview } from '../../publish/previews/preview-store.ts'
import { escapeXml } from '../../site/pages/site-files.ts'
import { plainDocument } from '../plain-pages/plain-page.ts'

const REFRESH_SECONDS = 5

const STYLE = `:root{color-scheme:light dark;background:#fff;color:#18202a;font:1rem/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:80rem;padding:1.5rem;box-sizing:border-box;overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.2}h2{margin:1.5rem 0 .5rem;font-size:1.15rem}
a{color:inherit}ul{list-style:none;margin:0;padding:0}li{border-top:1px solid #8884;padding:.6rem 0}
li a{display:inline-block;margin-right:1rem;padding:.3rem 0}
form{display:grid;gap:1rem;max-width:30rem}label{display:grid;gap:.25rem}
input,textarea,button{font:inherit;padding:.6rem;border:1px solid #777;border-radius:.4rem;background:transparent;color:inherit}
button{background:#1d4ed8;border-color:#1d4ed8;color:#fff;cursor:pointer}
form button+button{background:transparent;border-color:#777;color:inherit}
.note{white-space:pre-line;margin:.25rem 0 1rem}
fieldset{border:0;margin:0 0 1rem;padding:0}legend{margin-bottom:.4rem}
fieldset label{display:inline-flex;align-items:center;gap:.5rem;margin-right:1.5rem;padding:.4rem 0}
fieldset input{width:1.3rem;height:1.3rem;margin:0}
figure{margin:0}figcaption{padding:.3rem 0}iframe{width:100%;height:80vh;border:1px solid #8884;border-radius:.4rem;background:#fff}
@media(min-width:56rem){.frames{display:grid;gap:1rem;grid-template-columns:1fr 1fr}fieldset{display:none}}
@media(max-width:55.99rem){main:has(#show-old:checked) .new,main:has(#show-new:checked) .old{display:none}}
[role=alert]{color:#b91c1c}
@media(prefers-color-scheme:dark){:root{background:#101418;color:#e8ecf1}[role=alert]{color:#fca5a5}}`

/** Allows the style of these pages, their form, and frames of this site. */
export const PREVIEW_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
].join('; ')

function wholePage(title: string, main: string): string {
  return plainDocument({ title, style: STYLE, main })
}

interface Overview {
  preview: Pick<Preview, 'changes' | 'pageCount' | 'approvedBy'>
  answers: readonly PreviewAnswer[]
  /** The address of the preview. */
  base: string
  /** Fault of a posted answer. */
  problem?: string | undefined
}

/** Returns the list of changed pages, with the form for an answer. */
export function overviewPage({ preview, answers, base, problem }: Overview): string {
  const { changes, pageCount, approvedBy } = preview
  const listed = changes.map((change) => listItem(change, base))
  const more = pageCount - listed.length
  const said = approvedBy === null ? answerForm(base, problem) : sentence(texts.approved(approvedBy))
  return wholePage(
    texts.title,
    `<p>${texts.lead}</p>
<h2>${texts.pages(pageCount)}</h2>
<ul>
${listed.join('\n')}
</ul>
${more > 0 ? `<p>${texts.more(more)}</p>` : ''}
<h2>${texts.approval}</h2>
${answers.map(askedChanges).join('')}${said}`,
  )
}

function askedChanges({ kind, name, note }: PreviewAnswer): string {
  if (kind === 'approved') return ''
  return `${sentence(texts.asked(name))}<p class="note">${escapeXml(note ?? '')}</p>`
}

function sentence(text: string): string {
  return `<p role="status">${escapeXml(text)}</p>`
}

type Change = Preview['changes'][number]

function listItem({ change, path }: Change, base: string): string {
  const links = linksOf({ change, path }, base)
  const both = `<a href="${base}/compare?page=${encodeURIComponent(path)}">${texts.compare}</a>`
  return `<li><strong>${escapeXml(path)}</strong> (${texts.changes[change]})<br>${change === 'changed' ? both : ''}${links}</li>`
}

function linksOf({ change, path }: Change, base: string): string {
  const link = (side: string, label: string) => `<a href="${base}/${side}${escapeXml(path)}">${label}</a>`
  const [now, then] = [link('new', texts.newPage), link('old', texts.oldPage)]
  return `${change === 'removed' ? '' : now}${change === 'added' ? '' : then}`
}

function answerForm(base: string, problem: string | undefined): string {
  return `<form method="post" action="${base}">
${problem === undefined ? '' : `<p role="alert">${problem}</p>`}
<label>${texts.name}<input name="name" required maxlength="80" autocomplete="name"></label>
<label>${texts.note}<textarea name="note" rows="4" maxlength="500"></textarea></label>
<p>${texts.approveHint}</p>
<button type="submit" name="answer" value="approved">${texts.approve}</button>
<button type="submit" name="answer" value="changes">${texts.askChanges}</button>
</form>`
}

/** Returns a page with the live page and the new one side by side, on a phone one of them at a time. */
export function comparePage(path: string, base: string): string {
  const frame = (side: 'old' | 'new', label: string) => {
    const address = `${base}/${side}${escapeXml(path)}`
    return `<figure class="${side}"><figcaption><a href="${address}">${label}</a></figcaption><iframe title="${label}" src="${address}"></iframe></figure>`
  }
  const choice = (side: 'old' | 'new', label: string) =>
    `<label><input type="radio" name="side" id="show-${side}"${side === 'new' ? ' checked' : ''}>${label}</label>`
  return wholePage(
    escapeXml(path),
    `<p><a href="${base}">${texts.back}</a></p>
<fieldset><legend>${texts.sides}</legend>${choice('old', texts.oldPage)}${choice('new', texts.newPage)}</fieldset>
<div class="frames">${frame('old', texts.oldPage)}${frame('new', texts.newPage)}</div>`,
  )
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
