/** Results of pages: views, phone taps, and leads. */
export const reportTexts = {
  title: 'Results',
  lead: 'Views, phone taps, and leads. Bots and spam are left out.',
  labels: {
    period: 'Period',
    views: 'Views',
    taps: 'Phone taps',
    leads: 'Leads',
    day: 'Day',
    month: 'Month',
    service: 'Service',
    place: 'Place',
    source: 'Source',
    page: 'Page',
  },
  headings: {
    overTime: 'Leads over time',
    services: 'By service',
    places: 'By place',
    sources: 'By source',
    pages: 'By page',
  },
  hints: {
    sources: 'Later pages in a visit count as “Browsing the site”.',
    pages: 'Pages with the most leads, then the most views.',
  },
  show: 'Show',
  none: 'None',
  plotLead: (views: string, leads: string) => `${views} views and ${leads} leads`,
  empty: { title: 'No results yet', text: 'Views and leads from this period will appear here.' },
  onsite: 'Browsing the site',
  other: 'Other',
}
