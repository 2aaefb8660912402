import { stringify } from 'yaml'
import { findTimeZone } from '../../src/lib/locale/time-zones.ts'
import { slugOf } from '../../src/lib/slug.ts'
import { starterTexts } from '../../src/messages/command-line/new-site.ts'
import type { Answers } from './answers.ts'

const BUSINESS_TYPES: Record<Answers['trade'], string> = {
  plumbing: 'Plumber',
  heating: 'HVACBusiness',
  electrical: 'Electrician',
  roofing: 'RoofingContractor',
  cleaning: 'HomeAndConstructionBusiness',
  landscaping: 'HomeAndConstructionBusiness',
  other: 'LocalBusiness',
}

/** The content files of a new site, by path below `content/`. */
export function siteContent(answers: Answers): Record<string, string> {
  const [, ...services] = starterTexts.trades[answers.trade]
  const [firstService] = services
  const [firstPlace = ''] = answers.places
  const local = `location_services/${slugOf(firstService)}/${slugOf(firstPlace)}.md`
  return {
    'site.yaml': stringify(site(answers)),
    'taxonomies/locations.yaml': stringify(locations(answers)),
    'forms/quote.yaml': stringify(quoteForm()),
    [local]: withFrontMatter({ intro: starterTexts.placeIntro(firstPlace) }, ''),
    ...Object.fromEntries(
      services.map((service) => [`services/${slugOf(service)}.md`, servicePage(service, answers)]),
    ),
  }
}

function site({ name, trade, country, phone, places, address }: Answers) {
  const [label] = starterTexts.trades[trade]
  const [place = ''] = places
  const timeZone = findTimeZone(country)
  return {
    name,
    tagline: starterTexts.tagline(label, place),
    phone,
    country,
    ...(timeZone ? { time_zone: timeZone } : {}),
    business_type: BUSINESS_TYPES[trade],
    ...(address ? { address } : {}),
    default_form: 'quote',
    navigation: [{ label: starterTexts.services, path: '/services' }],
    home: { heading: starterTexts.homeHeading(label, place), intro: starterTexts.homeIntro },
  }
}

function locations(answers: Answers) {
  const { country, places } = answers
  return {
    name: starterTexts.locations,
    is_hierarchical: true,
    applies_to: ['services', 'location_services', 'testimonials'],
    sort_order: 10,
    terms: [
      {
        slug: countrySlug(answers),
        name: countryName(country),
        // Without states, the level below the country is that of states.
        terms: places.map((place) => ({ slug: slugOf(place), name: place, kind: 'city' })),
      },
    ],
  }
}

function servicePage(title: string, answers: Answers): string {
  return withFrontMatter(
    { title, offered_in: [`${countrySlug(answers)}/*`] },
    starterTexts.serviceBody(title),
  )
}

// Singapore is in Singapore, but slugs must be unique.
function countrySlug({ country, places }: Answers): string {
  const slug = slugOf(countryName(country))
  return places.some((place) => slugOf(place) === slug) ? country.toLowerCase() : slug
}

function countryName(country: string): string {
  return new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country
}

function quoteForm() {
  return {
    name: starterTexts.form,
    settings: { success_heading: starterTexts.formThanks, success_body: starterTexts.formThanksBody },
    fields: [
      { name: 'full_name', label: starterTexts.fieldName, required: true },
      { name: 'phone', type: 'phone', label: starterTexts.fieldPhone, required: true },
      { name: 'email', type: 'email', label: starterTexts.fieldEmail },
      { name: 'details', type: 'textarea', label: starterTexts.fieldDetails },
    ],
  }
}

function withFrontMatter(values: object, text: string): string {
  return `---\n${stringify(values)}---\n${text}\n`
}
