import type { Touch } from '../../db/tables/submission-source.ts'

const MAX_NAME = 64

// The second level of a host is enough: `www.google.ie`, `news.google.com`.
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
// Sums by source outlive an erasure, so they must not contain an email address or a phone number from a tag.
const PERSONAL = /@|(?:\d[ .()-]*){10}/
const PAID = /^(?:cpc|ppc|cpm|cpv|cpa|paid.*|display|ads?)$/

/** The name of a visit that nothing led to: its address was typed or bookmarked, or the link told nothing. */
const DIRECT = 'direct'

/**
 * Names where a visit came from, such as `ads:google`, `search:bing`, `campaign:newsletter`, `site:example.com`, or
 * `direct`. Ids of ads count more than tags, tags more than the referrer. `ownHosts` lead nowhere.
 */
export function sourceName(touch: Touch, ownHosts: ReadonlySet<string> = new Set()): string {
  return nameOfAd(touch) ?? nameOfTag(touch) ?? nameOfReferrer(touch, ownHosts) ?? DIRECT
}

/** Returns whether a touch says anything beyond its page. */
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
  // Apps of Android: `android-app://com.google.android.gm/`.
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
