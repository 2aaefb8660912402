import { ownValue } from '#src/lib/names/own-value.ts'
import { countOf } from '../plural.ts'
import { homePage } from './settings/home-page.ts'

/** The built-in content types. */
const typeLabels: Readonly<Record<string, string>> = {
  pages: 'Pages',
  services: 'Services',
  location_services: 'Local pages',
  testimonials: 'Reviews',
}

/** Returns what screens call a content type. */
export function typeName({ slug, name }: { slug: string; name: string }): string {
  return ownValue(typeLabels, slug) ?? name
}

/** The name of a local page, until its heading says another. */
export const pairName = (service: string, place: string) => `${service} in ${place}`

/** One entry of a built-in content type. */
const NOUNS: Readonly<Record<string, string>> = {
  pages: 'page',
  services: 'service',
  location_services: 'local page',
  testimonials: 'review',
}

/** Returns the noun for one entry of a content type; the type's name if it isn't built in. */
export function typeNoun({ slug, name }: { slug: string; name: string }): string {
  return ownValue(NOUNS, slug) ?? name
}

const ENTRY = 'entry'
const nounOf = (type: string) => ownValue(NOUNS, type) ?? ENTRY
const ENTRIES = { one: 'entry', other: 'entries' }

/** Lists of entries, and the changes made from them. */
export const entryListTexts = {
  allTitle: 'All content',
  allLead: 'Every type of content on your site.',
  allCaption: 'Content types',
  contentTypes: 'Content types',
  noPages: 'no pages',
  addShort: 'Add',
  add: (type: string) => `Add ${nounOf(type)}`,
  coverage: 'Coverage',
  homePage: homePage.edit,
  select: (name: string) => `Select ${name}`,
  ownContent: 'custom content',
  serviceContent: 'same as the service',
  selected: 'Selected:',
  publish: 'Publish',
  unpublish: 'Unpublish',
  noMatch: 'No matches',
  noMatchHint: 'Try fewer words.',
  showAll: 'Show all',
  searchLocalPages: 'Search local pages',
  noOffers: 'No local pages yet',
  noOffersHint: 'Choose services and places. Each combination gets its own page.',
  openCoverage: 'Open coverage',
  empty: (type: string) => `No ${type} yet`,
  emptyHint: 'Add content here, or put a file in the content folder.',
  nothingSelected: 'Select at least one entry.',
  unchanged: 'Nothing was changed.',
  published: (entries: number) =>
    `${countOf(entries, ENTRIES)} published. Visitors will see ${entries === 1 ? 'it' : 'them'} after the next publish.`,
  unpublished: (entries: number) =>
    `${countOf(entries, ENTRIES)} unpublished. Publish to remove ${entries === 1 ? 'it' : 'them'} from the site.`,
  refused: (entry: string, reason: string) => `“${entry}” is still a draft: ${reason}`,
  publishedNamed: (type: string, entries: number, names: string) =>
    `Published ${countOf(entries, ENTRIES)} in ${type}: ${names}`,
  unpublishedNamed: (type: string, entries: number, names: string) =>
    `Unpublished ${countOf(entries, ENTRIES)} in ${type}: ${names}`,
}

/** The columns and filters of a list of entries. */
export const entryLabels = {
  type: 'Type',
  published: 'Published',
  drafts: 'Drafts',
  urls: 'Addresses',
  select: 'Select',
  pair: 'Service and place',
  title: 'Title',
  slug: 'Address',
  status: 'Status',
  changed: 'Changed',
  text: 'Title or address',
  draft: 'Draft',
  term: 'Place or category',
  order: 'Order',
  onSite: 'Site order',
  bySlug: 'Address',
  byChange: 'Latest change first',
  onlyOwn: 'Custom content only',
  all: 'All',
}

/** The form of an entry. */
export const entryTexts = {
  newTitle: (type: string) => `New ${nounOf(type)}`,
  noun: nounOf,
  save: 'Save',
  remove: 'Delete',
  details: 'Details',
  localDetails: 'Local details',
  advanced: 'Advanced',
  resetAll: 'Reset to service text',
  resetField: 'Reset to default',
  inherits: (value: string) => `Leave empty to show “${value}”.`,
  replaces: (value: string) => `Replaces “${value}”.`,
  isAt: (path: string) => `The page is at ${path}.`,
  slugHint: 'Use lowercase letters, digits, and hyphens.',
  slugParts: (pattern: string) => `One part for each placeholder in ${pattern}, separated by slashes.`,
  textHint: 'Markdown: ## heading, - list item, **bold**, [link](/contact).',
  linesHint: 'One per line.',
  notSet: 'Not set',
  yes: 'Yes',
  no: 'No',
  usual: 'Default',
  deleted: (value: string) => `${value} (deleted)`,
  newPair: 'Service and place',
  changePair: '(change service or place)',
  endAndRedirects: 'End date and redirects',
  changedAt: 'Changed',
  addedAt: 'Added',
  address: 'URL',
  terms: 'Places and categories',
  chosen: (terms: number) => `(${terms} selected)`,
  noTerms: 'None yet.',
  below: (terms: number, name: string) => `${terms} in ${name}`,
  noReviews: 'No reviews yet.',
  addReview: 'Add review',
  reviewsHint: 'By default, the page shows the reviews that best match the place.',
  moveUp: (field: string, item: number) => `Move ${field} ${item} up`,
  up: 'Up',
  removeItem: (field: string, item: number) => `Remove ${field} ${item}`,
  removeShort: 'Remove',
}

/** The service's text in the form of a local page. */
export const serviceTextTexts = {
  isShown: 'This page has no text of its own yet, so it shows the service’s text.',
  isReplaced: 'Your text replaces the service’s text on this page.',
  isExtended: (mark: string) =>
    `The service’s text will replace ${mark}. Add your own text above or below that line.`,
  extend: 'Add text for this place',
  replace: 'Replace the service’s text',
  title: 'Service text',
  start: 'Copy the service’s text',
  reset: 'Remove your text',
  placeholder: 'Leave empty to show the service’s text.',
}

/** The inputs that every entry has. */
export const entryInputs = {
  title: { label: 'Title' },
  heading: { label: 'Heading' },
  slug: {
    label: 'File name',
    address: 'Page address',
    placeholder: 'from the title',
    named: 'from the author',
  },
  text: { label: 'Text' },
  localText: { label: 'Text for this place' },
  reviewText: { label: 'Review' },
  headline: { label: 'Headline', hint: 'Shown above the review. Leave empty for no headline.' },
  status: { label: 'Status', published: 'Published', inUse: 'In use', draft: 'Draft (not on the site)' },
  unpublishAt: { label: 'Show until' },
  redirects: { label: 'Redirects from', placeholder: '/old-page', hint: 'One per line.' },
  service: { label: 'Service' },
  place: { label: 'Place', hint: 'The place’s address, such as austin.' },
  terms: { label: 'Add by name', hint: 'Names or page addresses, separated by commas.' },
}

const ITEMS: Readonly<Record<string, string>> = { steps: 'step', faq: 'question' }
const ITEM = 'item'

/** Returns what one item of a list field is called. */
export const itemNoun = (field: string) => ownValue(ITEMS, field) ?? ITEM

/** The order of a type's entries. */
export const entryOrderTexts = {
  title: (type: string) => `Order of ${type.toLowerCase()}`,
  lead: 'Choose the order in menus and lists.',
  link: 'Change order',
  hint: 'Menus and lists on the site use this order.',
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
  save: 'Save order',
  saved: 'Order saved. Publish to show the new order to visitors.',
  unchanged: 'The order hasn’t changed.',
  activity: (type: string) => `Changed the order of ${type}`,
}

/** The sections of a page. */
export const sectionTexts = {
  own: 'Customize sections for this page',
  hint: 'Turn sections on or off, or change their order.',
  fieldsHint: 'Shown where this section is turned on. Leave fields empty to use the defaults.',
  ofSite: 'Sections for all pages',
}

/** Results of saving, deleting, and resetting an entry, and their activity entries. */
export const entryChanges = {
  added: (name: string, type: string) => `Added “${name}” to ${type}`,
  changed: (name: string, type: string) => `Changed “${name}” in ${type}`,
  deleted: (name: string, type: string) => `Deleted “${name}” from ${type}`,
  unscheduled: (name: string, type: string) => `Canceled the schedule for “${name}” in ${type}`,
  reset: (name: string) => `Reset “${name}” to the service’s text`,
  isSaved: (name: string, visibility: string) => `“${name}” saved. ${visibility}`,
  isDeleted: (name: string, isLive: boolean) =>
    `“${name}” deleted.${isLive ? ' Publish to remove it from the site.' : ''}`,
  isReset: (name: string) => `“${name}” reset to the service’s text.`,
}

/** When visitors see a change. */
export const visibilityTexts = {
  removed: 'Publish to remove this content from the site.',
  draft: 'Visitors can’t see drafts.',
  scheduled: (time: string) => `Scheduled to go live on ${time}.`,
  published: 'Visitors will see your changes after the next publish.',
}

/** The questions before an entry is deleted or reset. */
export const entryRemovalTexts = {
  question: (name: string) => `Delete “${name}”?`,
  action: (name: string) => `Delete “${name}”`,
  losesPage: 'its page and text',
  losesText: 'its text',
  losesLocalPages: (pages: number) => countOf(pages, { one: 'local page', other: 'local pages' }),
  losesCustomized: ({ pages, customized, names }: { pages: string; customized: number; names: string }) =>
    `${pages} (${customized} with custom content: ${names})`,
  losesTerms: (terms: number) =>
    `its links to ${countOf(terms, { one: 'place or category', other: 'places and categories' })}`,
  losesOffer: 'this place in the service’s “Offered in” list',
  usedIn: (entries: number, names: string) =>
    `references in ${countOf(entries, { one: 'entry', other: 'entries' })}: ${names}`,
  resetQuestion: (name: string) => `Reset “${name}”?`,
  resetLoses:
    'This will delete all custom content on this page: heading, text, pictures, introduction, address, phone, map, reviews, sections, schedule, redirects, places, and categories. The page will then show the text from its service and place.',
}
