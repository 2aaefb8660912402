/** Rules for the settings of the site. */
export const EXPECTED_IN_SETTINGS = {
  page_path: () => 'a path that starts with a single /, or a full address',
  country_code: () => 'a country code of two letters, such as IE',
  language_code: () => 'a language code such as en, en-IE, or ja',
  time_zone: () => 'a time zone such as Europe/Dublin',
  https_origin: () => 'an origin such as https://www.example.com or https://*.example.com',
  named_once: () => 'each section at most once',
  stage_slug: () => 'lowercase letters, digits, and hyphens, such as site-visit',
  stages_begin_new: () => 'a first stage with the slug new and without counts_as',
  stages_named_once: () => 'each slug at most once, in slug and replaces',
  /** `name` is that of the missing look, if it can have one. */
  installed_look: ({ values, name }: { values: readonly string[]; name?: string }) =>
    `one of: ${values.join(', ')}${name === undefined ? '' : `. For another look, install its package: npm install signpost-look-${name}`}`,
  color: () => 'a color such as #2f42a5',
}

export interface Contrast {
  role: string
  color: string
  on: string
  ground: string
  look: 'light' | 'dark'
  contrast: number
  least: number
}

export const FAULTS_OF_SETTINGS = {
  tag_event_handler: () => 'the HTML has an attribute that runs code, which browsers block; remove it',
  tag_not_https: () => 'the HTML loads a resource from an address without https://',
  tag_unclosed: () =>
    'the HTML has a tag that isn’t closed or isn’t allowed; use scripts, styles, images, and frames',
  low_contrast: ({ role, color, on, ground, look, contrast, least }: Contrast) =>
    `${role} ${color} is hard to read on ${on} ${ground}${look === 'dark' ? ' in dark mode' : ''}: contrast ${contrast}, expected at least ${least}`,
}

export const FAULTS_OF_TAXONOMIES = {
  term_repeated: ({ slug }: { slug: string }) =>
    `"${slug}" is already the slug of another term, expected each slug only once in a taxonomy`,
  terms_below: () => 'a term has child terms, expected is_hierarchical: true or a flat list',
}
