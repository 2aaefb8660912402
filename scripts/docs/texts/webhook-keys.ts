/** Keys about the visitor's last arrival from another site; null when unknown. */
const TOUCH_MEANINGS: Readonly<Record<string, string>> = {
  source_kind:
    'How the visitor arrived: `ads`, `campaign` (tagged links), `direct`, `email`, `referral` (other sites), `search`, or `social`.',
  at: 'When the visitor last arrived from another site, in UTC.',
  landing_page: 'The first page of that visit.',
  referrer: 'The referring page of that visit.',
  utm_source: 'The source in the link’s UTM parameters.',
  utm_medium: 'The medium in the UTM parameters, such as `cpc`.',
  utm_campaign: 'The campaign in the UTM parameters.',
  utm_term: 'The search term in the UTM parameters.',
  utm_content: 'The ad or link in the UTM parameters.',
  gclid: 'The Google Ads click ID.',
  gbraid: 'The Google Ads click ID for iOS app conversions.',
  wbraid: 'The Google Ads click ID for web conversions on iOS.',
  msclkid: 'The Microsoft Advertising click ID.',
  fbclid: 'The Facebook and Instagram click ID.',
}

/** Meaning of `{{meta.<key>}}` in templates and conditions. */
export const META_MEANINGS: Readonly<Record<string, string>> = {
  submission_id: 'The lead’s ID.',
  form_id: 'The form’s ID.',
  form_slug: 'The form’s slug.',
  form_name: 'The form’s name.',
  webhook_id: 'The webhook’s ID.',
  webhook_name: 'The webhook’s name.',
  delivery_id: 'The delivery’s ID. Not available in conditions.',
  submitted_at: 'When the form was sent, in UTC.',
  page_url: 'The URL of the page with the form.',
  page_path: 'The path of the page with the form.',
  service_slug: 'The slug of the page’s service.',
  service_name: 'The name of the page’s service.',
  location_slug: 'The slug of the page’s place.',
  location_name: 'The name of the page’s place.',
  location_path: 'The slugs of the place and all places above it, such as `united-states/texas/austin`.',
  site_url: 'The site’s origin.',
  admin_url: 'The lead’s URL in the admin.',
  is_test: 'Whether the submission is a test.',
  ...TOUCH_MEANINGS,
  ...Object.fromEntries(
    Object.keys(TOUCH_MEANINGS).map((key) => [`first_${key}`, `\`${key}\` for the first visit.`]),
  ),
  pages_seen: 'The paths of the pages seen before the form, separated by commas.',
}

/** When each condition operator is true. */
export const OPERATOR_MEANINGS: Readonly<Record<string, string>> = {
  eq: 'The answer is this text, number, or boolean.',
  ne: 'The answer is different, or there is no answer.',
  in: 'The answer is in the list.',
  not_in: 'The answer is not in the list, or there is no answer.',
  contains: 'The answer contains this text, or the checkbox group includes this choice.',
  not_contains: 'The answer doesn’t contain this text or choice, or there is no answer.',
  starts_with: 'The answer starts with this text.',
  ends_with: 'The answer ends with this text.',
  gt: 'The number or date is greater than this one.',
  gte: 'The number or date is greater than or equal to this one.',
  lt: 'The number or date is less than this one.',
  lte: 'The number or date is less than or equal to this one.',
  includes: 'The checkbox group includes this choice.',
  within: 'The place is this one or a place inside it. Only for `meta.location_slug`.',
  empty: 'There is no answer. Omit `value`.',
  not_empty: 'There is an answer. Omit `value`.',
}
