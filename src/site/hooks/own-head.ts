import { interruptAfter } from '../../lib/background/interrupt-after.ts'
import { hookTexts } from '../../messages/server/hooks.ts'
import type { PageView } from '../pages/page.ts'
import { joinPolicies } from '../tags/inline-policy.ts'
import { readTags } from '../tags/read-tags.ts'
import { formatTagPolicy, parseTagPolicy } from '../tags/tag-policy.ts'
import { hookFailure } from './hook-failure.ts'
import type { SiteHooks } from './hooks.ts'
import { siteHooks } from './load-hooks.ts'

const ATTRIBUTES = `(?:[^>"']|"[^"]*"|'[^']*')*`
// Whole elements that a head can have, and comments.
const WHOLE = new RegExp(
  String.raw`<!--[\s\S]*?-->|<(script|style|title|noscript|template)\b${ATTRIBUTES}>[\s\S]*?</\1\s*>|<(?:meta|link|base)\b${ATTRIBUTES}>`,
  'gi',
)
const SHOWN_LENGTH = 40

const DEADLINE = { withinMs: 5_000, message: hookTexts.tooLate }

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
  if (!head) return ''
  return callHook('head', () => {
    const html: unknown = head(view) ?? ''
    if (typeof html !== 'string') throw new Error(hookTexts.headNotText)
    const mistake = findHeadMistake(html)
    if (mistake !== undefined) throw new Error(hookTexts.headEnded(mistake))
    return html
  })
}

function jsonLdOf({ jsonLd }: SiteHooks, view: PageView): string[] {
  if (!jsonLd) return []
  return callHook('jsonLd', () => {
    const objects: unknown = jsonLd(view) ?? []
    if (!Array.isArray(objects) || objects.some((one) => typeof one !== 'object' || one === null))
      throw new Error(hookTexts.jsonLdNotList)
    // Escapes `<`, so that no text can end the element.
    return objects.map((one) =>
      JSON.stringify({ '@context': 'https://schema.org', ...one }).replaceAll('<', '\\u003c'),
    )
  })
}

function callHook<T>(name: 'head' | 'jsonLd', work: () => T): T {
  try {
    return interruptAfter(DEADLINE, work)
  } catch (error) {
    throw hookFailure(name, error)
  }
}

// Returns the start of what would end a page's head, or hide what follows: text, an element of the body, or a tag without
// its counterpart.
function findHeadMistake(html: string): string | undefined {
  const left = html.replace(WHOLE, '').trim()
  return left === '' ? undefined : left.slice(0, SHOWN_LENGTH)
}
