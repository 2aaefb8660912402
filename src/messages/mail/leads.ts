/** Texts beside the answers in the mail about a new lead. */
export const leadMail = {
  about: (what: string, place: string) => `${what} in ${place}`,
  openLead: 'Open this lead',
  tooSlow: (seconds: number) => `The mail server did not accept the email within ${seconds} seconds`,
}

/** The lines after the answers. */
export const leadLabels = {
  form: 'Form',
  service: 'Service',
  place: 'Place',
  cameFrom: 'How they found you',
  firstVisit: 'First visit',
  pagesSeen: 'Pages seen',
  page: 'Page',
  received: 'Received',
}
