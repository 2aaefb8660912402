/** Answers and summaries of leads. */
export const leadTexts = {
  yes: 'Yes',
  no: 'No',
  noAnswers: 'No answers',
}

/** The page of one lead. */
export const leadPage = {
  spam: (reason: string) => `This lead was marked as spam and not delivered. Reason: ${reason}.`,
  unknownReason: 'unknown',
  headings: {
    answers: 'Answers',
    moreAnswers: 'More answers',
    deliveries: 'Deliveries',
    mails: 'Emails',
    origin: 'Details',
  },
  nothingAnswered: 'This lead has no answers.',
  noAnswer: 'No answer',
  spamDeliveries: 'Spam is not delivered. Select “Not spam” to deliver this lead.',
  labels: {
    received: 'Received',
    form: 'Form',
    page: 'Page',
    service: 'Service',
    place: 'Place',
    formVersion: 'Form version',
    id: 'Lead ID',
  },
}

/** Stage and person in charge of a lead. */
export const progressTexts = {
  title: 'Progress',
  stage: 'Stage',
  stages: { new: 'New', contacted: 'Contacted', quoted: 'Quoted', won: 'Won', lost: 'Lost' },
  assignee: 'Assigned to',
  nobody: 'No one',
  save: 'Save progress',
  saved: 'Progress saved.',
  invalid: 'Choose a stage and a user.',
  newer: 'Newer lead',
  older: 'Older lead',
  neighbors: 'More leads in this list',
}

/** Other leads of the same person. */
export const earlierLeads = {
  title: 'Earlier leads',
  all: (contact: string) => `All leads from ${contact}`,
}

/** The notes of a lead. */
export const noteTexts = {
  title: 'Notes',
  labels: { text: 'New note' },
  buttons: { add: 'Add note', remove: 'Remove' },
  remove: (author: string) => `Remove the note by ${author}`,
  invalid: 'Enter a note of up to 4,000 characters.',
  added: 'Note added.',
  removed: 'Note removed.',
}

/** The notification emails of a lead. */
export const mailLog = {
  reply: (recipient: string) => `Reply to ${recipient}`,
  to: (recipient: string) => `Email to ${recipient}`,
  nextAttempt: 'Next attempt:',
  attempt: (number: number) => `Attempt ${number}`,
  /** Why a lead has no email that its form sends. */
  unsent: {
    both: 'No one was emailed about this lead, and the visitor got no reply.',
    notification: 'No one was emailed about this lead.',
    reply: 'The visitor got no reply.',
    because:
      'When the lead arrived, the server couldn’t send email, or the form wasn’t set up to send this email.',
  },
  duration: (milliseconds: number) => `${milliseconds.toLocaleString('en-US')} ms`,
}

/** Sentences of the activity about one lead. */
export const leadActivity = {
  /** Without an assignee if only the stage changed; null is nobody. */
  progressed: (lead: number, stage: string, assignee: string | null | undefined) =>
    `Set lead ${lead} to ${stage}${assignee === undefined ? '' : ` and ${assignee === null ? 'unassigned it' : `assigned it to ${assignee}`}`}`,
  noteAdded: (lead: number) => `Added a note to lead ${lead}`,
  noteRemoved: (lead: number) => `Removed a note from lead ${lead}`,
  /** The file by its ID: activity is kept for good, and a file's name may be a visitor's. */
  opened: (id: number) => `Opened lead ${id}`,
  fileDownloaded: (file: number) => `Downloaded file ${file} from a lead`,
}
