import { withoutDirectionMarks } from '#src/lib/characters.ts'
import { ownValue } from '#src/lib/names/own-value.ts'

const NAMES: Readonly<Record<string, string>> = {
  bing: 'Bing',
  duckduckgo: 'DuckDuckGo',
  facebook: 'Facebook',
  google: 'Google',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  microsoft: 'Microsoft',
  nextdoor: 'Nextdoor',
  pinterest: 'Pinterest',
  reddit: 'Reddit',
  tiktok: 'TikTok',
  x: 'X',
  yahoo: 'Yahoo',
  youtube: 'YouTube',
}

const SENTENCES: Readonly<Record<string, (name: string) => string>> = {
  ads: (name) => `${name} Ads`,
  campaign: (name) => `Tagged link: ${name}`,
  email: (name) => `Email: ${name}`,
  search: (name) => `${name} search`,
  social: (name) => name,
  site: (host) => `Link on ${host}`,
  direct: () => 'Direct visit',
  unknown: () => 'Unknown',
}

/** Says where visitors came from, such as `Google Ads` for `ads:google`. */
export function describeSource(source: string): string {
  const [kind = '', ...rest] = withoutDirectionMarks(source).split(':')
  const name = rest.join(':')
  return ownValue(SENTENCES, kind)?.(ownValue(NAMES, name) ?? name) ?? source
}

/** The tags and page of a visit. */
interface Visit {
  utm_campaign?: string | undefined
  landing_page?: string | undefined
}

/** Says how a visitor came: `Google Ads, campaign spring-boiler, landed on /services/boiler-service`. */
export function describeVisit(source: string, { utm_campaign: campaign, landing_page: page }: Visit): string {
  const { campaign: ofCampaign, landedOn } = leadSource
  const parts = [describeSource(source), campaign && ofCampaign(campaign), page && landedOn(page)]
  return withoutDirectionMarks(parts.filter(Boolean).join(', '))
}

/** Source of a lead, on its page. */
export const leadSource = {
  title: 'Lead source',
  optedOut: 'Not recorded. The visitor’s browser asks not to be tracked.',
  campaign: (name: string) => `campaign ${name}`,
  landedOn: (page: string) => `landed on ${page}`,
  labels: {
    term: 'Search term',
    content: 'Ad or link',
    medium: 'Medium',
    referrer: 'Referring page',
    first: 'First visit',
    pages: 'Pages seen',
  },
}
