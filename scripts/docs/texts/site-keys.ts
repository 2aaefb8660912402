/** Meanings of the keys in `content/site.yaml`. A slash stands for a nested key, `[]` for each item of a list. */
export const SITE_KEYS: Readonly<Record<string, string>> = {
  name: 'The name of the business.',
  logo: 'A file in `pictures/`, shown at the top of every page. The favicon and the touch icon are made from the logo unless `icon` is set.',
  logo_dark:
    'The logo for dark backgrounds: a file in `pictures/`, shown in the footer, and at the top of pages in dark mode.',
  logo_shows_name:
    'Whether the logo contains the name. If so, the name is not shown beside the logo. Default: `true` if the logo is at least twice as wide as it is tall.',
  icon: 'A square picture in `pictures/` for the favicon and the touch icon. Default: the logo.',
  tagline: 'One line that says what you do.',
  business_type: 'The type of business for search engines, as a schema.org type.',
  phone: 'The main phone number, which must be dialable.',
  email: 'The public email address.',
  phones: 'More phone numbers, such as one for emergencies.',
  'phones[]/label': 'The number’s purpose.',
  'phones[]/number': 'The phone number.',
  address:
    'The mailing address, with line breaks. Search engines list a local business only if it has an address.',
  country:
    'The country’s two-letter code, used to dial phone numbers that have no international prefix. Default: `US`.',
  time_zone:
    'A time zone such as `Europe/Dublin`, for times in the admin, emails, and exports. Default: the server’s time zone.',
  language: 'The language of your content, such as `en-IE` or `ja`. Default: `en`.',
  opening_hours: 'The opening hours, in display order.',
  'opening_hours[]/days': 'The days, such as `Monday to Friday`.',
  'opening_hours[]/hours': 'The hours, such as `7 am to 7 pm`.',
  navigation: 'The links at the top of every page, in display order.',
  'navigation[]/label': 'The link text.',
  'navigation[]/path': 'A path such as `/about`, or a full URL.',
  socials: 'Links to social networks.',
  'socials[]/label': 'The network’s name.',
  'socials[]/url': 'A URL that starts with `https://`, `http://`, `mailto:`, or `tel:`.',
  default_form: 'The slug of the form for services that don’t set one.',
  share_pictures:
    '`service` creates one share picture for each service; `place` also creates one for each local page. Default: `place` for up to 5,000 local pages, and `service` for more.',
  quality_threshold:
    'Local pages with a lower score ask search engines not to list them. `0` lists every page.',
  stages:
    'The stages of leads, in order. The first stage must be `new`, where new leads start. Default: the built-in stages.',
  'stages[]/slug': 'The stage’s identifier. Leads keep their stage when its name changes.',
  'stages[]/name': 'The stage’s name in the inbox.',
  'stages[]/counts_as':
    'Whether leads in this stage count as `won` or `lost` in results. If left out, leads count as open.',
  'stages[]/replaces': 'The slugs of removed stages whose leads move to this stage.',
  attribution: 'Whether leads record the page, link, and ad that brought the visitor. Default: `true`.',
  record_reading:
    'Whether the activity log records who opens a lead. Exports and downloads are always recorded. Default: `false`.',
  tags: 'HTML from other services, such as analytics, for every page. Scripts in this HTML can read everything that visitors type.',
  'tags/head': 'HTML at the end of `<head>`.',
  'tags/body': 'HTML at the end of `<body>`.',
  'tags/origins': 'Origins that tags can load from, in addition to those in the HTML.',
  'tags/origins[]/origin': 'An origin such as `https://www.example.com` or `https://*.example.com`.',
  sections:
    'The sections shown on each kind of page, in order. Kinds of pages that you leave out show the default sections. To hide a section but keep its position, add a minus sign: `-faq`.',
  'sections/home': 'Default: all built-in sections, in the order listed. Your own sections are not included.',
  'sections/service':
    'Default: all built-in sections, in the order listed. Your own sections are not included.',
  'sections/location_service':
    'Default: all built-in sections, in the order listed. Your own sections are not included.',
  theme: 'The look of the site.',
  'theme/preset': 'The [look](../looks.md) to start from. `photographic` requires its package.',
  'theme/fonts': 'The fonts of a look, or `system`, which loads no fonts.',
  'theme/radius': 'The corner radius of cards, in pixels.',
  'theme/colors': 'Your own colors, as `#rrggbb`. Colors that make text hard to read are rejected.',
  'theme/colors/background': 'The page background.',
  'theme/colors/surface': 'Cards and inputs.',
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
  'theme/dark_colors': 'The same keys, for devices in dark mode.',
  home: 'The content of the home page.',
  'home/title': 'The title in search results. Default: the tagline.',
  'home/heading': 'The main heading. Default: the tagline.',
  'home/intro': 'The paragraph below the heading.',
  'home/hero': 'The large picture below the heading: a file name in `pictures/`.',
  'home/gallery': 'The file names of pictures of your work, in display order.',
  'home/before_picture': 'A picture taken before the work. Shown only together with `after_picture`.',
  'home/after_picture': 'A picture taken after the work.',
  'home/points': 'Reasons to choose you. Their titles also appear at the top of pages.',
  'home/points[]/title': 'A few words that make sense on their own.',
  'home/points[]/text': 'One or two sentences.',
  'home/steps': 'How your service works, in order.',
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
    'The slugs of the content types that the taxonomy classifies. `null` means testimonials and all types with pages.',
  sort_order: 'The taxonomy’s position among taxonomies, lowest first.',
  archive: 'Whether each term has a public page at `/taxonomy/<file>/<term>`.',
  terms: 'The terms, in display order.',
  'terms[]/slug': 'Lowercase letters, digits, and hyphens. Must be unique in the file.',
  'terms[]/name': 'The name that visitors see.',
  'terms[]/description': 'Text that applies only to this place or category.',
  'terms[]/former_slugs': 'The term’s previous slugs. Their URLs redirect to the current one.',
  'terms[]/kind':
    'The kind of place, if it differs from the usual kind for its level. Only in `locations.yaml`.',
  'terms[]/terms': 'The terms inside this one, with the same keys.',
}

/** Meanings of the keys in `content_types/<slug>.yaml`. */
export const CONTENT_TYPE_KEYS: Readonly<Record<string, string>> = {
  name: 'The type’s name, in the plural.',
  description: 'A description of the type’s entries.',
  is_routable: 'Whether entries have pages.',
  route_pattern:
    'The URL pattern for entry pages, with placeholders: `/projects/{slug}`. Required if `is_routable` is `true`.',
  detail_partial:
    'The component that shows an entry. For example, `project_detail` means `ProjectDetail.astro`.',
  schema: 'The entry fields.',
  'schema/fields': 'The fields, in display order.',
  'schema/fields[]/key':
    'The field’s name in files: lowercase letters, digits, and underscores, starting with a letter.',
  'schema/fields[]/label': 'The field’s name on screens and pages.',
  'schema/fields[]/type': 'The field type.',
  'schema/fields[]/required': 'Whether every entry needs a value.',
  'schema/fields[]/fields': 'The parts of each `list` item, with the same keys.',
  sort_order: 'The type’s position among content types, lowest first.',
}
