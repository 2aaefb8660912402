import { countOf, formatCount } from '../../plural.ts'

const nameList = new Intl.ListFormat('en')
const CHANGES = { one: 'change', other: 'changes' }
const DRAFTS = { one: 'draft is', other: 'drafts are' }

/** The page that publishes selected changes. */
export const pendingTexts = {
  title: 'Select changes',
  lead: 'Publish some changes now and the rest later.',
  caption: 'Unpublished changes, newest first',
  versions: 'Versions',
  versionsOf: (name: string) => `Versions of ${name}`,
  select: (name: string) => `Select ${name}`,
  publish: 'Publish selected changes',
  hint: 'Anything that a selected change needs, such as a new place, is also published.',
  more: 'Only the newest changes are listed. To publish all changes, select “Publish now”.',
  none: 'Everything is published',
  onlyDrafts: 'Everything except drafts is published',
  drafts: (count: number) => `${countOf(count, DRAFTS)} not included`,
  draftsHint: 'Open a draft to add it to the next publish.',
  noneText: 'Nothing has changed since the last publish.',
  unknown: 'Publish everything first',
  unknownText: 'Before the first publish and after a rollback, you can’t select individual changes.',
  back: 'Back to Publish',
  nothingSelected: 'Select at least one change.',
  outdated: 'These changes are already published.',
  started: (count: number) => `Publishing ${countOf(count, CHANGES)}.`,
  recorded: (count: number) => `Published ${countOf(count, CHANGES)}`,
  offered: (names: string) => `${names} offered in this place`,
  noneOffered: 'No services offered in this place',
  offeredThere: 'Services in this place',
  siteSettings: 'Site settings',
  areas: { settings: 'Settings', home: 'Home page', both: 'Settings and home page' },
  noUser: 'File or command',
  deleted: 'Deleted content',
  names: (names: readonly string[], most: number) =>
    nameList.format(
      names.length > most ? [...names.slice(0, most), `${formatCount(names.length - most)} more`] : names,
    ),
}

/** The columns of unpublished changes. */
export const pendingLabels = { name: 'Name', change: 'Change', when: 'When' }

/** Words for the kind of a change. */
export const pendingStates = { added: 'new', edited: 'changed', removed: 'removed' }

/** Nouns for the subject of a change. */
export const pendingKinds = {
  entry: 'Page',
  term: 'Place or category',
  form: 'Form',
  taxonomy: 'Category list',
  type: 'Content type',
  picture: 'Picture',
  setting: 'Whole site',
}
