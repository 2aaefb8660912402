const FORM = 'The slug of the form on the page. Default: `default_form` in `site.yaml`.'
const PICTURE = 'A picture on the page: a file in `pictures/`.'
const PICTURE_ALT = 'A description of the picture, for people who can’t see it.'

const HERO = 'The large picture below the heading: a file in `pictures/`.'
const GALLERY = 'Pictures of the work, in display order: files in `pictures/`.'
const BEFORE =
  'A picture from before the work: a file in `pictures/`. It is shown only if `after_picture` is also set.'
const AFTER = 'A picture of the finished work: a file in `pictures/`. It is shown next to `before_picture`.'
const PICTURES = { hero: HERO, gallery: GALLERY, before_picture: BEFORE, after_picture: AFTER }

const SECTIONS =
  'The page’s sections, in order. They replace the sections set in `site.yaml`. `[none]` shows no sections. `-faq` hides the section `faq` but keeps its position.'

/** Meanings of the keys in every Markdown file. */
const OF_ALL: Readonly<Record<string, string>> = {
  title: 'The page’s heading.',
  status: 'Only `published` entries have pages.',
  terms: 'The entry’s terms: a list of slugs for each taxonomy, such as `{ service_categories: [heating] }`.',
  publish_at:
    'The time when the page goes live, such as `2026-12-01T08:00:00Z`. `Z` means UTC. You can also write an offset, such as `+02:00`.',
  unpublish_at: 'The time when the page goes offline, in the same format as `publish_at`.',
  redirect_from: 'Old paths that redirect to this page, such as `/about-us.php`.',
}

/** Meanings of the keys in Markdown files, by content type. */
export const ENTRY_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pages: {
    ...OF_ALL,
    summary: 'The text below the heading and the description in search results.',
    form: 'The slug of the form on the page. Without this key, the page has no form.',
    picture: PICTURE,
    picture_alt: PICTURE_ALT,
  },
  services: {
    ...OF_ALL,
    summary:
      'The text below the heading and the description in search results. Keep the text under 155 characters.',
    form: FORM,
    icon: 'The icon next to the service’s name: `snowflake`, `flame`, `pump`, `drain`, `heater`, `leak`, `panel`, `plug`, or `wrench` (the default).',
    price_from: 'The lowest price, such as `$89 diagnostic visit`.',
    duration: 'How long the service takes, such as `60 to 90 minutes`.',
    includes: 'What the price includes.',
    steps: 'The steps of the work, in order.',
    'steps[]/title': 'The step’s name.',
    'steps[]/text': 'A description of the step.',
    faq: 'Frequently asked questions.',
    'faq[]/question': 'The question.',
    'faq[]/answer': 'The answer.',
    offered_in:
      'The places where you offer the service, such as `austin`. Each place gets a local page. `texas/*` means the places one level below Texas, and `texas/**` means Texas and every place inside it. `except dallas/**` excludes Dallas and every place inside it.',
    picture: PICTURE,
    picture_alt: PICTURE_ALT,
    sections: `${SECTIONS} Built-in sections: \`steps\`, \`before_after\`, \`gallery\`, \`places\`, \`reviews\`, \`faq\`.`,
    position:
      'The service’s position in lists. Lower numbers come first, and services without a position come last.',
    ...PICTURES,
  },
  location_services: {
    ...OF_ALL,
    title: 'The page’s heading. Default: the service and the place.',
    city: 'The city in the mailing address.',
    region: 'The state or region in the mailing address.',
    intro: 'The introduction: two to four sentences that apply only to this place.',
    address: 'The local mailing address, with line breaks.',
    phone: 'The local phone number: a single number, in any format. Default: the main number.',
    map_embed_url:
      'The embed URL of an OpenStreetMap, Google, or Bing map. Visitors can open the map on the page. Any other URL appears as a link.',
    local_testimonials:
      'The slugs of the testimonials on this page. Default: up to three testimonials, preferably from this place or about this service.',
    sections: `${SECTIONS} Built-in sections: \`steps\`, \`before_after\`, \`gallery\`, \`reviews\`, \`faq\`, \`nearby\`.`,
    ...PICTURES,
  },
  testimonials: {
    ...OF_ALL,
    title: 'The heading above the quote.',
    status: 'Pages show only `published` testimonials.',
    publish_at:
      'The time when the testimonial goes live, such as `2026-12-01T08:00:00Z`. `Z` means UTC. You can also write an offset, such as `+02:00`.',
    unpublish_at: 'The time when the testimonial goes offline, in the same format as `publish_at`.',
    redirect_from:
      'Old paths that redirect to the testimonial’s page, if you give testimonials their own pages.',
    author: 'The name of the person quoted.',
    place: 'Where the author lives, such as `Hyde Park, Austin`.',
    service: 'The slug of the service described in the testimonial.',
  },
}
