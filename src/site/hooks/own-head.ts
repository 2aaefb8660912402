import { Failure } from '../../lib/messages.ts'
import { hookFailures } from '../../messages/server/hooks.ts'
import type { PageView } from '../pages/page.ts'
import { joinPolicies } from '../tags/inline-policy.ts'
import { readTags } from '../tags/read-tags.ts'
import { formatTagPolicy, parseTagPolicy } from '../tags/tag-policy.ts'
import type { SiteHooks } from './hooks.ts'
import { siteHooks } from './load-hooks.ts'

/** Additions to a page's head by the site's hooks. */
export interface OwnHead {
  html: string
  /** JSON texts for JSON-LD elements. */
  jsonLd: string[]
  /** Sources that the page may load, including those of its tags; see `formatTagPolicy`. */
  policy: string
}

/** Returns what the hooks add to a page; null if there are no such hooks. */
export function ownHead(view: PageView, hooks: SiteHooks = siteHooks()): OwnHead | null {
  if (!hooks.head && !hooks.jsonLd) return null
  const html = headOf(hooks, view)
  const tags = parseTagPolicy(view.layout.tags?.policy ?? '')
  const policy = formatTagPolicy(joinPolicies([tags, readTags(html).policy]))
  return { html, jsonLd: jsonLdOf(hooks, view), policy }
}

function headOf({ head }: SiteHooks, view: PageView): string {
  const html: unknown = head?.(view) ?? ''
  if (typeof html !== 'string') throw new Failure(hookFailures, 'headNotText')
  return html
}

function jsonLdOf({ jsonLd }: SiteHooks, view: PageView): string[] {
  const objects: unknown = jsonLd?.(view) ?? []
  if (!Array.isArray(objects) || objects.some((one) => typeof one !== 'object' || one === null))
    throw new Failure(hookFailures, 'jsonLdNotList')
  // Escapes `<`, so that no text can end the element.
  return objects.map((one) =>
    JSON.stringify({ '@context': 'https://schema.org', ...one }).replaceAll('<', '\\u003c'),
  )
}
