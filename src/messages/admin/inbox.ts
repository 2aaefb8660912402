import { countOf } from '../plural.ts'

const LEADS = { one: 'lead', other: 'leads' }

/** The list of leads. */
export const inboxTexts = {
  title: 'Inbox',
  tabLabels: {
    inbox: 'Inbox',
    unread: 'Unread',
    read: 'Read',
    archived: 'Archived',
    spam: 'Spam',
    all: 'All',
  },
  labels: {
    tabs: 'Lead status',
    search: 'Search',
    filters: 'Filters',
    form: 'Form',
    place: 'Place',
    source: 'Source',
    from: 'From',
    until: 'To',
    actions: 'Actions for selected leads',
    selectAll: 'Select all',
    selected: 'Selected',
  },
  placeholders: { search: 'Name, phone, place, service, note…', place: 'Any place' },
  allForms: 'All forms',
  allSources: 'All sources',
  allStages: 'All stages',
  anyone: 'Anyone',
  anotherUser: 'Another user',
  formUnread: (name: string, unread: string) => `${name} (${unread} unread)`,
  buttons: {
    search: 'Search',
    clear: 'Clear',
    export: 'Export',
    csv: 'CSV',
    semicolonCsv: 'CSV with semicolons',
    json: 'JSON',
  },
  semicolonCsv: { hint: 'For spreadsheet programs that show the regular CSV in one column' },
  select: (sender: string) => `Select the lead from ${sender}`,
  selectSome: 'Select leads to archive, assign, or delete.',
  /** `count` is a number, or what a script replaces by it. */
  selectedCount: (count: string) => `${count} selected:`,
  unread: 'Unread',
  deletedForm: 'Deleted form',
  placing: 'Older leads are being matched to places. Some may be missing for a few minutes.',
  indexBehind: 'The search index is catching up. Some leads may be missing for a few minutes.',
  tooBroad: 'Your search matches too many places, so some leads may be missing. Enter a more specific name.',
  searchedBackTo: 'Searched leads received since',
  searchFurther: 'Select “Older” to search earlier leads.',
  lostSearch: 'This search link no longer works. Search again.',
}

/** Texts of actions on all leads that match the filters. */
export const bulkTexts = {
  link: 'Select all matching leads…',
  title: 'Change all matching leads',
  label: 'Action',
  choose: 'Continue',
  lead: (count: number) => `${countOf(count, LEADS)} ${count === 1 ? 'matches' : 'match'} these filters:`,
  filters: 'This applies to leads that match these filters:',
  none: 'No leads match. Change the filters.',
  tooMany: (most: number) =>
    `More than ${most.toLocaleString('en-US')} leads match. Narrow the filters, for example by date.`,
  notFound: 'Choose an action.',
  notSpam: 'Spam won’t be changed.',
  text: 'Leads that arrive before you confirm won’t be changed.',
  progress: 'Change selected leads',
  chooseProgress: 'Stage or assignee…',
  apply: 'Apply',
  noProgress: 'Choose a stage or an assignee.',
  stage: (stage: string) => `Change stage to ${stage}`,
  assign: (person: string) => `Assign to ${person}`,
  unassign: 'Remove assignee',
  assignedWithin: 'Leads that this user can’t see will keep their assignee.',
  sends: 'Webhooks and emails that were held back as spam will also be sent.',
  questions: {
    read: (count: number) => `Mark ${countOf(count, LEADS)} as read?`,
    unread: (count: number) => `Mark ${countOf(count, LEADS)} as unread?`,
    archive: (count: number) => `Archive ${countOf(count, LEADS)}?`,
    restore: (count: number) => `Restore ${countOf(count, LEADS)}?`,
    spam: (count: number) => `Mark ${countOf(count, LEADS)} as spam?`,
    not_spam: (count: number) => `Mark ${countOf(count, LEADS)} as not spam?`,
    stage: (count: number, stage: string) => `Move ${countOf(count, LEADS)} to ${stage}?`,
    assign: (count: number, person: string) => `Assign ${countOf(count, LEADS)} to ${person}?`,
    unassign: (count: number) => `Remove the assignee from ${countOf(count, LEADS)}?`,
  },
  done: {
    stage: (count: number, stage: string) => `${countOf(count, LEADS)} moved to ${stage}.`,
    assign: (count: number, person: string) => `${countOf(count, LEADS)} assigned to ${person}.`,
  },
  noOne: 'no one',
}

/** Filters that users keep. */
export const filterTexts = {
  title: 'Saved filters',
  save: 'Save filter…',
  edit: 'Edit filter…',
  add: {
    title: 'Save filter',
    lead: 'Saves the current tab and filters, but not your search terms.',
    button: 'Save filter',
  },
  change: { title: (name: string) => `Filter “${name}”`, button: 'Save changes' },
  labels: { name: 'Name', shared: 'Share with the team' },
  hints: { shared: 'Users with different access limits won’t see this filter.' },
  nameMissing: 'Enter a name.',
  nameTaken: 'Another saved filter has this name. Choose a different one.',
  tooMany: (most: number) => `You’ve reached the limit of ${most} saved filters. Delete one first.`,
  added: (name: string) => `Filter “${name}” saved.`,
  changed: (name: string) => `Filter “${name}” changed.`,
  removal: {
    link: 'Delete…',
    question: (name: string) => `Delete the filter “${name}”?`,
    button: 'Delete filter',
    text: 'No leads will be deleted.',
    shared: 'Your team will lose this filter too.',
    done: (name: string) => `Filter “${name}” deleted.`,
  },
}

/** Sentences of the activity about saved filters. */
export const filterActivity = {
  added: (name: string) => `Saved the inbox filter “${name}”`,
  changed: (name: string) => `Changed the inbox filter “${name}”`,
  deleted: (name: string) => `Deleted the inbox filter “${name}”`,
}

/** Labels of actions on leads. */
export const leadActions = {
  read: 'Mark as read',
  unread: 'Mark as unread',
  archive: 'Archive',
  restore: 'Move to inbox',
  spam: 'Mark as spam',
  notSpam: 'Not spam',
  delete: 'Delete…',
}

/** Texts of the list without leads, by its tab. */
export const emptyInbox = {
  titles: {
    '': 'You’re all caught up',
    new: 'No unread leads',
    read: 'No read leads',
    archived: 'No archived leads',
    spam: 'No spam',
    all: 'No leads yet',
  },
  texts: {
    archived: 'Archived leads stay here. To search them too, open “All”.',
    spam: 'Suspected spam stays here with the reason. Spam is never delivered.',
  },
  text: 'Leads from your forms will appear here.',
  showForms: 'Show forms',
  searchAll: 'Search all leads',
  notFound: { title: 'No leads found', text: 'Try fewer words, another place, or different dates.' },
  notFoundYet: { title: 'No leads found so far', text: 'Select “Older” to continue, or change your search.' },
}

/** Leads marked as not spam: how many changed, are now delivered, and were delivered before. */
interface NotSpam {
  count: number
  sending: number
  sentBefore: number
}

function whatIsSent({ count, sending, sentBefore: before }: NotSpam): string {
  if (sending === count) return 'Delivery has started.'
  if (sending > 0)
    return `Delivery has started for ${countOf(sending, LEADS)}. Nothing will be sent for ${count - sending === 1 ? 'the other lead' : `the other ${count - sending} leads`}.`
  return before > 0
    ? 'Everything was already delivered, so nothing will be sent again.'
    : 'There is nothing to send.'
}

/** Sentences about finished actions on leads. */
export const leadOutcomes = {
  none: 'No leads were changed.',
  notSelected: 'Select at least one lead first.',
  read: (count: number) => `${countOf(count, LEADS)} marked as read.`,
  unread: (count: number) => `${countOf(count, LEADS)} marked as unread.`,
  archive: (count: number) => `${countOf(count, LEADS)} archived.`,
  restore: (count: number) => `${countOf(count, LEADS)} moved to the inbox.`,
  spam: (count: number) => `${countOf(count, LEADS)} marked as spam. Pending deliveries were canceled.`,
  not_spam: (changed: NotSpam) =>
    `${countOf(changed.count, LEADS)} marked as not spam. ${whatIsSent(changed)}`,
  deleted: (count: number) => `${countOf(count, LEADS)} deleted.`,
  exported: (kind: string) => `Exported leads as ${kind}`,
}

/** The question before leads are deleted. */
export const leadDeletion = {
  title: 'Delete leads',
  question: (count: number) => `Delete ${countOf(count, LEADS)}?`,
  button: (count: number) => `Delete ${countOf(count, LEADS)}`,
  text: 'This will delete the answers, along with files, notes, deliveries, and emails. Webhook receivers and mailboxes will keep their copies.',
  more: (count: number) => `and ${count} more`,
}
