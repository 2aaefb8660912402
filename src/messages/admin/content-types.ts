import { countOf } from '../plural.ts'

const PUBLISHED = { one: 'published entry and its page', other: 'published entries and their pages' }

/** The list of content types, and the form of one. */
export const contentTypeTexts = {
  title: 'Content types',
  lead: 'Each content type has its own fields and URLs.',
  add: 'Add type',
  noPages: 'no pages',
  builtin: 'built in',
  content: 'View content',
  newTitle: 'New content type',
  newLead: 'Create a type such as projects or jobs, with its own fields and URLs.',
  save: 'Save type',
  remove: 'Delete type',
  isBuiltin: 'This type is built in. Its templates rely on these fields.',
  inFile: (slug: string) =>
    `This type has nested lists, so you can edit it only in content/content_types/${slug}.yaml.`,
  pages: 'Pages',
  fields: 'Fields',
  fieldsHint: 'Every entry also has a title, text, places, and categories. Empty rows are ignored.',
  required: 'Required',
  isRequired: 'yes',
  isOptional: 'no',
  fieldNoun: 'field',
  partError: (field: number, error: string) => `Field ${field}, item fields: ${error}`,
  thing: 'content type',
  added: (name: string) => `Added the content type ${name}`,
  changed: (name: string) => `Changed the content type ${name}`,
  deleted: (name: string) => `Deleted the content type ${name}`,
  isSaved: (name: string) => `${name} saved.`,
  isDeleted: (name: string) => `${name} deleted.`,
  removalQuestion: (name: string) => `Delete ${name}?`,
  removalAction: (name: string) => `Delete ${name} and its entries`,
  losesPublished: (count: number) => countOf(count, PUBLISHED),
  losesDrafts: (count: number) => countOf(count, { one: 'draft', other: 'drafts' }),
  losesLinks: 'their links to places and categories',
}

/** The columns of the tables, and the facts about a type that has no form. */
export const contentTypeLabels = {
  type: 'Type',
  slug: 'Slug',
  urls: 'URL pattern',
  template: 'Template',
  fields: 'Fields',
  field: 'Field',
  key: 'Key',
  kind: 'Type',
  required: 'Required',
}

/** The inputs of a content type. */
export const contentTypeInputs = {
  name: { label: 'Name', placeholder: 'Projects' },
  slug: {
    label: 'Slug',
    placeholder: 'projects',
    hint: 'Used in file names and URLs. Can’t be changed later.',
  },
  description: { label: 'Description' },
  isRoutable: { label: 'Publish entries as pages' },
  routePattern: {
    label: 'URL pattern',
    placeholder: '/projects/{slug}',
    hint: 'Each part of an entry’s slug fills one placeholder, as in /projects/{year}/{slug}.',
  },
  template: {
    label: 'Template',
    placeholder: 'entry_detail',
    hint: 'A template name, such as project_detail for ProjectDetail.astro. Leave empty for the default.',
  },
  sortOrder: { label: 'Sort order', hint: 'Lower numbers come first.' },
}

/** The inputs of a field of a content type. */
export const contentFieldInputs = {
  label: { label: (field: number) => `Field ${field} label` },
  key: { label: (field: number) => `Field ${field} key` },
  kind: { label: (field: number) => `Field ${field} type` },
  required: { label: (field: number) => `Field ${field} is required` },
  parts: {
    label: (field: number) => `Field ${field} item fields`,
    placeholder: 'title | Title | text | required',
    hint: 'One per line: key | label | type | required. Leave empty for plain-text items.',
  },
}

/** The types of fields. */
export const fieldKindLabels = {
  text: 'Single line',
  textarea: 'Multiple lines',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  url: 'URL',
  list: 'List',
  picture: 'Picture',
  pictures: 'Pictures',
}

/** Problems with a content type beside the rules of files. */
export const FAULTS_OF_CONTENT_TYPES = {
  name_missing: () => 'Enter a name.',
  label_missing: () => 'Enter a label to show next to the field.',
  key_invalid: () =>
    'Use lowercase letters, digits, and underscores, starting with a letter, as in finished_on.',
  slug_invalid: () => 'Use lowercase letters, digits, hyphens, and underscores, as in case_studies.',
  slug_taken: ({ slug }: { slug: string }) => `“${slug}” is taken. Choose another.`,
  /** Slugs have one part per placeholder, so existing entries fit only the same number. */
  parts_changed: ({ entries, before, after }: { entries: number; before: number; after: number }) =>
    `Existing entries (${entries}) have slugs with ${countOf(before, { one: 'part', other: 'parts' })}, but this pattern needs ${after}.`,
  address_taken: ({ slug, fault }: { slug: string; fault: string }) =>
    `With this pattern, “${slug}” would have an invalid address: ${fault}.`,
}
