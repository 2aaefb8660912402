import { createHash } from 'node:crypto'
import { Parser } from 'htmlparser2'
import { type PolicyDirective, type TagPolicy, WELL_KNOWN } from './tag-policy.ts'

/** Reasons for refusing a snippet. */
export type TagFault = 'tag_event_handler' | 'tag_not_https' | 'tag_unclosed'

interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  text: string
  isClosed: boolean
}

const LOADED_BY: Readonly<Record<string, PolicyDirective[]>> = {
  script: ['script-src', 'connect-src'],
  img: ['img-src'],
  iframe: ['frame-src'],
}
const VOID = new Set(['img', 'meta', 'link'])
const ALLOWED = new Set([...Object.keys(LOADED_BY), ...VOID, 'noscript', 'style', 'div', 'span'])
const OWN = 'https://site.invalid'
// A browser hides everything after a comment or declaration that has no end.
const COMMENT = /<!--(?:(?!--)[\s\S])*-->/g
const LEFT_OPEN = /<!--|<[!?][^>]*$/

/**
 * Reads what a snippet needs in the Content Security Policy: the origins it loads from, and a hash of each inline
 * script and style. Hashes, because nonces don't work on static pages: one that never changes protects nothing.
 */
export function readTags(snippet: string): { policy: TagPolicy; faults: TagFault[] } {
  const elements = listElements(snippet)
  const policy: TagPolicy = new Map()
  for (const [directive, source] of elements.flatMap(sourcesOf))
    policy.set(directive, new Set([...(policy.get(directive) ?? []), source]))
  const isOpen = LEFT_OPEN.test(snippet.replace(COMMENT, ''))
  return { policy, faults: [...(isOpen ? ['tag_unclosed' as const] : []), ...elements.flatMap(faultsOf)] }
}

function listElements(snippet: string): Element[] {
  const elements: Element[] = []
  const open: Element[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, text: '', isClosed: false }
        elements.push(element)
        open.push(element)
      },
      ontext(text) {
        const element = open.at(-1)
        if (element) element.text += text
      },
      onclosetag(name, isImplied) {
        const element = open.pop()
        if (element) element.isClosed = !isImplied || VOID.has(name)
      },
    },
    { decodeEntities: false },
  )
  parser.end(snippet)
  return elements
}

function faultsOf({ name, attributes, isClosed }: Element): TagFault[] {
  const address = addressOf({ name, attributes })
  const isBound = Object.keys(attributes).some((key) => key.startsWith('on'))
  return [
    ...(ALLOWED.has(name) && isClosed && !('http-equiv' in attributes) ? [] : ['tag_unclosed' as const]),
    ...(isBound ? ['tag_event_handler' as const] : []),
    ...(address !== undefined && originOf(address) === undefined ? ['tag_not_https' as const] : []),
  ]
}

function sourcesOf({ name, attributes, text }: Element): [PolicyDirective, string][] {
  const address = addressOf({ name, attributes })
  if (address === undefined) {
    if (name === 'script') return [['script-src', hashOf(text)]]
    return name === 'style' ? [['style-src', hashOf(text)]] : []
  }
  const origin = originOf(address)
  if (origin === undefined || origin === OWN) return []
  const further = (WELL_KNOWN[origin] ?? []).flatMap(([directive, sources]) =>
    sources.map((source): [PolicyDirective, string] => [directive, source]),
  )
  return [
    ...directivesOf(name, attributes).map((one): [PolicyDirective, string] => [one, origin]),
    ...further,
  ]
}

function directivesOf(name: string, { rel = '' }: Element['attributes']): PolicyDirective[] {
  if (name === 'link') return rel.toLowerCase() === 'stylesheet' ? ['style-src', 'font-src'] : []
  return LOADED_BY[name] ?? []
}

function addressOf({ name, attributes }: Pick<Element, 'name' | 'attributes'>): string | undefined {
  return name === 'link' ? attributes.href : attributes.src
}

function originOf(address: string): string | undefined {
  const url = URL.canParse(address, OWN) ? new URL(address, OWN) : undefined
  return url?.protocol === 'https:' ? url.origin : undefined
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
