/** The directives of the Content Security Policy that tags may extend. */
const POLICY_DIRECTIVES = [
  'script-src',
  'style-src',
  'img-src',
  'font-src',
  'connect-src',
  'frame-src',
] as const
export type PolicyDirective = (typeof POLICY_DIRECTIVES)[number]

/** Sources that pages may load besides their own files: origins, and hashes such as `sha256-…`. */
export type TagPolicy = Map<PolicyDirective, ReadonlySet<string>>

const SOURCE = /^(?:https:\/\/(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?|sha256-[A-Za-z0-9+/]{43}=)$/

const GOOGLE = [
  'https://*.google-analytics.com',
  'https://*.analytics.google.com',
  'https://*.googletagmanager.com',
]

/**
 * Origins that scripts from an origin are known to load from.
 * https://developers.google.com/tag-platform/security/guides/csp
 */
export const WELL_KNOWN: Readonly<Record<string, [PolicyDirective, string[]][]>> = {
  'https://www.googletagmanager.com': [
    ['connect-src', GOOGLE],
    ['img-src', GOOGLE],
    ['script-src', ['https://*.googletagmanager.com']],
  ],
  'https://connect.facebook.net': [
    ['connect-src', ['https://www.facebook.com']],
    ['img-src', ['https://www.facebook.com']],
  ],
}

/** Formats the policy for a page (`<meta name="tag-policy">`): `script-src https://a.example sha256-…;img-src …`. */
export function formatTagPolicy(policy: TagPolicy): string {
  return [...policy].map(([directive, sources]) => [directive, ...sources].join(' ')).join(';')
}

/** Parses that format, ignoring invalid sources. */
export function parseTagPolicy(text: string): TagPolicy {
  const parts = text.split(';').map((part) => part.trim().split(/\s+/))
  const known = parts.flatMap(([name, ...sources]) => {
    const directive = POLICY_DIRECTIVES.find((one) => one === name)
    return directive ? [[directive, new Set(sources.filter((source) => SOURCE.test(source)))] as const] : []
  })
  return new Map(known)
}

/** Adds these sources to a policy. A missing directive is created with only these. */
export function widenPolicy(policy: string, tags: TagPolicy): string {
  const directives = policy.split('; ').map((directive) => {
    const name = directive.split(' ')[0] as PolicyDirective
    return [directive, ...quoted(tags.get(name))].join(' ')
  })
  const isThere = (name: string) => directives.some((directive) => directive.startsWith(`${name} `))
  const added = [...tags].filter(([name]) => !isThere(name))
  return [...directives, ...added.map(([name, sources]) => [name, ...quoted(sources)].join(' '))].join('; ')
}

function quoted(sources: ReadonlySet<string> = new Set()): string[] {
  return [...sources].map((source) => (source.startsWith('sha256-') ? `'${source}'` : source))
}
