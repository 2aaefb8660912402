/** Results of pages: views, phone taps, and leads. */
export const reportTexts = {
  title: 'Results',
  lead: 'Views, phone taps, leads, and won leads. Bots and spam are left out.',
  labels: {
    period: 'Period',
    views: 'Views',
    taps: 'Phone taps',
    leads: 'Leads',
    won: 'Won',
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
  deletedService: 'Deleted service',
  deletedPlace: 'Deleted place',
  plotLead: (views: string, leads: string) => `${views} views and ${leads} leads`,
  empty: { title: 'No results yet', text: 'Views and leads from this period will appear here.' },
  onsite: 'Browsing the site',
  other: 'Other',
}

/** The monthly report by email. */
export const reportMailTexts = {
  title: 'Monthly report',
  lead: 'Results by email on the first of each month.',
  turnOn: 'Send me reports',
  turnOff: 'Stop reports',
  turnedOn: 'You will get the report each month.',
  turnedOff: 'You will not get the report.',
  chosen: (isOn: boolean) => (isOn ? 'Turned on the monthly report' : 'Turned off the monthly report'),
  send: 'Send me this report',
  sent: (email: string) => `Report sent to ${email}.`,
  failed: (reason: string) => `The report was not sent: ${reason}`,
  activity: (period: string) => `Sent themselves the report of ${period}`,
  noServer: 'Reports by email need a mail server. Set SMTP_URL on the server.',
}
