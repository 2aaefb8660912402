const and = new Intl.ListFormat('en')

/** The emails about the leads of a form, and the reply to visitors. */
export const emailsPage = {
  thing: 'form',
  title: (form: string) => `Emails for ${form}`,
  headings: { entries: 'Notifications', reply: 'Automatic reply' },
  lead: 'Choose who gets emails about new leads. Spam is never emailed.',
  subject: (subject: string) => `Subject: ${subject}`,
  leads: {
    all: 'Every lead',
    unreadable: 'No leads, because the conditions are invalid',
    fallback: 'Leads with no other recipient',
    neverUsed: (to: readonly string[]) =>
      `Never used, because ${and.format(to)} ${to.length === 1 ? 'gets' : 'get'} every lead.`,
  },
  defaultSubject: 'Default',
  ofSettings: 'Edit in settings',
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
  empty: 'No one gets emails about new leads.',
  replyOff: 'Visitors don’t get a reply.',
  replyOn: (subject: string) => `Visitors get an email with the subject “${subject}”.`,
  noEmailField: 'This form doesn’t ask for an email address, so no reply is sent.',
}

/** One entry of the notifications. */
export const emailEditor = {
  newTitle: 'Add recipients',
  title: 'Edit recipients',
  headings: { to: 'Recipients', what: 'Email' },
  labels: { to: 'Email addresses', subject: 'Subject', text: 'Text' },
  hints: {
    to: 'One per line. Each address gets a separate email.',
    subject: 'Leave empty to use the service, place, name, and phone number.',
    text: 'Leave empty to list all answers. Signpost adds a link to the lead.',
  },
  subjectSample: '{{meta.service_name}} in {{meta.location_name}}',
  fallback: 'Leads with no other recipient',
  legend: 'Send emails about',
  saved: 'Saved. These settings apply to new leads.',
  removal: {
    question: (to: string) => `Stop emailing ${to}?`,
    button: 'Remove recipients',
    text: 'Pending emails will still be sent.',
    done: (to: string) => `${to} will no longer get emails about new leads.`,
  },
}

/** The reply to visitors. */
export const replyEditor = {
  title: 'Automatic reply',
  labels: { enabled: 'Reply to visitors', subject: 'Subject', text: 'Text', replyTo: 'Reply-to address' },
  hints: {
    enabled: 'Sent once to the visitor’s email address, but never in response to spam.',
    text: 'Answers in the text are shortened to one line, without links.',
    replyTo: 'Leave empty to use the sender’s address.',
  },
  limits: 'Each address gets at most 2 replies an hour and 4 a day. The site sends at most 100 an hour.',
  saved: 'Reply saved.',
  off: 'The automatic reply is off.',
  notEnabled: 'Select this checkbox to send the reply.',
}

/** Trying an email out before it is saved. */
export const mailTrial = {
  title: 'Preview',
  buttons: { preview: 'Preview', test: 'Send test email' },
  hint: 'This preview uses sample answers. Your changes aren’t saved yet.',
  html: 'Email preview',
  plain: 'Plain text',
  body: 'Plain text of the email',
  testSubject: (subject: string) => `Test: ${subject}`,
  sent: (to: string) => `Test email sent to ${to}.`,
  failed: (reason: string) => `The test email was not sent: ${reason}`,
}

/** Activity entries about the emails of a form. */
export const emailActivity = {
  changed: (form: string) => `Changed the emails for the form ${form}`,
  tested: (form: string) => `Sent a test email for the form ${form}`,
  replyChanged: (form: string) => `Changed the reply for the form ${form}`,
}
