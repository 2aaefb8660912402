import { countOf } from '../plural.ts'
import { areaLabels } from './navigation.ts'

/** Returns what screens call a taxonomy. */
export function taxonomyName({ slug, name }: { slug: string; name: string }): string {
  return slug === 'locations' ? areaLabels.locations : name
}

/** The list of taxonomies, and the form of one. */
export const taxonomyTexts = {
  title: areaLabels.taxonomies,
  lead: 'Category lists group your content. Service areas are the places you serve.',
  add: 'New category list',
  everything: 'everything',
  published: 'published',
  none: 'none',
  settings: 'Settings',
  settingsOf: (name: string) => `${name} settings`,
  create: 'Create category list',
  save: 'Save settings',
  remove: 'Delete',
  appliesTo: 'Applies to',
  all: 'Reviews and all types with pages',
  these: 'Only these types:',
  thing: 'category list',
  isCreated: (name: string) => `${name} created. Now add categories.`,
  isSaved: 'Settings saved.',
  isDeleted: (name: string) => `${name} deleted.`,
  created: (name: string) => `Created the category list ${name}`,
  changed: (name: string) => `Changed the category list ${name}`,
  deleted: (name: string) => `Deleted the category list ${name}`,
  removalQuestion: (name: string) => `Delete ${name}?`,
  removalAction: (name: string) => `Delete ${name}`,
  losesTerms: (count: number) => countOf(count, { one: 'category', other: 'categories' }),
  losesLinks: (count: number) =>
    `${countOf(count, { one: 'link', other: 'links' })} to entries (the entries stay)`,
  losesArchive: 'its archive pages, once you publish',
  fileToo:
    'If the list has a file in taxonomies/, delete the file too, or the next sync will add the list back.',
}

/** The columns of the list. */
export const taxonomyLabels = {
  name: 'Name',
  terms: 'Places or categories',
  links: 'Links to entries',
  appliesTo: 'Applies to',
  archive: 'Archive pages',
}

/** The inputs of a taxonomy. */
export const taxonomyInputs = {
  name: { label: 'Name', hint: 'The title of the archive page.' },
  slug: { label: 'Address', hint: 'Used in file names and URLs. Can’t be changed later.' },
  description: { label: 'Description' },
  isHierarchical: {
    label: 'Nested levels',
    hint: 'Group items in levels, such as cities within states.',
  },
  sortOrder: { label: 'Sort order', hint: 'Lower numbers come first.' },
  archive: { label: 'Publish archive pages' },
}

/** The archive pages of a taxonomy. */
export const archiveTexts = {
  newHelp: 'Adds /taxonomy/<address>, with a page for each category.',
  indexing: 'Search engines list only pages with a description of about 40 words or more.',
  terms: ({ count, addresses }: { count: number; addresses: string }) =>
    `, and ${count} for its categories: ${addresses}`,
  andMore: (addresses: string) => `${addresses}, and more`,
  isOn: ({ pages, indexing }: { pages: string; indexing: string }) =>
    `Public pages: ${pages}. ${indexing} If you turn this off, the next publish will remove these pages.`,
  isOff: ({ pages, indexing }: { pages: string; indexing: string }) =>
    `If you turn this on, the next publish will add ${pages}. ${indexing}`,
}

/** Problems with the form of a taxonomy or a term. */
export const taxonomyMistakes = {
  name: 'Enter a name.',
  sortOrder: 'Enter a whole number.',
  sortOrderLong: 'Enter a whole number of at most nine digits.',
  taxonomySlug: 'Use lowercase letters, digits, hyphens, and underscores.',
  slug: (max: number) => `Use up to ${max} lowercase letters, digits, and hyphens.`,
  types: 'Choose at least one type, or select “Reviews and all types with pages”.',
  confirmSlug: 'Select this checkbox to change the address anyway.',
}

export interface Line {
  line: number
}

/** Why a taxonomy or a term cannot be saved. */
export const FAULTS_OF_TAXONOMIES = {
  has_levels: () => 'Some categories have a parent. Move them to the top level first.',
  classifies: ({ types }: { types: readonly string[] }) =>
    `Entries in ${types.join(', ')} use categories from this list. Remove the categories from those entries first.`,
  term_slug_taken: ({ by }: { by: string }) => `“${by}” already has this address.`,
  parent_gone: () => 'The parent was deleted. Choose another.',
  no_levels: () => 'This list has no levels.',
  list_without_levels: () => 'This list has no levels. Add the names at the top level.',
  lines_many: ({ count, max }: { count: number; max: number }) =>
    `The list has ${count} lines. Add at most ${max} at once.`,
  line_without_name: ({ line }: Line) => `Line ${line} has no name.`,
  line_too_long: ({ line, max }: Line & { max: number }) =>
    `Line ${line}: the name is longer than ${max} characters.`,
  line_slug_invalid: ({ line, slug }: Line & { slug: string }) =>
    `Line ${line}: “${slug}” is not a valid address. Use lowercase letters, digits, and hyphens.`,
  line_slug_missing: ({ line, name }: Line & { name: string }) =>
    `Line ${line}: add an address after “${name}”, as in ${name} | my-address.`,
  line_slug_taken: ({ line, slug }: Line & { slug: string }) =>
    `Line ${line}: the address “${slug}” is taken. Enter another.`,
  line_indented: ({ line }: Line) => `Line ${line} is indented, but this list has no levels.`,
  parent_unknown: ({ slug }: { slug: string }) => `No place or category has the address “${slug}”.`,
  below_itself: ({ name }: { name: string }) => `${name} can’t be inside itself.`,
}
