import { countOf } from '../plural.ts'

/** Names of the members of a taxonomy. */
export interface Noun {
  one: string
  other: string
}

const PLACE: Noun = { one: 'place', other: 'places' }
const CATEGORY: Noun = { one: 'category', other: 'categories' }
const LOCAL_PAGES = { one: 'local page', other: 'local pages' }

/** Returns what owners call a term of this taxonomy: a place, or a category. */
export function termNoun(taxonomy: string): Noun {
  return taxonomy === 'locations' ? PLACE : CATEGORY
}

/** The tree of a taxonomy. */
export const termTreeTexts = {
  settings: 'Settings',
  add: ({ other }: Noun) => `Add ${other}`,
  addInside: (name: string, { other }: Noun) => `Add ${other} to ${name}`,
  empty: ({ other }: Noun) => `No ${other} yet`,
  emptyHint: 'Paste a whole list. Indent a line to nest it under the line above.',
  drag: 'Drag to move',
  inside: (count: number) => `${count} inside`,
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
  moveOut: (name: string) => `Move ${name} out one level`,
  moveIn: (name: string) => `Move ${name} into the item above`,
  new: 'New',
  chooseServices: 'Services',
  servicesIn: (name: string) => `Services in ${name}`,
  more: 'More',
  before: (count: number) => `Previous ${count}`,
  after: (count: number) => `Next ${count}`,
  searchLabel: 'Name or address',
  searchPlaceholder: (count: number, noun: Noun) => `Find in ${countOf(count, noun)}`,
  find: 'Find',
  found: 'Results',
  noneFound: (text: string) => `Nothing matches “${text}”.`,
  moreFound: 'There are more results. Enter more of the name or address.',
  isMoved: (name: string) => `${name} moved.`,
  isInPlace: (name: string) => `${name} can’t be moved further.`,
  moved: (name: string, { one }: Noun) => `Moved the ${one} ${name}`,
}

/** The form of a term, and what uses it. */
export const termTexts = {
  save: ({ one }: Noun) => `Save ${one}`,
  showInTree: 'Show in tree',
  remove: 'Delete',
  inAddresses: (pages: number) =>
    `Used in ${countOf(pages, { one: 'page address', other: 'page addresses' })}.`,
  isSaved: (name: string) => `${name} saved.`,
  changed: (name: string, { one }: Noun) => `Changed the ${one} ${name}`,
  use: 'Used in',
  entries: (count: number) => `${countOf(count, { one: 'entry', other: 'entries' })}.`,
  services: (count: number) => `${countOf(count, { one: 'service', other: 'services' })} offered here.`,
  customized: (count: number) => `${countOf(count, LOCAL_PAGES)} with custom content:`,
  webhooks: 'If this address changes, update these webhooks, which use it in their conditions:',
  contains: 'Contains:',
  all: (count: number) => `All ${count}`,
  formerSlugs: (slugs: string) => `These old addresses redirect here: ${slugs}.`,
}

/** The inputs of a term. */
export const termInputs = {
  name: { label: 'Name' },
  slug: { label: 'Page address' },
  movesAddresses: {
    label: 'Change page addresses',
    hint: 'The old addresses will redirect to the new ones.',
  },
  description: { label: 'Description', hint: 'Shown on pages without their own text.' },
  parent: { label: 'Parent', hint: 'The address of the parent. Leave empty for the top level.' },
  kind: {
    label: 'Type of place',
    hint: 'The home page and Services page list cities. City pages list their neighborhoods.',
  },
}

/** The types of places. */
export const placeKindLabels = {
  country: 'Country',
  state: 'State or province',
  region: 'Region',
  county: 'County or district',
  city: 'City, town, or village',
  area: 'Neighborhood or area',
}
export const automaticKind = (usual: string) => `Automatic (${usual})`

/** The page that adds a whole list. */
export const termListTexts = {
  title: (noun: Noun, name: string) => `Add ${noun.other} to ${name}`,
  names: 'Names',
  inside: 'Add to',
  topLevel: 'Top level',
  inCity: (name: string) => `Places in ${name} are listed on its pages, not on the home page.`,
  perLine: 'One per line.',
  nested:
    'One per line. Indent a line to nest it under the line above. To set an address, write: Name | address',
  flat: 'One per line. To set an address, write: Name | address',
  preview: 'Preview',
  add: ({ other }: Noun) => `Add ${other}`,
  missing: 'Enter at least one name.',
  areAdded: (names: readonly string[], noun: Noun) =>
    `${names.length === 1 ? names[0] : countOf(names.length, noun)} added.`,
  added: ({ count, noun, taxonomy }: { count: number; noun: Noun; taxonomy: string }) =>
    `Added ${countOf(count, noun)} to ${taxonomy}`,
  previewTitle: (count: number, noun: Noun) => `${countOf(count, noun)} to add`,
  previewEmpty: 'Preview',
  previewHint: 'Preview the names and their addresses here before you save.',
  correct: 'Correct the list, then preview it again.',
  example: 'Texas\n  Austin\n    Hyde Park\n  Dallas',
  renamed: (count: number) =>
    `${countOf(count, { one: 'address is', other: 'addresses are' })} taken, so the list shows different ones. To set your own, write: Name | address`,
  known: 'already added',
}

/** Effects of changed places on the pages of services. */
export const localPageTexts = {
  services: 'Services in these places',
  preselected: (parent: string) => `Services offered throughout ${parent} are already selected.`,
  servicesHint: 'Adds a local page for each selected service in every new place.',
  toAdd: (pages: number, services: string) =>
    `${countOf(pages, { one: 'local page', other: 'local pages' })}${services && `: ${services}`}`,
  chooseItsServices: 'Choose the place’s services',
  chooseServicesIn: ' Choose the services for these places:',
  added: (pages: number) => `${countOf(pages, { one: 'local page', other: 'local pages' })} added`,
  removed: (pages: number) => `${countOf(pages, { one: 'local page', other: 'local pages' })} removed`,
  both: (added: string, removed: string) => `${added}, ${removed}`,
  sentence: (counts: string) => ` ${counts}. Publish to update the site.`,
  needText: ' Search engines list a local page only if it has its own text. Write an introduction for:',
}

/** The services of a place, on its page. */
export const placeServiceTexts = {
  title: (name: string) => `Services in ${name}`,
  hint: 'Each selected service has a local page here.',
  hintForBranch: (name: string) => `Applies only to ${name} itself, not to the places in it.`,
  save: 'Save services',
  localPage: 'Local page',
  localPageOf: (service: string) => `Local page for ${service}`,
  ownPage: 'custom content',
  thing: 'services of this place',
  saved: (name: string) => `Services in ${name} saved.`,
  changed: (name: string) => `Changed the services in ${name}`,
}

/** The question before a term is deleted. */
export const termRemovalTexts = {
  question: (name: string) => `Delete ${name}?`,
  action: (name: string) => `Delete ${name}`,
  deleted: (name: string, { one }: Noun) => `Deleted the ${one} ${name}`,
  deletedAll: ({ name, noun, inside }: { name: string; noun: Noun; inside: number }) =>
    `Deleted the ${noun.one} ${name} and ${countOf(inside, noun)} inside`,
  isDeleted: (name: string) => `${name} deleted.`,
  losesInside: ({ count, noun, names }: { count: number; noun: Noun; names: string }) =>
    `${countOf(count, noun)} inside: ${names}`,
  losesLinks: (count: number) =>
    `its ${countOf(count, { one: 'link', other: 'links' })} to entries (the entries stay)`,
  losesPages: (count: number) => countOf(count, { one: 'local page', other: 'local pages' }),
  losesCustomized: ({ pages, customized, names }: { pages: string; customized: number; names: string }) =>
    `${pages} (${customized} with custom content: ${names})`,
  losesArchive: (count: number) => countOf(count, { one: 'archive page', other: 'archive pages' }),
  stillNamed: (services: string) =>
    `${services} will still list deleted places, but that will have no effect.`,
}
