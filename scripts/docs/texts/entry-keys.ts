const FORM = 'The slug of the form on the page, if it isn’t the default form.'
const PICTURE = 'A file of `pictures/`, shown on the page.'
const PICTURE_ALT = 'What the picture shows, for those who can’t see it.'

const HERO = 'The large picture below the heading: the name of a file of `pictures/`.'
const GALLERY = 'Pictures of the work, by their names and in order.'
const BEFORE = 'A picture from before the work. Shown only with `after_picture`.'
const AFTER = 'A picture from after the work.'
const PICTURES = { hero: HERO, gallery: GALLERY, before_picture: BEFORE, after_picture: AFTER }

const SECTIONS =
  'The sections of this page, in order, if they differ from the site’s. `[none]` for none; `-faq` keeps the place of a hidden one.'

/** Meaning of the keys of every Markdown file. */
const OF_ALL: Readonly<Record<string, string>> = {
  title: 'The heading of the page.',
  status: 'A `draft` has no page.',
  terms: 'Slugs of terms by taxonomy: `{ service_categories: [heating] }`.',
  publish_at: 'The page is not on the site before this time. `Z` is UTC; `+02:00` is an offset.',
  unpublish_at: 'The page is not on the site after this time.',
  redirect_from: 'Former addresses that redirect to this page, such as `/about-us.php`.',
}

/** Meaning of the keys of Markdown files, by content type. */
export const ENTRY_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pages: {
    ...OF_ALL,
    summary: 'The text below the heading, and the description in search results.',
    form: 'The slug of the form on the page. Without it, the page has none.',
    picture: PICTURE,
    picture_alt: PICTURE_ALT,
  },
  services: {
    ...OF_ALL,
    summary: 'The text below the heading, and the description in search results: at most 155 characters.',
    form: FORM,
    icon: 'The drawing beside its name: `snowflake`, `flame`, `pump`, `drain`, `heater`, `leak`, `panel`, `plug`, or `wrench`.',
    price_from: 'The lowest price, such as `$89 diagnostic visit`.',
    duration: 'How long it takes, such as `60 to 90 minutes`.',
    includes: 'What the price includes.',
    steps: 'How the work is done, in order.',
    'steps[]/title': 'The name of the step.',
    'steps[]/text': 'What happens.',
    faq: 'Questions that customers ask.',
    'faq[]/question': 'The question.',
    'faq[]/answer': 'The answer.',
    offered_in:
      'Places, each with a page: `austin`, `texas/*` (directly below), `texas/**` (all of Texas), or `except dallas/**`.',
    picture: PICTURE,
    picture_alt: PICTURE_ALT,
    sections: `${SECTIONS} Any of \`steps\`, \`before_after\`, \`gallery\`, \`places\`, \`reviews\`, and \`faq\`.`,
    position: 'Where lists show the service, lowest first. Services without one come last.',
    ...PICTURES,
  },
  location_services: {
    ...OF_ALL,
    title: 'The heading of the page. The service and the place if left out.',
    city: 'The city in the address.',
    region: 'The state or region in the address.',
    intro: 'Two to four sentences that are true of this place only.',
    address: 'The mailing address in this place, with its line breaks.',
    phone: 'The number in this place. It must be possible to dial it.',
    map_embed_url:
      'A map of OpenStreetMap, Google, or Bing that a visitor can open. Any other address is a link.',
    local_testimonials: 'Slugs of the testimonials on this page.',
    sections: `${SECTIONS} Any of \`steps\`, \`before_after\`, \`gallery\`, \`reviews\`, \`faq\`, and \`nearby\`.`,
    ...PICTURES,
  },
  testimonials: {
    ...OF_ALL,
    title: 'A short title for the quote.',
    status: 'A `draft` is not shown.',
    author: 'Who said it.',
    place: 'Where, such as `Hyde Park, Austin`.',
    service: 'The slug of the service it is about.',
  },
}
