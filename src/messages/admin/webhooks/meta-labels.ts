/** Names of the keys of `meta`, which templates and conditions refer to. */
const LABELS: Readonly<Record<string, string>> = {
  submission_id: 'Lead ID',
  form_id: 'Form ID',
  form_slug: 'Form address',
  form_name: 'Form',
  webhook_id: 'Webhook ID',
  webhook_name: 'Webhook',
  delivery_id: 'Delivery ID',
  submitted_at: 'Time received',
  page_url: 'Page URL',
  page_path: 'Page path',
  service_slug: 'Service address',
  service_name: 'Service',
  location_slug: 'Place address',
  location_name: 'Place',
  location_path: 'Place path',
  site_url: 'Site URL',
  admin_url: 'Link to the lead',
  is_test: 'Test delivery',
  source_kind: 'Source type',
  pages_seen: 'Pages seen',
  at: 'Time of visit',
  landing_page: 'Landing page',
  referrer: 'Referring page',
  utm_source: 'Campaign source',
  utm_medium: 'Campaign medium',
  utm_campaign: 'Campaign',
  utm_term: 'Search term',
  utm_content: 'Ad or link',
  gclid: 'Google click ID',
  gbraid: 'Google app click ID',
  wbraid: 'Google web click ID',
  msclkid: 'Microsoft click ID',
  fbclid: 'Facebook click ID',
}

/** Returns the name of a key of `meta`: `Campaign (first visit)` for `first_utm_campaign`. */
export function metaLabel(key: string): string {
  const own = LABELS[key]
  if (own !== undefined) return own
  const later = LABELS[key.replace(/^first_/, '')]
  return later === undefined ? key : `${later} (first visit)`
}
