/** Meanings of the keys in `content/site.yaml`. A slash stands for a nested key, `[]` for each item of a list. */
export const SITE_KEYS: Readonly<Record<string, string>> = {
  name: 'The name of the business.',
  logo: 'The logo, shown at the top of every page: a file in `pictures/`.',
  logo_dark:
    'The logo for dark backgrounds, shown in the footer and, in dark mode, at the top of pages: a file in `pictures/`.',
  logo_shows_name:
    'Whether the logo contains the name, so that pages don’t show the name beside the logo. Default: `true` if the logo is at least twice as wide as it is tall.',
  icon: 'The icon for browser tabs and home screens: a square picture in `pictures/`. Default: the logo, or the first letter of the name if the logo contains the name.',
  tagline: 'One line that says what you do.',
  business_type: 'The schema.org type that tells search engines what kind of business you run.',
  phone: 'The main phone number: a single number, in any format.',
  email: 'The public email address.',
  phones: 'Additional phone numbers, such as one for emergencies.',
  'phones[]/label': 'The label before the number, such as `Emergencies`.',
  'phones[]/number': 'The phone number.',
  address:
    'The mailing address, with line breaks. Without an address, search engines see an organization instead of a local business.',
  country:
    'The country’s two-letter code. Phone numbers without an international prefix are assumed to be from this country. Default: `US`.',
  time_zone:
    'The time zone for times in the admin, emails, and exports, such as `Europe/Dublin`. Default: the server’s time zone.',
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
  default_form: 'The slug of the form on the home page, and on services that don’t set `form`.',
  share_pictures:
    'The pictures that appear when a page is shared. `service` creates one picture for each service. `place` also creates one for each local page that search engines may list. Default: `place` for up to 5,000 local pages, and `service` for more.',
  quality_threshold:
    'Local pages with a lower quality score ask search engines not to list them. With `0`, search engines may list every page.',
  stages:
    'The stages of leads, in order. New leads start in the first stage, whose slug must be `new`. Default: new, contacted, quoted, won, and lost.',
  'stages[]/slug': 'The stage’s identifier, which stays the same when you rename the stage.',
  'stages[]/name': 'The stage’s name in the inbox.',
  'stages[]/counts_as':
    'Whether results count leads in this stage as won or lost. Without this key, the leads count as open.',
  'stages[]/replaces': 'The slugs of removed stages whose leads move to this stage.',
  attribution: 'Whether leads record the page, link, and ad that brought the visitor. Default: `true`.',
  record_reading:
    'Whether the activity log records who opens a lead. Exports and downloads are always recorded. Default: `false`.',
  tags: 'HTML from other services, such as analytics, to add to every page. Scripts in this HTML can read everything that visitors type.',
  'tags/head': 'HTML to add at the end of `<head>`.',
  'tags/body': 'HTML to add at the end of `<body>`.',
  'tags/origins':
    'More origins from which the added HTML can load files. Origins that appear in the HTML are allowed automatically.',
  'tags/origins[]/origin': 'The origin, such as `https://www.example.com` or `https://*.example.com`.',
  sections:
    'The sections on each kind of page, in order. A kind of page that you leave out shows its default sections. To hide a section but keep its position, put a minus sign before the name: `-faq`.',
  'sections/home':
    'The sections of the home page. Default: all built-in sections in the order shown here, without your own sections.',
  'sections/service':
    'The sections of service pages. Default: all built-in sections in the order shown here, without your own sections.',
  'sections/location_service':
    'The sections of local pages. Default: all built-in sections in the order shown here, without your own sections.',
  theme: 'The site’s look, fonts, and colors.',
  'theme/preset': 'The [look](../looks.md) to start from. `photographic` requires its package.',
  'theme/fonts':
    'The fonts to use instead of the look’s own. `system` uses fonts that visitors already have, so that pages load none.',
  'theme/radius': 'The corner radius of cards, in pixels.',
  'theme/colors': 'Your own colors, as `#rrggbb`. Colors that make text hard to read are rejected.',
  'theme/colors/background': 'The page background.',
  'theme/colors/surface': 'The background of cards and inputs.',
  'theme/colors/line': 'Borders.',
  'theme/colors/text': 'Text.',
  'theme/colors/muted': 'Less important text.',
  'theme/colors/primary': 'Buttons and links.',
  'theme/colors/on_primary': 'Text on the primary color.',
  'theme/colors/accent': 'Highlights.',
  'theme/colors/on_accent': 'Text on the accent color.',
  'theme/colors/band': 'The band at the top of pages.',
  'theme/colors/on_band': 'Text on the band.',
  'theme/colors/positive': 'Success messages.',
  'theme/colors/negative': 'Error messages.',
  'theme/dark_colors': 'Your own colors for dark mode, with the same keys as `colors`.',
  home: 'The content of the home page.',
  'home/title': 'The page’s title in search results. Default: the name and the tagline.',
  'home/heading': 'The main heading. Default: the tagline.',
  'home/intro': 'The paragraph below the heading.',
  'home/hero': 'The large picture below the heading: a file in `pictures/`.',
  'home/gallery': 'The file names of pictures of your work, in display order.',
  'home/before_picture':
    'A picture from before the work: a file in `pictures/`. Shown only together with `after_picture`.',
  'home/after_picture': 'A picture from after the work, shown beside `before_picture`.',
  'home/points': 'Reasons to choose your business. Pages also list the titles below their heading.',
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
  description: 'The purpose of the taxonomy.',
  is_hierarchical: 'Whether terms can contain other terms.',
  applies_to:
    'The slugs of the content types whose entries can have these terms. `null` means testimonials and every type that has pages.',
  sort_order: 'The taxonomy’s position in lists of taxonomies. Lower numbers come first.',
  archive: 'Whether each term has a public page at `/taxonomy/<slug>/<term>`.',
  terms: 'The terms, such as places or categories, in display order.',
  'terms[]/slug':
    'The term’s identifier: lowercase letters, digits, and hyphens. Must be unique in the file.',
  'terms[]/name': 'The name that visitors see.',
  'terms[]/description': 'Text that is true only of this place or category.',
  'terms[]/former_slugs': 'The term’s previous slugs. URLs that contain them redirect to the current URLs.',
  'terms[]/kind': 'The kind of place, if it isn’t the usual one at this level. Only in `locations.yaml`.',
  'terms[]/terms': 'The terms inside this one, with the same keys.',
}

/** Meanings of the keys in `content_types/<slug>.yaml`. */
export const CONTENT_TYPE_KEYS: Readonly<Record<string, string>> = {
  name: 'The type’s name in the plural, such as `Projects`.',
  description: 'A description of the type’s entries.',
  is_routable: 'Whether entries have pages.',
  route_pattern:
    'The URL pattern of entry pages, such as `/projects/{slug}`. Required if `is_routable` is `true`.',
  detail_partial:
    'The component in `src/components/partials` that shows an entry, if you customize Signpost’s code. For example, `project_detail` means `ProjectDetail.astro`.',
  schema: 'The definition of the fields.',
  'schema/fields': 'The fields of each entry, in display order.',
  'schema/fields[]/key':
    'The field’s name in files: lowercase letters, digits, and underscores, starting with a letter.',
  'schema/fields[]/label': 'The field’s name on screens and pages.',
  'schema/fields[]/type': 'The field type.',
  'schema/fields[]/required': 'Whether every entry must have a value.',
  'schema/fields[]/fields': 'For a `list`, the fields of each item, with the same keys.',
  sort_order: 'The type’s position in lists of content types. Lower numbers come first.',
}
