import { reportTexts } from '../admin/measuring/reports.ts'

/** The report of a month by email. */
export const reportMail = {
  subject: (site: string, month: string) => `${site}: results for ${month}`,
  before: (count: string, month: string) => `${month}: ${count}`,
  figure: (count: string, before: string) => `${count} (${before})`,
  labels: reportTexts.labels,
  top: {
    services: 'Top services',
    pages: 'Top pages',
    places: 'Top places, including their areas',
    sources: 'Top sources',
  },
  leads: { one: 'lead', other: 'leads' },
  views: { one: 'view', other: 'views' },
  taps: { one: 'phone tap', other: 'phone taps' },
  row: ({
    leads,
    won,
    views,
    taps,
  }: {
    leads: string
    won: string
    views: string
    taps?: string | undefined
  }) => [leads, `${won} won`, views, ...(taps ? [taps] : [])].join(', '),
  empty: 'There is no data for this month.',
  interrupted: 'The server stopped while sending, so the report may or may not have arrived.',
  disabled: 'The account is disabled.',
  noAccess: 'The user can no longer see results.',
  turnedOff: 'The user turned the report off.',
  link: 'Open the results',
  unfinished: (month: string) => `${month} isn’t over yet, so these results are incomplete.`,
  /** Of a report that a user asked for. */
  asked:
    'You requested this email on the Results page. To get the report each month, go to your account page:',
  why: 'You get this email on the first of each month. To stop these emails, go to your account page:',
}
