/** What the mail about a new lead says beside the answers. */
export const leadMail = {
  about: (what: string, place: string) => `${what} in ${place}`,
  openLead: 'Open this lead',
  tooSlow: (seconds: number) => `The mail server did not accept the mail within ${seconds} s`,
}

/** The lines after the answers. */
export const leadLabels = {
  form: 'Form',
  service: 'Service',
  place: 'Place',
  page: 'Page',
  received: 'Received',
}
