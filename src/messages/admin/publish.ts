import { createMessages, type MessageOf } from '../../lib/messages.ts'

const NOUNS = {
  term: 'the term',
  term_text: 'the text of the term',
  service: 'the service',
  testimonial: 'the testimonial',
  form: 'the form',
  setting: 'the setting',
  type: 'the content type',
  other: 'the source',
}

/** What pages show beside their own entry. */
export type SourceKind = keyof typeof NOUNS

interface Source {
  kind: SourceKind
  name: string
}

const entriesOf = (type: string | null) => (type === null ? 'pages' : `entries of ${type}`)

// A sentence goes on with "changes 212 pages".
const CAUSES = {
  everything_again: () => 'Rendering every page again',
  first_time: () => 'Building the site for the first time',
  release_again: () => 'Rebuilding a release with incomplete files',
  links: () => 'Updating links to added and removed pages',
  templates: () => 'Changing the templates',
  footer: () => 'Updating the list of pages in the footer',
  source_added: ({ kind, name }: Source) => `Adding ${NOUNS[kind]} ${name}`,
  source_edited: ({ kind, name }: Source) => `Editing ${NOUNS[kind]} ${name}`,
  source_renamed: ({ kind, from, to }: { kind: SourceKind; from: string; to: string }) =>
    `Renaming ${NOUNS[kind]} ${from} to ${to}`,
  source_removed: ({ kind, name }: Source) => `Removing ${NOUNS[kind]} ${name}`,
  entries_added: ({ type }: { type: string | null }) => `Adding ${entriesOf(type)}`,
  entries_edited: ({ type }: { type: string | null }) => `Editing ${entriesOf(type)}`,
  entries_removed: ({ type }: { type: string | null }) => `Removing ${entriesOf(type)}`,
  page_added: ({ path }: { path: string }) => `Adding the page ${path}`,
  page_edited: ({ path }: { path: string }) => `Editing the page ${path}`,
  page_removed: ({ path }: { path: string }) => `Removing the page ${path}`,
}

/** Why pages differ from the live site. */
export type Cause = MessageOf<typeof CAUSES>

const describe = createMessages(CAUSES)

/** `Renaming the term Austin to Austin City changes 212 pages` */
export function describeCause({ cause, pages }: { cause: Cause; pages: number }): string {
  return `${describe(cause)} changes ${pages === 1 ? 'one page' : `${pages.toLocaleString('en-US')} pages`}`
}
