/** Of the visitor's last arrival from elsewhere; null when unknown. */
const TOUCH_MEANINGS: Readonly<Record<string, string>> = {
  source_kind:
    'How the visitor came: `ads`, `campaign` (tagged links), `direct`, `email`, `referral` (other sites), `search`, or `social`.',
  at: 'When the visitor last came from elsewhere, in UTC.',
  landing_page: 'The page where the visit began.',
  referrer: 'The referring page of that visit.',
  utm_source: 'The source in the link’s UTM tags.',
  utm_medium: 'The medium in those tags, such as `cpc`.',
  utm_campaign: 'The campaign in those tags.',
  utm_term: 'The search term in those tags.',
  utm_content: 'The ad or link in those tags.',
  gclid: 'The click ID of Google Ads.',
  gbraid: 'The click ID of Google Ads for apps on iOS.',
  wbraid: 'The click ID of Google Ads from apps on iOS.',
  msclkid: 'The click ID of Microsoft Advertising.',
  fbclid: 'The click ID of Facebook and Instagram.',
}

/** Meaning of `{{meta.<key>}}` in templates and conditions. */
export const META_MEANINGS: Readonly<Record<string, string>> = {
  submission_id: 'The number of the lead.',
  form_id: 'The number of the form.',
  form_slug: 'The slug of the form.',
  form_name: 'The name of the form.',
  webhook_id: 'The number of the webhook.',
  webhook_name: 'The name of the webhook.',
  delivery_id: 'The number of the delivery. Conditions can’t use it.',
  submitted_at: 'When the form was sent, in UTC.',
  page_url: 'The address of the page with the form.',
  page_path: 'The path of that page.',
  service_slug: 'The service of that page.',
  service_name: 'The name of that service.',
  location_slug: 'The place of that page.',
  location_name: 'The name of that place.',
  location_path: 'Its slugs from the root, such as `united-states/texas/austin`.',
  site_url: 'The origin of the site.',
  admin_url: 'The URL of the lead in the admin.',
  is_test: 'Whether this is a test.',
  ...TOUCH_MEANINGS,
  ...Object.fromEntries(
    Object.keys(TOUCH_MEANINGS).map((key) => [`first_${key}`, `The same for the first visit: \`${key}\`.`]),
  ),
  pages_seen: 'The paths of the pages seen before the form, with commas between them.',
}

/** When each condition operator is true. */
export const OPERATOR_MEANINGS: Readonly<Record<string, string>> = {
  eq: 'The answer is this text, number, or boolean.',
  ne: 'It isn’t, or there is no answer.',
  in: 'The answer is one of a list.',
  not_in: 'It is none of the list, or there is no answer.',
  contains: 'The answer contains this text, or a checkbox group this choice.',
  not_contains: 'It doesn’t, or there is no answer.',
  starts_with: 'The answer starts with this text.',
  ends_with: 'The answer ends with this text.',
  gt: 'The number or date is greater.',
  gte: 'The number or date is greater or the same.',
  lt: 'The number or date is smaller.',
  lte: 'The number or date is smaller or the same.',
  includes: 'The checkbox group has this choice.',
  within: 'The place is this one or inside it. For `meta.location_slug` only.',
  empty: 'There is no answer. Needs no value.',
  not_empty: 'There is an answer. Needs no value.',
}
