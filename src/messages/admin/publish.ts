import { createMessages, type MessageOf } from '../../lib/messages.ts'
import { countOf } from '../plural.ts'
import { settingName } from './settings/setting-names.ts'

const REASONS = { one: 'more reason', other: 'more reasons' }
const CHANGES = { one: 'unpublished change', other: 'unpublished changes' }
const numberOf = (count: number) => count.toLocaleString('en-US')
const pagesOf = (count: number) => (count === 1 ? '1 page' : `${numberOf(count)} pages`)

const wouldChange = (pages: number) => `${pages === 0 ? 'No pages' : pagesOf(pages)} would change`

/** The page that publishes the site. */
export const publishTexts = {
  title: 'Publish',
  lead: 'Saved changes go live when you publish.',
  viewSite: 'View site',
  publish: 'Publish now',
  publishAgain: 'Publish again',
  started: 'Publishing has started.',
  recorded: 'Published the site',
  heldBack:
    'The site was rolled back. It stays that way, even after a restart, until you select Publish now.',
  history: 'History',
  empty: 'Nothing published yet',
  emptyHint: 'Select Publish now to put your site online.',
  newest: 'Newest',
  editNotice: 'Edit',
  moreNotices: (count: number) => `and ${count} more. Run npm run doctor to see them all.`,
}

/** The end of a publish, for the person who started it. */
export const publishEndTexts = {
  published: (pages: number, counts: string) => `Published ${pagesOf(pages)}: ${counts}.`,
  noPages: 'Published. No pages changed.',
  unchanged: 'Visitors already see everything you saved.',
  failed: (reason: string) =>
    `Publishing failed. Visitors still see the previous version of the site. ${reason}`,
}

/** Texts about the changes of a publish. */
export const planTexts = {
  unknown: 'Next publish',
  published: 'Everything is published',
  saved: ({ count, hasMore }: { count: number; hasMore: boolean }) =>
    hasMore ? `More than ${numberOf(count)} unpublished changes` : countOf(count, CHANGES),
  wouldChange,
  // `edited`: those with changes of their own; 0 if unknown.
  wouldChangeWith: (pages: number, edited: number) => {
    if (edited === 0 || edited >= pages) return `${wouldChange(pages)}.`
    const others = pages - edited
    const first = `${numberOf(edited)} ${edited === 1 ? 'was' : 'were'} edited`
    return `${wouldChange(pages)}: ${first}, and ${numberOf(others)} ${others === 1 ? 'shows' : 'show'} edited content.`
  },
  comparing: 'Comparing pages…',
  compared: 'Compared',
  failed: (reason: string) => `The pages can’t be compared, and publishing would fail too: ${reason}`,
  why: 'Why',
  moreReasons: (count: number) => `and ${countOf(count, REASONS)}`,
  firstPages: (count: number) => `First ${numberOf(count)} of these pages`,
  allPages: 'These pages',
  nothingChanged: 'Nothing has changed since the last publish.',
  hint: 'Signpost compares every page with the live site. This can take a few seconds.',
}

/** Why the site cannot be published. */
export const publishFaults = {
  sameAddress: (path: string, first: string, second: string) =>
    `Two pages have the address ${path}: “${first}” and “${second}”. Change the address of one`,
}

/** Labels for the change of a page. */
export const pageChangeLabels = { added: 'new', changed: 'changed', removed: 'removed', same: 'same' }

/** A publish that runs. */
export const progressTexts = {
  title: 'Publishing',
  bar: 'Pages done',
  starting: 'Starting',
  hint: 'Visitors see the current site until publishing is done.',
  queued: 'Another publish is queued.',
  server: (name: string) => `Server: ${name}.`,
  refreshes: 'Refreshes every two seconds.',
  done: (done: number, total: number) => `${numberOf(done)} of ${numberOf(total)} pages compared`,
  pictures: (done: number, total: number) => `${numberOf(done)} of ${numberOf(total)} pictures`,
  left: (pages: string, seconds: number) => `${pages}, about ${seconds} s left`,
}

/** Texts about upcoming scheduled publishes. */
export const upcomingTexts = {
  title: 'Scheduled',
  hint: 'Each scheduled change goes live alone, without other unpublished changes.',
  events: { appears: 'goes live', changes: 'changes', goes: 'goes offline' },
}

/** The list of publishes, and the page about one. */
export const historyTexts = {
  caption: 'Publishes, newest first',
  live: 'live now',
  rollBack: 'Roll back to this release',
  publishTitle: 'Publish details',
  rollbackTitle: 'Rollback details',
  siteUnchanged: 'The site did not change.',
  by: (name: string) => `by ${name}`,
  pages: pagesOf,
  changes: (counts: string) => `: ${counts}`,
  size: (size: string) => `, ${size}`,
  previous: (release: string) => `, previously ${release}`,
  reasons: 'Why pages changed',
  log: 'Log',
}

/** The columns and facts of publishes. */
export const historyLabels = {
  when: 'When',
  pages: 'Pages',
  duration: 'Duration',
  size: 'Size',
  started: 'Started',
  release: 'Release',
  step: 'Step',
}

/** Starters of a publish whose user is unknown. */
export const starterLabels = {
  command: 'Command line',
  start: 'Server start',
  schedule: 'Schedule',
  admin: 'Deleted user',
}

/** Results of a publish. */
export const publishStates = {
  running: 'running',
  published: 'published',
  unchanged: 'no changes',
  failed: 'failed',
  rolled_back: 'rolled back',
}

/** The question before a rollback, and its answers. */
export const rollbackTexts = {
  question: 'Roll back to this release?',
  action: 'Roll back site',
  published: 'Visitors will see the site as published on',
  keeps:
    'Your content, forms, and settings stay as they are. Select Publish now to publish them again. Until then, schedules and restarts don’t change the site.',
  recorded: (release: string) => `Rolled the site back to ${release}`,
  rolled_back: 'Visitors now see the earlier release.',
  current: 'Visitors already see this release.',
  busy: 'A publish is running. Roll back once it is done.',
  no_release: 'This release is no longer available.',
}

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
  const noun = BUILTIN_TYPES[type?.slug ?? 'pages']
  return noun ? countOf(pages, noun) : `${pagesOf(pages)} of the type ${type?.name}`
}

// Sources go on with "changes 212 pages".
const CAUSES = {
  everything_again: () => 'Rendering every page again',
  first_time: () => 'Building the site for the first time',
  release_again: () => 'Rebuilding a release with incomplete files',
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
  page_added: ({ path }: { path: string }) => `Adding the page ${path}`,
  page_edited: ({ path }: { path: string }) => `Editing the page ${path}`,
  page_removed: ({ path }: { path: string }) => `Removing the page ${path}`,
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
