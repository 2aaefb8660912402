import { createMessages, type MessageOf } from '#src/lib/messages.ts'
import { ownValue } from '#src/lib/names/own-value.ts'
import { countOf, formatCount } from '../../plural.ts'
import { settingName } from '../settings/setting-names.ts'

const pagesOf = (count: number) => (count === 1 ? '1 page' : `${formatCount(count)} pages`)

const NOUNS = {
  place: 'the place',
  place_text: 'the description of the place',
  category: 'the category',
  category_text: 'the description of the category',
  // A deleted one, when nothing left says which of the two it was.
  term: 'the place or category',
  term_text: 'the description of the place or category',
  service: 'the service',
  testimonial: 'the review',
  form: 'the form',
  setting: 'the setting',
  type: 'the content type',
  taxonomy: 'the category list',
  picture: 'the picture',
  other: 'the source',
}

/** A kind of source that pages show beside their own entry. */
export type SourceKind = keyof typeof NOUNS

interface Source {
  kind: SourceKind
  name: string
}

const nounOf = ({ kind, name }: Source) => `${NOUNS[kind]} ${kind === 'setting' ? settingName(name) : name}`

const BUILTIN_TYPES: Readonly<Record<string, { one: string; other: string }>> = {
  pages: { one: 'page', other: 'pages' },
  services: { one: 'service', other: 'services' },
  location_services: { one: 'local page', other: 'local pages' },
  testimonials: { one: 'review', other: 'reviews' },
}

interface Entries {
  /** Null when the type is unknown, because the entries are gone. */
  type: { slug: string; name: string } | null
  /** Added for the sentence. */
  pages?: number
}

function entriesOf({ type, pages = 1 }: Entries): string {
  const noun = ownValue(BUILTIN_TYPES, type?.slug ?? 'pages')
  return noun ? countOf(pages, noun) : `${pagesOf(pages)} of the type ${type?.name}`
}

interface NamedPage {
  path: string
  /** Missing for a page without an entry, and for a deleted one. */
  title?: string
}

const nameOfPage = ({ path, title }: NamedPage) => title ?? path

// Sources go on with "changes 212 pages".
const CAUSES = {
  everything_again: () => 'Rendering every page again',
  first_time: () => 'Building the site for the first time',
  release_again: () => 'Rebuilding an incomplete release',
  links: () => 'Updating links to added and removed pages',
  templates: () => 'Updating the templates',
  footer: () => 'Updating the list of pages in the footer',
  // A setting has a default before someone sets it.
  source_added: (source: Source) => `${source.kind === 'setting' ? 'Editing' : 'Adding'} ${nounOf(source)}`,
  source_edited: (source: Source) => `Editing ${nounOf(source)}`,
  source_renamed: ({ kind, from, to }: { kind: SourceKind; from: string; to: string }) =>
    `Renaming ${NOUNS[kind]} ${from} to ${to}`,
  source_removed: (source: Source) =>
    `${source.kind === 'setting' ? 'Editing' : 'Removing'} ${nounOf(source)}`,
  entries_added: (entries: Entries) => `Adding ${entriesOf(entries)}`,
  entries_edited: (entries: Entries) => `Editing ${entriesOf(entries)}`,
  entries_removed: (entries: Entries) => `Removing ${entriesOf(entries)}`,
  page_added: (page: NamedPage) => `Adding the page ${nameOfPage(page)}`,
  page_edited: (page: NamedPage) => `Editing the page ${nameOfPage(page)}`,
  page_removed: (page: NamedPage) => `Removing the page ${nameOfPage(page)}`,
}

/** Why pages differ from the live site. */
export type Cause = MessageOf<typeof CAUSES>

const describe = createMessages(CAUSES)

/** `Renaming the place Austin to Austin City changes 212 pages`, or `Adding 12 local pages` */
export function describeCause({ cause, pages }: { cause: Cause; pages: number }): string {
  switch (cause.code) {
    case 'entries_added':
    case 'entries_edited':
    case 'entries_removed':
      return describe({ code: cause.code, params: { ...cause.params, pages } })
    case 'page_added':
    case 'page_edited':
    case 'page_removed':
      return describe(cause)
    default:
      return `${describe(cause)} changes ${pages === 1 ? 'one page' : pagesOf(pages)}`
  }
}
