import { countOf } from '../../plural.ts'

const LEADS = { one: 'lead', other: 'leads' }
const FILES = { one: 'file', other: 'files' }
const TEXTS = { one: 'other item', other: 'other items' }

/** Numbers of erased rows: no text here names the person. */
interface Erased {
  leads: number
  files: number
  texts: number
}

/** The screen that finds, exports, and erases a person. */
export const privacyTexts = {
  title: 'Privacy',
  lead: 'Find, export, or erase everything stored about a person.',
  labels: {
    email: 'Email address',
    phone: 'Phone number',
    text: 'Name or other text',
  },
  hints: {
    email: 'Fill in at least one field.',
    phone: 'Spaces and the country code don’t matter.',
  },
  find: 'Find',
  export: 'Export ZIP',
  erase: 'Erase…',
  results: 'Results',
  nothing: 'Nothing found.',
  caption: 'Stored data, by type',
  columns: ['Data', 'Found'],
  rows: {
    leads: 'Leads with their sources and search index entries',
    uploads: 'Files',
    submission_notes: 'Notes',
    notification_mails: 'Notification emails',
    reply_mails: 'Replies',
    webhook_deliveries: 'Webhook deliveries with requests and responses',
    mentions: 'Other leads that mention the person',
    elsewhere: 'Other notes, emails, deliveries, results, and activity that mention the person',
    content: 'Pages, places, and forms that mention the person',
  },
  contentHint: 'Erasing doesn’t change pages, places, or forms. Edit them yourself.',
  headings: {
    leads: 'Leads',
    mentions: 'Leads that mention the person',
    receivers: 'Sent to',
    backups: 'Backups',
    erasures: 'Erasures',
  },
  receivers: 'These receivers and mailboxes keep copies of the data. Erase those copies, too.',
  receiver: ({ name, host, count }: { name: string; host: string; count: number }) =>
    `${name} (${host}): ${countOf(count, { one: 'delivery', other: 'deliveries' })}`,
  mailbox: ({ address, count }: { address: string; count: number }) =>
    `${address}: ${countOf(count, { one: 'email', other: 'emails' })}`,
  leadLink: (id: number) => `Lead ${id}`,
  more: (count: number) => `and ${count} more`,
  erasuresCaption: 'Erasures, newest first',
  erasureColumns: ['Requested', 'By', 'Leads', 'Files', 'Other items', 'Status'],
  states: {
    erasing: 'Erasing',
    cleaning: 'Cleaning the database file',
    vacuum: 'To clean the database file, use npm run vacuum',
    done: 'Erased',
  },
}

/** Problems of a search for a person. */
export const personProblems = {
  nothing: 'Enter an email address, a phone number, or other text.',
  email: 'Enter an email address such as ann@example.com.',
  phone: 'Enter a phone number with at least 6 digits.',
  text: 'Enter at least 3 characters.',
}

/** The question before a person is erased. */
export const erasureTexts = {
  question: 'Erase this person’s data?',
  losses: ({ leads, files }: Omit<Erased, 'texts'>) =>
    `You can’t undo this. Erasing will delete ${countOf(leads, LEADS)} and ${countOf(files, FILES)}, along with their notes, emails, and deliveries.`,
  mentions: 'Other mentions of the person will be replaced with [erased].',
  labels: {
    confirmation: (expected: string) => `Type ${expected} to confirm`,
    password: 'Your password',
    deletesMentions: 'Delete leads with mentions',
  },
  hints: { deletesMentions: 'Deletes other people’s leads that mention this person in a long answer.' },
  button: 'Erase data',
  unconfirmed: (expected: string) => `Type ${expected} exactly.`,
  done: ({ leads, files, texts }: Erased) =>
    `Erased ${countOf(leads, LEADS)}, ${countOf(files, FILES)}, and ${countOf(texts, TEXTS)}.`,
  started: 'The erasure has started. Reload this page to see its status.',
}

/** Sentences of the activity about people who were exported or erased. */
export const privacyActivity = {
  exported: ({ leads, files }: Omit<Erased, 'texts'>) =>
    `Exported a person’s data: ${countOf(leads, LEADS)}, ${countOf(files, FILES)}`,
  erased: ({ leads, files, texts }: Erased) =>
    `Erased a person’s data: ${countOf(leads, LEADS)}, ${countOf(files, FILES)}, ${countOf(texts, TEXTS)}`,
  redacted: (id: number) => `Removed an erased person from activity entry ${id}`,
}
