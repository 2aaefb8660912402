import { countOf } from '../plural.ts'

const REASONS = { one: 'more reason', other: 'more reasons' }
const SECONDS = { one: 'second', other: 'seconds' }
const OTHERS = { one: 'other change', other: 'other changes' }
const CHANGES = { one: 'unpublished change', other: 'unpublished changes' }
const numberOf = (count: number) => count.toLocaleString('en-US')
const pagesOf = (count: number) => (count === 1 ? '1 page' : `${numberOf(count)} pages`)

/** Every page of a release: more than the content has. */
export const allPages = (count: number) => `${pagesOf(count)}, including lists and forms`

interface PlannedPages {
  pages: number
  /** Those of them that need rendering, which may leave them the same. */
  rendered: number
}

const wouldChange = ({ pages, rendered }: PlannedPages) => {
  if (pages === 0) return 'No pages will change'
  return `${rendered > 0 ? `Up to ${pagesOf(pages)}` : pagesOf(pages)} will change`
}

/** The page that publishes the site. */
export const publishTexts = {
  title: 'Publish',
  lead: 'Saved changes go live when you publish.',
  publish: 'Publish now',
  publishAgain: 'Publish again',
  started: 'Publishing has started.',
  recorded: 'Published the site',
  heldBack:
    'The site was rolled back to an earlier release. That release stays live, even after a restart, until you select “Publish now”.',
  history: 'History',
  empty: 'Nothing published yet',
  emptyHint: 'Select “Publish now” to put your site online.',
  newest: 'Newest',
  editNotice: 'Edit',
  moreNotices: (count: number) => `And ${numberOf(count)} more, which will appear as you fix these.`,
}

/** The end of a publish, for the person who started it. */
export const publishEndTexts = {
  published: (pages: number, counts: string) => `Published ${pagesOf(pages)}: ${counts}.`,
  noPages: 'Published. No pages changed.',
  unchanged: 'Visitors already see the latest version of the site.',
  noEffect:
    'Nothing was published, because the selected changes don’t change any page on their own. Also select the changes that they depend on, such as a place with a new address.',
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
  updates: ({ pages, rendered }: PlannedPages) => `Updates ${rendered > 0 ? 'up to ' : ''}${pagesOf(pages)}`,
  edits: 'What changed',
  moreEdits: (count: number) => `and ${countOf(count, OTHERS)}`,
  allEdits: 'Show all changes',
  editedBy: (name: string) => `by ${name}`,
  comparing: 'Comparing pages…',
  compared: 'Compared',
  failed: (reason: string) => `The pages can’t be compared, and publishing would fail too: ${reason}`,
  why: 'Why',
  moreReasons: (count: number) => `and ${countOf(count, REASONS)}`,
  firstPages: (count: number) => `Show first ${numberOf(count)} pages`,
  allPages: 'Show these pages',
  nothingChanged: 'Nothing has changed since the last publish.',
  hint: 'Signpost compares every page with the live site. This can take a few seconds.',
}

/** Why the site cannot be published. */
export const publishFaults = {
  sameAddress: (path: string, first: string, second: string) =>
    `Two pages have the address ${path}: “${first}” and “${second}”. Change one of the two addresses`,
}

/** Labels for the change of a page. */
export const pageChangeLabels = { added: 'new', changed: 'changed', removed: 'removed', same: 'same' }

/** A publish that runs. */
export const progressTexts = {
  title: 'Publishing',
  bar: 'Progress',
  starting: 'Starting',
  hint: 'Visitors see the current site until publishing is done.',
  queued: 'Another publish is queued.',
  server: (name: string) => `Server: ${name}.`,
  refreshes: 'Refreshes every two seconds.',
  done: (done: number, total: number) => `${numberOf(done)} of ${numberOf(total)} pages compared`,
  pictures: (done: number, total: number) => `${numberOf(done)} of ${numberOf(total)} pictures`,
  left: (pages: string, seconds: number) => `${pages}, about ${countOf(seconds, SECONDS)} left`,
}

/** Texts about upcoming scheduled publishes. */
export const upcomingTexts = {
  title: 'Scheduled',
  hint: 'Each scheduled change goes live on its own, without other unpublished changes.',
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
  allPages,
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
  published: 'Visitors will see the site as it was published on',
  keeps:
    'Your content, forms, and settings will stay as they are. To publish them again, select “Publish now”. Until then, schedules and restarts won’t change the site.',
  recorded: (release: string) => `Rolled the site back to ${release}`,
  rolled_back: 'Visitors now see the earlier release.',
  current: 'Visitors already see this release.',
  busy: 'A publish is in progress. Roll back when that publish is done.',
  no_release: 'This release is no longer available.',
}
