import { countOf, formatCount } from '../plural.ts'

const PAGES = { one: 'page', other: 'pages' }

/** The matrix of services and places. */
export const coverageTexts = {
  title: 'Coverage',
  lead: 'See where you offer each service. Every filled cell is a page.',
  noPlaces: 'No places yet',
  noPlacesHint: 'Add the states, cities, and areas you serve.',
  addPlaces: 'Add places',
  noServices: 'No services yet',
  noServicesHint: 'Add a service, then choose the places where you offer it.',
  addService: 'Add service',
  fewerServices: 'Previous services',
  moreServices: 'More services',
  fewerPlaces: 'Previous places',
  morePlaces: 'More places',
  landmark: 'Services and places',
  caption: (branch?: string) => `Services by place${branch === undefined ? '' : ` in ${branch}`}`,
  search: 'Find a place',
  find: 'Find',
  noneFound: (name: string) => `No places match “${name}”.`,
  place: 'Place',
  draft: 'draft: no pages',
  ofItself: 'itself',
  trail: 'Parent places',
  cell: ({ service, place, state }: { service: string; place: string; state: string }) =>
    `${service} in ${place}: ${state}`,
  branch: ({ offered, size, counts }: { offered: string; size: string; counts: string }) =>
    `${offered} of ${size}, ${counts}`,
  pending: 'not published yet',
  results: {
    show: (year: string) => `Show results for ${year}`,
    hide: 'Hide results',
    cell: ({ views, taps, leads, won }: Record<'views' | 'taps' | 'leads' | 'won', string>) =>
      `Views: ${views}, phone taps: ${taps}, leads: ${leads}, won: ${won}`,
    leads: (count: number) => countOf(count, { one: 'lead', other: 'leads' }),
    won: (count: number) => `${formatCount(count)} won`,
    views: (count: number) => countOf(count, { one: 'view', other: 'views' }),
    taps: (count: number) => countOf(count, { one: 'tap', other: 'taps' }),
  },
  scored: (state: string, score: number) => `${state}, quality ${score} of 100`,
}

/** The states of a page in a place. */
export const stateLabels = {
  offered: 'Offered',
  overridden: 'Custom content',
  unlisted: 'Missing from search',
  draft: 'Draft',
  missing: 'Not offered',
}

/** The form that offers services in places, or removes them. */
export const offerTexts = {
  title: 'Offer or remove services in bulk',
  services: 'Services',
  action: 'Action',
  add: 'Offer in',
  remove: 'Remove from',
  scope: 'Scope',
  wholeBranch: 'The place and everything in it',
  nextLevel: 'Only places one level down',
  onlyPlace: 'Only the place itself',
  place: 'Place',
  preview: 'Preview changes',
  hint: 'The preview lists every page that will change.',
  noServices: 'Choose at least one service.',
  question: (title: string) => `${title}?`,
}

/** Effects of a change of offers, before and after it is made. */
export const offerPlanTexts = {
  notOffered: 'There are no pages to remove.',
  isOffered: 'All of these pages already exist.',
  back: 'Back to coverage',
  cancel: 'Cancel',
  added: 'New pages',
  removed: 'Removed pages',
  draft: 'This service is a draft. Its pages will go live after you publish the service.',
  addedIn: (count: number) => `${countOf(count, { one: 'page to add', other: 'pages to add' })}:`,
  removedIn: (count: number) => `${countOf(count, { one: 'page to remove', other: 'pages to remove' })}:`,
  kept: (count: number) =>
    `${countOf(count, { one: 'page will stay because it has custom content', other: 'pages will stay because they have custom content' })}:`,
  draftNamed: (name: string) => `${name} (draft)`,
  andMore: (names: string, more: number) => `${names}, and ${more} more`,
  offeredIn: 'Offered in:',
  nowhere: 'nowhere',
  removeCustomized: (count: number) =>
    `Also delete ${countOf(count, { one: 'page with custom content', other: 'pages with custom content' })}. You can’t undo this.`,
  counts(added: number, removed: number) {
    if (removed === 0) return `${countOf(added, PAGES)} added`
    return added === 0
      ? `${countOf(removed, PAGES)} removed`
      : `${countOf(added, PAGES)} added, ${removed} removed`
  },
  done: (counts: string) => `${counts}. Publish to update the site.`,
  offer: (services: string, where: string) => `Offer ${services} in ${where}`,
  withdraw: (services: string, where: string) => `Remove ${services} from ${where}`,
  nextLevel: (place: string) => `all places one level below ${place}`,
  wholeBranch: (place: string) => `all of ${place}`,
  recorded: (title: string, counts: string) => `${title}: ${counts}`,
}

/** The places where a service is offered, in a sentence. */
export const offeredPlaceTexts = {
  place: (place: string) => `${place} itself`,
  below: (place: string) => `all places one level below ${place}`,
  branch: (place: string) => `${place} and everything in it`,
  except: (places: string) => `except ${places}`,
  inside: (place: string, parent: string) => `${place} (${parent})`,
  gone: (slug: string) => `${slug} (deleted)`,
}

/** The list of pages below the quality threshold. */
export const qualityTexts = {
  title: 'Pages missing from search',
  lead: (threshold: number) =>
    `Visitors can open pages below ${threshold} points, but search engines don’t list them.`,
  end: 'No more pages',
  endHint: 'You’ve reached the end of the list.',
  empty: 'No pages missing from search',
  emptyFiltered: 'No published pages below the threshold match the filter.',
  emptyHint: 'Every published page meets the threshold.',
  morePages: 'More pages',
  upTo: (points: number) => `up to +${countOf(points, { one: 'point', other: 'points' })}`,
}

/** The columns and filters of that list. */
export const qualityLabels = {
  page: 'Page',
  points: 'Points',
  problem: 'Problem',
  suggestion: 'Suggestion',
  service: 'Service',
  place: 'Place',
}
