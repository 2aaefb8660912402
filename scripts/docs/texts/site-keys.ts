/** Meanings of the keys in `content/site.yaml`. A slash stands for a nested key, `[]` for each item of a list. */
export const SITE_KEYS: Readonly<Record<string, string>> = {
  name: 'The name of the business.',
  logo: 'The logo at the top of every page: a file in `pictures/`.',
  logo_dark:
    'The logo for dark backgrounds: a file in `pictures/`. It appears in the footer and, in dark mode, at the top of every page.',
  logo_shows_name:
    'Whether the logo contains the business’s name. If `true`, pages don’t repeat the name next to the logo. Default: `true` if the logo is at least twice as wide as it is tall.',
  icon: 'The icon for browser tabs and home screens: a square picture in `pictures/`. Default: the logo. If the logo contains the business’s name, the default is the first letter of the name.',
  tagline: 'A one-line description of what you do.',
  business_type: 'The schema.org type that tells search engines what kind of business you run.',
  phone: 'The main phone number: a single number, in any format.',
  email: 'The public email address.',
  phones: 'Additional phone numbers, such as an emergency number.',
  'phones[]/label': 'The label shown before the number, such as `Emergencies`.',
  'phones[]/number': 'The phone number.',
  address:
    'The mailing address, with line breaks. Without an address, structured data describes the business as an organization instead of a local business.',
  country:
    'The country’s two-letter code. Phone numbers without an international prefix are assumed to be from this country. Default: `US`.',
  time_zone:
    'The time zone used in the admin, emails, and exports, and for the days of results, such as `Europe/Dublin`. Default: the server’s time zone.',
  language: 'The language of your content, such as `en-IE` or `ja`. Default: `en`.',
  opening_hours: 'The opening hours, in display order.',
  'opening_hours[]/days': 'The days, such as `Monday to Friday`.',
  'opening_hours[]/hours': 'The hours, such as `7 am to 7 pm`.',
  navigation: 'The links at the top of every page, in display order.',
  'navigation[]/label': 'The link text.',
  'navigation[]/path': 'A path such as `/about`, or a full URL.',
  socials: 'Links to your profiles on social networks, shown in the footer.',
  'socials[]/label': 'The network’s name.',
  'socials[]/url': 'The profile’s URL, which must start with `https://`, `http://`, `mailto:`, or `tel:`.',
  default_form:
    'The slug of the form on the home page, and on the page of each service that doesn’t set `form`.',
  share_pictures:
    'Which share pictures to generate for link previews. `service` generates one for each service. `place` also generates one for each local page that search engines may list. Default: `place` for up to 5,000 local pages, and `service` for more.',
  quality_threshold:
    'The minimum quality score for local pages. Signpost asks search engines not to list local pages with a lower score. With `0`, search engines may list every local page.',
  stages:
    'The stages of a lead, in order. New leads start in the first stage, whose slug must be `new`. Default: new, contacted, quoted, won, and lost.',
  'stages[]/slug': 'The stage’s identifier. To rename the stage, change `name` instead.',
  'stages[]/name': 'The stage’s name in the inbox.',
  'stages[]/counts_as':
    'Whether leads in this stage count as won or lost. Without this key, the leads count as open.',
  'stages[]/replaces': 'The slugs of removed stages whose leads move to this stage.',
  attribution: 'Whether each lead includes the page, link, and ad that brought the visitor. Default: `true`.',
  record_reading:
    'Whether the activity log records who opens leads. The log always records exports and downloads. Default: `false`.',
  tags: 'HTML from other services, such as analytics, to add to every page. Scripts in this HTML can read everything visitors type.',
  'tags/head': 'HTML to add at the end of `<head>`.',
  'tags/body': 'HTML to add at the end of `<body>`.',
  'tags/origins':
    'Additional origins from which the added HTML can load files. Origins that appear in the HTML are allowed automatically.',
  'tags/origins[]/origin': 'The origin, such as `https://www.example.com` or `https://*.example.com`.',
  sections:
    'The sections on each kind of page, in order. If you leave out a kind of page, its pages show the default sections. To hide a section but keep its position, put a minus sign before the section’s name: `-faq`.',
  'sections/home':
    'The sections of the home page. Default: all built-in sections in the order listed, and none of your own sections.',
  'sections/service':
    'The sections of service pages. Default: all built-in sections in the order listed, and none of your own sections.',
  'sections/location_service':
    'The sections of local pages. Default: all built-in sections in the order listed, and none of your own sections.',
  theme: 'The site’s look, fonts, and colors.',
  'theme/preset': 'The [look](../looks.md) to start from. To use `photographic`, install its package.',
  'theme/fonts':
    'The fonts to use instead of the look’s own. `system` uses the fonts on each visitor’s device, so pages don’t load any.',
  'theme/radius': 'The corner radius of cards, in pixels.',
  'theme/colors': 'Your own colors, as `#rrggbb`. Colors that make text hard to read are rejected.',
  'theme/colors/background': 'The page background.',
  'theme/colors/surface': 'The background of cards and inputs.',
  'theme/colors/line': 'The color of borders.',
  'theme/colors/text': 'The text color.',
  'theme/colors/muted': 'The color of less important text.',
  'theme/colors/primary': 'The color of buttons and links.',
  'theme/colors/on_primary': 'The color of text on the primary color.',
  'theme/colors/accent': 'The color of highlights.',
  'theme/colors/on_accent': 'The color of text on the accent color.',
  'theme/colors/band': 'The background of the band at the top of pages.',
  'theme/colors/on_band': 'The color of text on the band.',
  'theme/colors/positive': 'The color of success messages.',
  'theme/colors/negative': 'The color of error messages.',
  'theme/dark_colors': 'Your own colors for dark mode, with the same keys as `colors`.',
  home: 'The content of the home page.',
  'home/title': 'The page’s title in search results. Default: the business’s name and the tagline.',
  'home/heading': 'The main heading. Default: the tagline.',
  'home/intro': 'The paragraph below the heading.',
  'home/hero': 'The large picture below the heading: a file in `pictures/`.',
  'home/gallery': 'Pictures of your work, in display order: files in `pictures/`.',
  'home/before_picture':
    'A picture from before the work: a file in `pictures/`. It is shown only if `after_picture` is also set.',
  'home/after_picture':
    'A picture of the finished work: a file in `pictures/`. It is shown next to `before_picture`.',
  'home/points':
    'Reasons to choose your business. The titles also appear at the top of the home page, service pages, local pages, and form pages.',
  'home/points[]/title': 'A few words that make sense on their own.',
  'home/points[]/text': 'One or two sentences.',
  'home/steps': 'The steps of your service, in order.',
  'home/steps[]/title': 'The step’s name.',
  'home/steps[]/text': 'A description of the step.',
  'home/faq': 'Frequently asked questions.',
  'home/faq[]/question': 'The question.',
  'home/faq[]/answer': 'The answer.',
}

/** Meanings of the keys in `taxonomies/<slug>.yaml`. */
export const TAXONOMY_KEYS: Readonly<Record<string, string>> = {
  name: 'The taxonomy’s name.',
  description: 'What the taxonomy is for.',
  is_hierarchical: 'Whether terms can contain other terms.',
  applies_to:
    'The slugs of the content types whose entries can have these terms. `null` allows the terms for testimonials and for every type that has pages.',
  sort_order: 'The taxonomy’s position in lists of taxonomies. Lower numbers come first.',
  archive: 'Whether each term has a public page at `/taxonomy/<slug>/<term>`.',
  terms: 'The terms, such as places or categories, in display order.',
  'terms[]/slug':
    'The term’s identifier: lowercase letters, digits, and hyphens. Each slug in the file must be unique.',
  'terms[]/name': 'The name that visitors see.',
  'terms[]/description': 'A description that applies only to this place or category.',
  'terms[]/former_slugs':
    'The term’s previous slugs. URLs with a previous slug redirect to the current URLs.',
  'terms[]/kind':
    'The kind of place, if it differs from the usual kind at this level. This key is allowed only in `locations.yaml`.',
  'terms[]/terms': 'The terms inside this term. They have the same keys.',
}

/** Meanings of the keys in `content_types/<slug>.yaml`. */
export const CONTENT_TYPE_KEYS: Readonly<Record<string, string>> = {
  name: 'The type’s plural name, such as `Projects`.',
  description: 'A description of the type’s entries.',
  is_routable: 'Whether entries have pages.',
  route_pattern:
    'The URL pattern of entry pages, such as `/projects/{slug}`. Required if `is_routable` is `true`.',
  detail_partial:
    'If you customize Signpost’s code, the component in `src/components/partials` that shows an entry. For example, `project_detail` means `ProjectDetail.astro`.',
  schema: 'The definitions of the fields.',
  'schema/fields': 'The fields of each entry, in display order.',
  'schema/fields[]/key':
    'The field’s name in files: lowercase letters, digits, and underscores, starting with a letter.',
  'schema/fields[]/label': 'The field’s name on screens and pages.',
  'schema/fields[]/type': 'The field type.',
  'schema/fields[]/required': 'Whether every entry must have a value.',
  'schema/fields[]/fields':
    'For a `list`, the fields of each item. They have the same keys as the fields of an entry.',
  sort_order: 'The type’s position in lists of content types. Lower numbers come first.',
}
