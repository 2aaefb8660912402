import { readFileSync } from 'node:fs'
import { fieldsOf } from '../../src/integration/upgrades/component-facts.ts'
import { code, table } from './markdown.ts'

/** Interfaces of what components get, in the order of the page, with their files below `src/site`. */
const VIEWS = {
  PageView: 'pages/page.ts',
  HeadView: 'pages/page.ts',
  LayoutView: 'pages/layout-view.ts',
  HomeView: 'pages/home-page.ts',
  ServiceView: 'pages/service-page.ts',
  LocationServiceView: 'pages/location-service-page.ts',
  PlaceView: 'pages/location-service-page.ts',
  NearbyPlaces: 'content/nearby-places.ts',
  ServiceContent: 'content/service-content.ts',
  PagePictures: 'pictures/page-pictures.ts',
  ServiceCard: 'content/service-card.ts',
  TestimonialView: 'content/site-content.ts',
  PageLink: 'pages/page-link.ts',
  ServiceLink: 'pages/layout-view.ts',
  LinkListView: 'pages/layout-view.ts',
  PhoneView: 'settings/phone-view.ts',
  LabeledPhone: 'settings/phone-view.ts',
  Crumb: 'pages/page.ts',
  PlaceBranch: 'areas/place-branches.ts',
  EntryPicture: 'pictures/entry-picture.ts',
  FormView: 'forms/form-view.ts',
} as const

// Fields of the program's own layout.
const INTERNAL = new Set(['theme', 'notesVisits', 'tags'])
const EXTENDED: Readonly<Record<string, string>> = {
  LayoutView:
    '`LayoutView` also has the keys `tagline`, `email`, `address`, `navigation`, and `socials` of `site.yaml`.',
  LabeledPhone: '`LabeledPhone` also has the fields of `PhoneView`.',
  ServiceLink: '`ServiceLink` also has the `name` and `path` of `PageLink`.',
  ServiceContent: '`ServiceContent` also has the fields of `PagePictures`.',
}

/** Makes the part of the page of components that lists the fields of views. */
export function viewsSection(): string {
  const introduction = 'The props above use the following types. Values that aren’t set are `null`.'
  return ['## Data', introduction, ...Object.entries(VIEWS).map(viewOf)].join('\n\n')
}

function viewOf([name, path]: [string, string]): string {
  const source = readFileSync(new URL(`../../src/site/${path}`, import.meta.url), 'utf8')
  const body = source.slice(source.search(new RegExp(`interface ${name}\\b`)))
  const fields = Object.entries(fieldsOf(source, name)).filter(([field]) => !INTERNAL.has(field))
  const rows = fields.map(([field, type]) => [
    code(field),
    code(type),
    describe(body, field.replace('?', '')),
  ])
  if (rows.length === 0) throw new Error(`src/site/${path} has no interface ${name} with fields`)
  const more = EXTENDED[name]
  return [`### \`${name}\``, table(['field', 'type', 'meaning'], rows), ...(more ? [more] : [])].join('\n\n')
}

function describe(body: string, field: string): string {
  const comment = `/\\*\\*\\s*((?:(?!\\*/).)*?)\\s*\\*/\\s*(?:readonly )?${field}\\??:`
  const [, text = ''] = new RegExp(comment, 's').exec(body.slice(0, body.search(/^\}/m))) ?? []
  return text
    .replace(/^\*\s*/, '')
    .replace(/\s*\n\s*\*\s*/g, ' ')
    .replace(/ \(§[^)]*\)/g, '')
}
