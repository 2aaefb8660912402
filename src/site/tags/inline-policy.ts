import { createHash } from 'node:crypto'
import { formatTagPolicy, type PolicyDirective, parseTagPolicy, type TagPolicy } from './tag-policy.ts'

const INLINE = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g
const IS_LOADED = /\ssrc\s*=/
// Such as JSON-LD, which browsers don't run.
const IS_TEXT =
  /\stype\s*=\s*["']?(?!module\b|text\/javascript\b|application\/javascript\b|text\/css\b)[\w/+-]+/
const POLICY = /<meta name="tag-policy" content="([^"]*)">/
const DIRECTIVES = { script: 'script-src', style: 'style-src' } as const

/**
 * Adds a policy with the hashes of a page's inline scripts and styles, which islands need. Pages without any stay
 * unchanged. Only for a site's own pages, whose markup its developer wrote.
 */
export function withInlinePolicy(html: string): string {
  const found = [...html.matchAll(INLINE)].filter(
    ([, , attributes = '']) => !IS_LOADED.test(attributes) && !IS_TEXT.test(attributes),
  )
  if (found.length === 0) return html
  const [known] = POLICY.exec(html) ?? []
  const policy = policyOfPage(html)
  for (const [, name, , text = ''] of found) {
    const directive: PolicyDirective = DIRECTIVES[name as keyof typeof DIRECTIVES]
    policy.set(directive, new Set([...(policy.get(directive) ?? []), hashOf(text)]))
  }
  const meta = `<meta name="tag-policy" content="${formatTagPolicy(policy)}">`
  return known === undefined
    ? html.replace('</head>', () => `${meta}</head>`)
    : html.replace(known, () => meta)
}

/** Returns the sources that a page declares; empty if it declares none. */
export function policyOfPage(html: string): TagPolicy {
  const [, content = ''] = POLICY.exec(html) ?? []
  return parseTagPolicy(content)
}

/** Returns a policy that allows everything any of these allows. */
export function joinPolicies(policies: Iterable<TagPolicy>): TagPolicy {
  const all: TagPolicy = new Map()
  for (const policy of policies)
    for (const [directive, sources] of policy)
      all.set(directive, new Set([...(all.get(directive) ?? []), ...sources]))
  return all
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
