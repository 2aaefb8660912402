const FORM = 'The slug of the page’s form. Default: the default form.'
const PICTURE = 'A file in `pictures/`, shown on the page.'
const PICTURE_ALT = 'A description of the picture, for people who can’t see it.'

const HERO = 'The large picture below the heading: a file name in `pictures/`.'
const GALLERY = 'The file names of pictures of the work, in display order.'
const BEFORE = 'A picture taken before the work. Shown only together with `after_picture`.'
const AFTER = 'A picture taken after the work.'
const PICTURES = { hero: HERO, gallery: GALLERY, before_picture: BEFORE, after_picture: AFTER }

const SECTIONS =
  'The page’s sections, in order, if they differ from the site’s. `[none]` shows no sections. `-faq` hides a section but keeps its position.'

/** Meanings of the keys in every Markdown file. */
const OF_ALL: Readonly<Record<string, string>> = {
  title: 'The page’s heading.',
  status: 'A `draft` entry has no page.',
  terms: 'The slugs of terms, by taxonomy: `{ service_categories: [heating] }`.',
  publish_at: 'The time when the page goes live. `Z` means UTC; `+02:00` is an offset.',
  unpublish_at: 'The time when the page goes offline.',
  redirect_from: 'Old paths that redirect to this page, such as `/about-us.php`.',
}

/** Meanings of the keys in Markdown files, by content type. */
export const ENTRY_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pages: {
    ...OF_ALL,
    summary: 'The text below the heading, and the description in search results.',
    form: 'The slug of the form on the page. Without this key, the page has no form.',
    picture: PICTURE,
    picture_alt: PICTURE_ALT,
  },
  services: {
    ...OF_ALL,
    summary: 'The text below the heading, and the description in search results. At most 155 characters.',
    form: FORM,
    icon: 'The icon beside the service’s name: `snowflake`, `flame`, `pump`, `drain`, `heater`, `leak`, `panel`, `plug`, or `wrench`.',
    price_from: 'The lowest price, such as `$89 diagnostic visit`.',
    duration: 'How long the service takes, such as `60 to 90 minutes`.',
    includes: 'What the price includes.',
    steps: 'How the work is done, in order.',
    'steps[]/title': 'The step’s name.',
    'steps[]/text': 'A description of the step.',
    faq: 'Frequently asked questions.',
    'faq[]/question': 'The question.',
    'faq[]/answer': 'The answer.',
    offered_in:
      'The places with a page for this service: `austin`, `texas/*` (places directly in Texas), `texas/**` (everywhere in Texas), or `except dallas/**`.',
    picture: PICTURE,
    picture_alt: PICTURE_ALT,
    sections: `${SECTIONS} Allowed values: \`steps\`, \`before_after\`, \`gallery\`, \`places\`, \`reviews\`, \`faq\`.`,
    position: 'The service’s position in lists, lowest first. Services without a position come last.',
    ...PICTURES,
  },
  location_services: {
    ...OF_ALL,
    title: 'The page’s heading. Default: the service and the place.',
    city: 'The city in the mailing address.',
    region: 'The state or region in the mailing address.',
    intro: 'Two to four sentences that apply only to this place.',
    address: 'The local mailing address, with line breaks.',
    phone: 'The local phone number, which must be dialable.',
    map_embed_url:
      'The URL of an OpenStreetMap, Google, or Bing map, which visitors can open on the page. Any other URL is shown as a link.',
    local_testimonials: 'The slugs of the testimonials on this page.',
    sections: `${SECTIONS} Allowed values: \`steps\`, \`before_after\`, \`gallery\`, \`reviews\`, \`faq\`, \`nearby\`.`,
    ...PICTURES,
  },
  testimonials: {
    ...OF_ALL,
    title: 'A short title for the testimonial.',
    status: 'A `draft` testimonial is not shown.',
    publish_at: 'The time when the testimonial goes live. `Z` means UTC; `+02:00` is an offset.',
    unpublish_at: 'The time when the testimonial goes offline.',
    author: 'The name of the person quoted.',
    place: 'The author’s place, such as `Hyde Park, Austin`.',
    service: 'The slug of the service that the testimonial is about.',
  },
}
