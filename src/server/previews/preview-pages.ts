import { createHash } from 'node:crypto'
import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import type { Preview } from '../../publish/previews/preview-store.ts'
import { escapeXml } from '../../site/pages/site-files.ts'
import { plainDocument } from '../plain-pages/plain-page.ts'

const MOST_LISTED = 500

const STYLE = `:root{color-scheme:light dark;background:#fff;color:#18202a;font:1rem/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:80rem;padding:1.5rem;box-sizing:border-box;overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.2}h2{margin:1.5rem 0 .5rem;font-size:1.15rem}
a{color:inherit}ul{list-style:none;margin:0;padding:0}li{border-top:1px solid #8884;padding:.6rem 0}
li a{display:inline-block;margin-right:1rem;padding:.3rem 0}
form{display:grid;gap:1rem;max-width:30rem}label{display:grid;gap:.25rem}
input,textarea,button{font:inherit;padding:.6rem;border:1px solid #777;border-radius:.4rem;background:transparent;color:inherit}
button{background:#1d4ed8;border-color:#1d4ed8;color:#fff;cursor:pointer}
.frames{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr))}
figure{margin:0}iframe{width:100%;height:80vh;border:1px solid #8884;border-radius:.4rem;background:#fff}
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

type Shown = Pick<Preview, 'changes' | 'approvedBy'>

/** Returns the list of changed pages, with the form that approves them. `base` is the address of the preview. */
export function overviewPage({ changes, approvedBy }: Shown, base: string, problem?: string): string {
  const listed = changes.slice(0, MOST_LISTED).map((change) => listItem(change, base))
  const more = changes.length - listed.length
  return wholePage(
    texts.title,
    `<p>${texts.lead}</p>
<h2>${texts.pages(changes.length)}</h2>
<ul>
${listed.join('\n')}
</ul>
${more > 0 ? `<p>${texts.more(more)}</p>` : ''}
<h2>${texts.approval}</h2>
${approvedBy === null ? approvalForm(base, problem) : `<p role="status">${escapeXml(texts.approved(approvedBy))}</p>`}`,
  )
}

function listItem({ change, path }: Shown['changes'][number], base: string): string {
  const links = linksOf({ change, path }, base)
  const both = `<a href="${base}/compare?page=${encodeURIComponent(path)}">${texts.compare}</a>`
  return `<li><strong>${escapeXml(path)}</strong> (${texts.changes[change]})<br>${change === 'changed' ? both : ''}${links}</li>`
}

function linksOf({ change, path }: Shown['changes'][number], base: string): string {
  const link = (side: string, label: string) => `<a href="${base}/${side}${escapeXml(path)}">${label}</a>`
  const [now, then] = [link('new', texts.newPage), link('old', texts.oldPage)]
  return `${change === 'removed' ? '' : now}${change === 'added' ? '' : then}`
}

function approvalForm(base: string, problem: string | undefined): string {
  return `<form method="post" action="${base}">
${problem === undefined ? '' : `<p role="alert">${problem}</p>`}
<label>${texts.name}<input name="name" required maxlength="80" autocomplete="name"></label>
<label>${texts.note}<textarea name="note" rows="4" maxlength="500"></textarea></label>
<p>${texts.approveHint}</p>
<button type="submit">${texts.approve}</button>
</form>`
}

/** Returns a page with the live page and the new one side by side. */
export function comparePage(path: string, base: string): string {
  const frame = (side: string, label: string) => {
    const address = `${base}/${side}${escapeXml(path)}`
    return `<figure><figcaption><a href="${address}">${label}</a></figcaption><iframe title="${label}" src="${address}"></iframe></figure>`
  }
  return wholePage(
    escapeXml(path),
    `<p><a href="${base}">${texts.back}</a></p>
<div class="frames">${frame('old', texts.oldPage)}${frame('new', texts.newPage)}</div>`,
  )
}

/** Returns a page of a heading and a sentence. */
export function saidPage(title: string, text: string): string {
  return wholePage(title, `<p>${text}</p>`)
}
