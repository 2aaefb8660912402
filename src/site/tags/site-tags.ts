import { readTags } from './read-tags.ts'
import { formatTagPolicy, type PolicyDirective, parseTagPolicy, type TagPolicy } from './tag-policy.ts'
import type { TagSettings } from './tag-settings.ts'

/** The snippets from the settings as included in pages. */
export interface TagsView {
  head: string
  body: string
  /** See `formatTagPolicy`. */
  policy: string
}

type Tags = TagSettings | undefined

/** Returns the HTML of the tags; null without tags. */
export function toTagsView(tags: Tags): TagsView | null {
  const [head, body] = [tags?.head ?? '', tags?.body ?? '']
  return head + body === '' ? null : { head, body, policy: formatTagPolicy(policyOfTags(tags)) }
}

/** Returns what the tags may load: the origins in their HTML, and additional origins from the settings. */
export function policyOfTags(tags: Tags): TagPolicy {
  const all: TagPolicy = new Map()
  const further = (tags?.origins ?? []).map(({ origin }) => origin)
  for (const directive of ['script-src', 'connect-src', 'img-src', 'frame-src'] as const)
    addSources(all, directive, further)
  for (const snippet of [tags?.head, tags?.body])
    for (const [directive, sources] of readTags(snippet ?? '').policy) addSources(all, directive, sources)
  // As included in pages, so that both agree.
  return parseTagPolicy(formatTagPolicy(all))
}

/** The origins that browsers may load from because of the tags, in alphabetical order. */
export function originsOfTags(tags: Tags): string[] {
  const sources = [...policyOfTags(tags).values()].flatMap((some) => [...some])
  return [...new Set(sources.filter((source) => source.startsWith('https:')))].sort()
}

function addSources(policy: TagPolicy, directive: PolicyDirective, sources: Iterable<string>) {
  const added = new Set([...(policy.get(directive) ?? []), ...sources])
  if (added.size > 0) policy.set(directive, added)
}
