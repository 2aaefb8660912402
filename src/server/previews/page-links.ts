import { previewPageTexts as texts } from '../../messages/visitor/previews.ts'
import type { ChangedPage } from '../../publish/previews/changed-pages.ts'
import { escapeXml } from '../../site/pages/site-files.ts'

/** Returns the links to a changed page: the new version, and both versions side by side; to a removed page, the live one. */
export function linksOf({ change, path }: Pick<ChangedPage, 'change' | 'path'>, base: string): string {
  const at = (side: string, label: string) => link(`${base}/${side}${escapeXml(path)}`, label)
  if (change === 'removed') return at('old', texts.oldPage)
  const both = link(`${base}/compare?page=${encodeURIComponent(path)}`, texts.compare)
  return `${at('new', texts.newPage)}${change === 'changed' ? both : ''}`
}

/** Returns a link; the label is HTML. */
export function link(address: string, label: string): string {
  return `<a href="${address}">${label}</a>`
}
