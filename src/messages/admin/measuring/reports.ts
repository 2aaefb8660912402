/** Results of pages: views, phone taps, and leads. */
export const reportTexts = {
  title: 'Results',
  lead: 'Views, phone taps, leads, and won leads. Bots and spam are excluded.',
  labels: {
    period: 'Period',
    views: 'Views',
    taps: 'Phone taps',
    leads: 'Leads',
    won: 'Won',
    wonLeads: 'Won leads',
    otherLeads: 'Other leads',
    day: 'Day',
    month: 'Month',
    service: 'Service',
    place: 'Place',
    source: 'Source',
    page: 'Page',
  },
  headings: {
    leadsOverTime: 'Leads over time',
    viewsOverTime: 'Views over time',
    services: 'By service',
    places: 'By place',
    sources: 'By source',
    pages: 'By page',
  },
  hints: {
    places: 'The numbers for a place include its areas.',
    sources: 'Later pages in a visit count as “Browsing the site”.',
    pages: 'Sorted by leads, then by views.',
  },
  show: 'Show',
  none: 'None',
  more: (count: number) => `Show ${count.toLocaleString('en-US')} more`,
  moreOf: (title: string) => `${title}, continued`,
  allPlaces: (count: number) => `Show all ${count.toLocaleString('en-US')} places`,
  itself: (place: string) => `${place} itself`,
  deletedService: 'Deleted service',
  deletedPlace: 'Deleted place',
  leadsOfPlot: (leads: string, won: string) => `Leads: ${leads}, won: ${won}`,
  viewsOfPlot: (views: string) => `Views: ${views}`,
  empty: { title: 'No results yet', text: 'Views and leads from this period will appear here.' },
  onsite: 'Browsing the site',
  other: 'Other',
}

/** The monthly report by email. */
export const reportMailTexts = {
  title: 'Monthly report',
  lead: 'Get results by email on the first of each month.',
  turnOn: 'Send me reports',
  turnOff: 'Stop reports',
  turnedOn: 'You’ll get the report each month.',
  turnedOff: 'You’ll no longer get the report.',
  chosen: (isOn: boolean) => (isOn ? 'Turned on the monthly report' : 'Turned off the monthly report'),
  send: 'Send me this report',
  sent: (email: string) => `Report sent to ${email}.`,
  failed: (reason: string) => `The report was not sent: ${reason}`,
  ofMonth: (month: string) => `Report for ${month}`,
  lastError: (reason: string) => `Last error: ${reason}`,
  notSent: 'Failed reports',
  notSentTo: (email: string, month: string, reason: string) => `${month} report to ${email}: ${reason}`,
  nextAttempt: 'Next attempt:',
  askAgain: 'Send the report from the Results page.',
  activity: (period: string) => `Requested the report for ${period}`,
}

const NAMED_PLACES = 5

/** Says whose figures a limited account sees: `Your places and their areas: Dallas`. */
export function describePlaces(names: readonly string[]): string {
  if (names.length === 0) return 'Your places no longer exist.'
  const more = names.length - NAMED_PLACES
  const others = more > 0 ? `, ${more} more` : ''
  return `Your places and their areas: ${names.slice(0, NAMED_PLACES).join(', ')}${others}`
}
