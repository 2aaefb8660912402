/** Keys about the visitor's last arrival from another site; null when unknown. */
const TOUCH_MEANINGS: Readonly<Record<string, string>> = {
  source_kind:
    'The kind of source from which the visitor came: `ads`, `campaign` (a tagged link), `direct`, `email`, `referral` (another site), `search`, or `social`.',
  at: 'The time, in UTC, when the visitor last arrived from another site or through a tagged link.',
  landing_page: 'The path of the page on which the visitor last arrived.',
  referrer: 'The URL from which the visitor last arrived.',
  utm_source: 'The source in the landing page’s UTM parameters, such as `newsletter`.',
  utm_medium: 'The medium in the landing page’s UTM parameters, such as `cpc`.',
  utm_campaign: 'The campaign in the landing page’s UTM parameters.',
  utm_term: 'The search term in the landing page’s UTM parameters.',
  utm_content: 'The ad or link in the landing page’s UTM parameters.',
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
  delivery_id: 'The delivery’s ID. Conditions can’t use this key.',
  submitted_at: 'The time, in UTC, when the form was submitted.',
  page_url: 'The URL of the page with the form.',
  page_path: 'The path of the page with the form.',
  service_slug: 'The slug of the page’s service.',
  service_name: 'The name of the page’s service.',
  location_slug: 'The slug of the page’s place.',
  location_name: 'The name of the page’s place.',
  location_path:
    'The slugs of the page’s place and all places above it, such as `united-states/texas/austin`.',
  site_url: 'The site’s origin, as in `SITE_URL`.',
  admin_url: 'The lead’s URL in the admin.',
  is_test: 'Whether the submission is a test.',
  ...TOUCH_MEANINGS,
  ...Object.fromEntries(
    Object.keys(TOUCH_MEANINGS).map((key) => [
      `first_${key}`,
      `The value of \`${key}\` for the visitor’s first arrival.`,
    ]),
  ),
  pages_seen:
    'The paths of the pages that the visitor viewed before submitting the form, separated by commas.',
}

/** When each condition operator is true. */
export const OPERATOR_MEANINGS: Readonly<Record<string, string>> = {
  eq: 'The answer equals `value`.',
  ne: 'The answer differs from `value`, or there is no answer.',
  in: 'The answer is in the list `value`.',
  not_in: 'The answer is not in the list `value`, or there is no answer.',
  contains:
    'The answer contains the text `value`, or `value` is one of the selected choices in a checkbox group.',
  not_contains: 'The answer doesn’t contain `value`, or there is no answer.',
  starts_with: 'The answer starts with `value`.',
  ends_with: 'The answer ends with `value`.',
  gt: 'The number or date is greater than `value`.',
  gte: 'The number or date is greater than or equal to `value`.',
  lt: 'The number or date is less than `value`.',
  lte: 'The number or date is less than or equal to `value`.',
  includes: '`value` is one of the selected choices in a checkbox group.',
  within:
    'The place is `value` or is inside `value`. This operator works only with the field `meta.location_slug`.',
  empty: 'There is no answer. Leave out `value`.',
  not_empty: 'There is an answer. Leave out `value`.',
}
