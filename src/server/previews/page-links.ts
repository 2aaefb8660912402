import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import type { ChangedPage } from '../../publish/previews/changed-pages.ts'
import { escapeXml } from '../../site/pages/site-files.ts'

/** Returns the links to a changed page: both versions side by side, the new one, and the live one. */
export function linksOf({ change, path }: Pick<ChangedPage, 'change' | 'path'>, base: string): string {
  const both = link(`${base}/compare?page=${encodeURIComponent(path)}`, texts.compare)
  const at = (side: string, label: string) => link(`${base}/${side}${escapeXml(path)}`, label)
  const [now, then] = [at('new', texts.newPage), at('old', texts.oldPage)]
  return `${change === 'changed' ? both : ''}${change === 'removed' ? '' : now}${change === 'added' ? '' : then}`
}

/** Returns a link; the label is HTML. */
export function link(address: string, label: string): string {
  return `<a href="${address}">${label}</a>`
}
