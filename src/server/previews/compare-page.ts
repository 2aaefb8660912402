import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import type { ChangedPage } from '../../publish/previews/changed-pages.ts'
import { escapeXml } from '../../site/pages/site-files.ts'
import { link } from './page-links.ts'
import { previewDocument } from './preview-document.ts'
import { answerForm, type ShownPreview, stateBox } from './response.ts'

/**
 * Returns a page with the new page and the live one side by side, on a phone one of them at a time, and the form for an
 * answer.
 */
export function comparePage(shown: ShownPreview, path: string): string {
  const { base, preview, state } = shown
  const { changes } = preview
  const frame = (side: 'old' | 'new', label: string) => {
    const address = `${base}/${side}${escapeXml(path)}`
    return `<figure class="${side}"><figcaption><a href="${address}">${label}</a></figcaption><iframe title="${label}" src="${address}"></iframe></figure>`
  }
  const choice = (side: 'old' | 'new', label: string) =>
    `<label><input type="radio" name="side" id="show-${side}"${side === 'new' ? ' checked' : ''}>${label}</label>`
  const title = changes.find((change) => change.path === path)?.title ?? escapeXml(path)
  return previewDocument(
    texts.comparing(title),
    `<p class="steps">${link(base, texts.back)}${neighbors(changes, { path, base })}</p>
<fieldset><legend>${texts.sides}</legend>${choice('new', texts.newPage)}${choice('old', texts.oldPage)}</fieldset>
<div class="frames">${frame('new', texts.newPage)}${frame('old', texts.oldPage)}</div>
${state === 'open' ? '' : stateBox(shown)}${answerForm(shown)}`,
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
