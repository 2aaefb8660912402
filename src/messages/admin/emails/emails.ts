/** The emails about the leads of a form, and the reply to visitors. */
export const emailsPage = {
  thing: 'form',
  title: (form: string) => `Emails of ${form}`,
  headings: { entries: 'Notifications', reply: 'Reply to the visitor' },
  lead: 'Who gets an email about which new leads. Spam is never emailed.',
  columns: ['To', 'Leads', 'Subject', ''],
  leads: {
    all: 'Every lead',
    matching: 'Leads that match the conditions',
    fallback: 'Leads that match no other entry',
  },
  defaultSubject: 'Standard',
  ofSettings: 'In the settings',
  buttons: {
    add: 'Add recipients',
    edit: 'Edit',
    remove: 'Remove…',
    save: 'Save',
    setUp: 'Set up reply',
    editReply: 'Edit reply',
  },
  editOf: (to: string) => `Edit the emails to ${to}`,
  removeOf: (to: string) => `Remove the emails to ${to}`,
  empty: 'Nobody gets an email about new leads.',
  replyOff: 'Visitors get no reply.',
  replyOn: (subject: string) => `Visitors get “${subject}” at their email address.`,
  noEmailField: 'This form does not ask for an email address, so nobody gets the reply.',
}

/** One entry of the notifications. */
export const emailEditor = {
  newTitle: 'Add recipients',
  title: 'Edit recipients',
  headings: { to: 'Recipients', what: 'Email' },
  labels: { to: 'Email addresses', subject: 'Subject', text: 'Text' },
  hints: {
    to: 'One per line. Each address gets an email of its own.',
    subject: 'Leave empty for service, place, name, and phone.',
    text: 'Leave empty to list all answers. A link to the lead is added.',
  },
  subjectSample: '{{meta.service_name}} in {{meta.location_name}}',
  fallback: 'Leads that match no other entry',
  legend: 'Email leads',
  saved: 'Saved. New leads use these settings.',
  removal: {
    question: (to: string) => `Stop emailing ${to}?`,
    button: 'Remove recipients',
    text: 'Emails that are pending are still sent.',
    done: (to: string) => `${to} no longer gets emails.`,
  },
}

/** The reply to visitors. */
export const replyEditor = {
  title: 'Reply to the visitor',
  labels: { enabled: 'Reply to visitors', subject: 'Subject', text: 'Text', replyTo: 'Answers go to' },
  hints: {
    enabled: 'Sent once to the email address in the lead, never for spam.',
    text: 'Answers are repeated on one short line, without links.',
    replyTo: 'Leave empty for the sender’s address.',
  },
  limits: 'An address gets 2 replies an hour and 4 a day at most; the site sends 100 an hour.',
  saved: 'Reply saved.',
}

/** What the activity says about the emails of a form. */
export const emailActivity = {
  changed: (form: string) => `Changed the emails of the form ${form}`,
  replyChanged: (form: string) => `Changed the reply of the form ${form}`,
}
