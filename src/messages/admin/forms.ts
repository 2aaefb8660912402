import { withoutLinks } from '#src/lib/markdown/link-parts.ts'
import { countOf } from '../plural.ts'

/** Problems of a form besides the rules of files. */
export const FAULTS_OF_FORMS = {
  taken: () => 'Another form already has this address. Choose a different one.',
  recipient_invalid: ({ text }: { text: string }) => `“${text}” is not a valid email address.`,
  no_slug: () => 'Use up to 80 lowercase letters, digits, and single hyphens.',
  unconfirmed: ({ slug }: { slug: string }) => `Type ${slug} to delete the form.`,
  builtin: () => 'This form is built in, so you can’t change its address.',
}

/** The label of a question in the preview, until it has one. */
export const newQuestion = 'Your question'

const PAGES = { one: 'page', other: 'pages' }
const LOCAL_PAGES = { one: 'local page', other: 'local pages' }
const LEADS = { one: 'lead', other: 'leads' }

/** The list of forms, and the frame around the pages of one. */
export const formsPage = {
  title: 'Forms',
  lead: 'Manage the forms on your site and the questions they ask.',
  columns: ['Form', 'Status', 'Questions', 'Webhooks', 'Leads', 'Latest lead', ''],
  buttons: {
    add: 'Add form',
    addFirst: 'Add first form',
    duplicate: 'Duplicate',
    edit: 'Edit',
    delete: 'Delete…',
  },
  duplicate: (name: string) => `Duplicate ${name}`,
  edit: (name: string) => `Edit ${name}`,
  empty: {
    title: 'No forms yet',
    text: 'Ask visitors for the information you need. Their answers will arrive in the inbox.',
  },
  builtin: ' · built in',
  noLead: 'None yet',
  unlinked: {
    text: (name: string) => `The built-in form “${name}” is live, but your site doesn’t link to it.`,
    link: 'Open the form',
    button: (name: string) => `Archive “${name}”`,
  },
  moreThan: (count: string) => `more than ${count}`,
  tabs: 'Form sections',
  tabLabels: {
    questions: 'Questions',
    settings: 'Settings',
    emails: 'Emails',
    webhooks: 'Webhooks',
    leads: 'Leads',
  },
  statusButtons: {
    active: 'Activate',
    draft: 'Change to draft',
    offline: 'Take offline',
    archived: 'Archive',
  },
  statusChanged: {
    active: 'The form now accepts submissions. Publish to show the form on its pages.',
    draft: 'The form no longer accepts submissions. Publish to remove the form from its pages.',
    archived: 'Visitors now see that the form is closed. Publish to remove the form from its pages.',
  },
}

/** A new form, a copy, and deleting one. */
export const formChanges = {
  nameMissing: 'Enter a name.',
  labels: {
    name: 'Name',
    slug: 'Address',
    description: 'Description',
    start: 'Start with',
    copy: 'Name of the copy',
  },
  hints: {
    name: 'Shown above the questions.',
    slug: 'The last part of the form’s URL. Leave empty to use the name.',
  },
  starts: { contact: 'Name, email address, and message', nothing: 'No questions' },
  add: {
    title: 'Add form',
    button: 'Add form',
    done: 'The form is a draft. Add your questions, then activate the form.',
  },
  copy: {
    title: (name: string) => `Duplicate ${name}`,
    heading: (name: string) => `Duplicate “${name}”`,
    lead: 'Questions, settings, and webhooks are copied. The copied webhooks are off and have no secrets.',
    nameOf: (name: string) => `${name} (copy)`,
    button: 'Duplicate form',
    done: 'The copy is a draft, and its webhooks are off.',
  },
  remove: {
    question: (name: string) => `Delete the form “${name}”?`,
    button: 'Delete form',
    questions: 'its questions and settings',
    leadsGone: (count: string) =>
      `This will permanently delete ${count}, along with all files, deliveries, and emails.`,
    leadCount: (count: string, isOne: boolean) => `${count} ${isOne ? 'lead' : 'leads'}`,
    webhooks: (count: number) => (count === 1 ? 'its webhook' : `its ${count} webhooks`),
    places: (titles: string) => `the form on these pages: ${titles}`,
    instead: 'To keep the leads but accept no new ones, archive the form instead.',
    link: 'Open the form’s settings',
    confirm: (slug: string) => `Type ${slug} to confirm`,
    done: (name: string) => `“${name}” deleted. Publish to remove the form from its pages.`,
  },
}

/** The questions of new forms, until the owner changes them. */
export const firstQuestions = {
  name: 'Your name',
  email: 'Email address',
  message: 'How can we help?',
}

/** The preview of a form. */
export const formPreview = { title: 'Preview', hint: 'Try the form. Your answers aren’t saved.' }

/** The pages that show a form. */
export const formUsage = {
  title: 'Where the form appears',
  unpublished: (pages: number) =>
    `This form has unpublished changes. Visitors will see them on ${countOf(pages, PAGES)} after the next publish.`,
  publish: 'Publish',
  address: 'The form has its own page at',
  count: (pages: number) => `The form appears on ${countOf(pages, PAGES)}.`,
  only: 'To show the form on other pages, choose it in their editors, or choose it as the default form under Settings.',
  nowhere: {
    draft: 'This form is a draft, so no page shows it.',
    archived: 'This form is archived, so no page shows it.',
  },
  onceActive: 'These pages will show the form once it’s active:',
  inPlaces: (pages: number) => `and its ${countOf(pages, LOCAL_PAGES)}`,
  more: (count: number) => `${count} more`,
  isDefault: 'This is the default form. The home page and services without their own form show it.',
}

/** The settings of a form. */
export const formSettings = {
  thing: 'form',
  title: (form: string) => `Settings for ${form}`,
  button: 'Save settings',
  saved: 'Settings saved.',
  headings: { form: 'Form', after: 'After sending', answers: 'Leads', spam: 'Spam protection' },
  labels: {
    name: 'Name',
    description: 'Description',
    status: 'Status',
    slug: 'Address',
    submit: 'Button text',
    successHeading: 'Heading',
    successBody: 'Text',
    redirect: 'Redirect to',
    formerRedirect: 'Old redirect',
    email: 'Email new leads to',
    retention: 'Delete after (days)',
    trap: 'Hidden spam trap',
    checkSpam: 'Check for spam',
    maxLinks: 'Maximum links',
    minSeconds: 'Minimum time (seconds)',
    botCheck: 'Invisible bot check',
  },
  hints: {
    name: 'Shown above the questions.',
    slug: 'The last part of the form’s URL. Old addresses keep accepting submissions.',
    successBody: 'You can use Markdown.',
    redirect: 'A path such as /thank-you, or a full URL.',
    formerRedirect: 'Used if “Redirect to” is empty.',
    email: 'Spam is never emailed.',
    trap: 'The name of a field that only bots fill in. Leave empty for none.',
    maxLinks: 'Leave empty for no limit.',
    botCheck: 'Stops most bots. Visitors need JavaScript to submit the form.',
  },
  statuses: {
    active: 'Active: shown and accepting submissions',
    draft: 'Draft: hidden from visitors',
    archived: 'Archived: closed to visitors',
  },
  builtin: 'This form is built in, so you can’t change its address or delete it.',
}

/** Activity entries about forms. */
export const formActivity = {
  added: (name: string) => `Added the form ${name}`,
  duplicated: (name: string, copy: string) => `Duplicated the form ${name} as ${copy}`,
  deleted: (name: string, leads: number) => `Deleted the form ${name} with ${countOf(leads, LEADS)}`,
  statusChanged: (name: string, status: string) => `Changed the status of the form ${name} to ${status}`,
  settingsChanged: (name: string) => `Changed the settings for the form ${name}`,
  ordered: (name: string) => `Reordered the questions in the form ${name}`,
  questionAdded: (label: string, form: string) =>
    `Added the question ${withoutLinks(label)} to the form ${form}`,
  questionChanged: (label: string, form: string) =>
    `Changed the question ${withoutLinks(label)} in the form ${form}`,
  questionRemoved: (label: string, form: string) =>
    `Removed the question ${withoutLinks(label)} from the form ${form}`,
}
