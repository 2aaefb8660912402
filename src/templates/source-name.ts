import type { Touch } from '../db/tables/submission-source.ts'

const MAX_NAME = 64

// Matches the second level of a host: `www.google.ie`, `news.google.com`.
const SEARCH = [
  'google',
  'bing',
  'duckduckgo',
  'yahoo',
  'ecosia',
  'qwant',
  'brave',
  'startpage',
  'yandex',
  'baidu',
]
const SOCIAL = [
  'facebook',
  'instagram',
  'linkedin',
  'pinterest',
  'reddit',
  'tiktok',
  'youtube',
  'nextdoor',
  'x',
]
const SHORT_HOSTS: Readonly<Record<string, string>> = {
  't.co': 'x',
  'twitter.com': 'x',
  'lnkd.in': 'linkedin',
  'youtu.be': 'youtube',
  'fb.me': 'facebook',
}
const SECOND_LEVELS = new Set(['co', 'com', 'org', 'net'])
// Sums by source remain after a person is erased, so they must not contain an email address or phone number from a
// URL parameter.
const PERSONAL = /@|%40|(?:\d[ .()-]*){10}/
const PAID = /^(?:cpc|ppc|cpm|cpv|cpa|paid.*|display|ads?)$/

/** Source of a visit without a referrer or tags: a typed or bookmarked URL, or a link that reveals nothing. */
const DIRECT = 'direct'

/**
 * Names the source of a visit, such as `ads:google`, `search:bing`, `campaign:newsletter`, `site:example.com`, or
 * `direct`. Ad click IDs take precedence over tags, and tags over the referrer. `ownHosts` don't count as a source.
 */
export function sourceName(touch: Touch, ownHosts: ReadonlySet<string> = new Set()): string {
  return nameOfAd(touch) ?? nameOfTag(touch) ?? nameOfReferrer(touch, ownHosts) ?? DIRECT
}

// The part of a source's name before its colon. Others, such as `unknown`, have no kind.
const KINDS: ReadonlyMap<string, string> = new Map([
  ...['ads', 'campaign', 'direct', 'email', 'search', 'social'].map((kind) => [kind, kind] as const),
  ['site', 'referral'],
])

/** Returns the kind of a named source, such as `search` for `search:bing`; null if the source is unknown. */
export function sourceKind(name: string | null | undefined): string | null {
  const [kind = ''] = (name ?? '').split(':')
  return KINDS.get(kind) ?? null
}

/** Returns whether a touch contains anything besides its page. */
export function isTold(touch: Touch, ownHosts: ReadonlySet<string>): boolean {
  return sourceName(touch, ownHosts) !== DIRECT
}

function nameOfAd({ gclid, gbraid, wbraid, msclkid }: Touch): string | undefined {
  if (gclid || gbraid || wbraid) return 'ads:google'
  return msclkid ? 'ads:microsoft' : undefined
}

function nameOfTag({ utm_source, utm_medium = '', fbclid }: Touch): string | undefined {
  const name = plainName(utm_source)
  if (name === '' || PERSONAL.test(name)) return fbclid ? 'social:facebook' : undefined
  const medium = plainName(utm_medium)
  if (PAID.test(medium)) return `ads:${name}`
  return medium === 'email' ? `email:${name}` : `campaign:${name}`
}

function nameOfReferrer({ referrer = '' }: Touch, ownHosts: ReadonlySet<string>): string | undefined {
  if (!URL.canParse(referrer)) return undefined
  const { host, hostname, protocol } = new URL(referrer)
  if (hostname === '' || ownHosts.has(host)) return undefined
  // Android apps: `android-app://com.google.android.gm/`.
  if (protocol === 'android-app:') return named(hostname.split('.')[1] ?? hostname, hostname)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const bare = hostname.replace(/^(?:www|m|l|lm|out)\./, '')
  return named(SHORT_HOSTS[bare] ?? secondLevel(bare), bare)
}

function named(name: string, host: string): string {
  if (SEARCH.includes(name)) return `search:${name}`
  return SOCIAL.includes(name) ? `social:${name}` : `site:${host.slice(0, MAX_NAME)}`
}

// `google` of `news.google.co.uk`.
function secondLevel(host: string): string {
  const labels = host.split('.')
  const last = labels.at(-2) ?? ''
  return (SECOND_LEVELS.has(last) && labels.length > 2 ? labels.at(-3) : last) ?? ''
}

function plainName(text = ''): string {
  return text
    .toLowerCase()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed()
}
