import { countOf } from '../../plural.ts'

const PAGES = { one: 'page', other: 'pages' }
const DRAFTS = { one: 'draft is', other: 'drafts are' }

const subjectOf = (isSelected: boolean) => (isSelected ? 'Selected changes' : 'All changes')

/** The page of preview links. */
export const previewTexts = {
  title: 'Preview links',
  lead: 'Share unpublished changes with people who don’t have an account.',
  caption: 'Preview links, newest first',
  none: 'No preview links',
  noneText: 'Anyone with a preview link can review and approve the pages.',
  make: 'Create preview link',
  makeSelected: 'Preview selected changes',
  made: 'Preview link',
  copyLink: 'Copy link',
  copied: 'Copied',
  copy: 'Copy the link now. It is shown only once.',
  onlyHere: 'The link opens only on this computer.',
  publicSetup: 'Set SITE_URL to the site’s public address.',
  validFor: (days: number) => `The link works for ${days} days. No account is needed.`,
  done: 'Done',
  makingHint: 'The link will work when every page is ready. You can leave this page.',
  progress: 'Preview progress',
  subject: subjectOf,
  shows: (pages: number, isSelected: boolean) => `${subjectOf(isSelected)}, ${countOf(pages, PAGES)}`,
  selected: (names: string) => `Shows: ${names}`,
  choice: 'Choose what the link shows',
  changes: 'Saved changes',
  changesHint: 'These changes will go live with the next publish.',
  noChanges: 'All saved changes are live.',
  more: 'Only the newest changes are listed. To include older changes, keep every change selected.',
  selectAll: 'Select all',
  clearAll: 'Clear all',
  drafts: 'Drafts',
  draftsHint: 'Only people with the link see its drafts until you publish them.',
  includeDraft: (name: string) => `Include the draft of ${name}`,
  draftOf: (name: string) => `${name} (draft)`,
  nothingSelected: 'Select at least one change or draft.',
  leftOut: (count: number) => `${countOf(count, DRAFTS)} not included in this link`,
  notCreated: (reasons: string) => `No link was created. ${reasons}`,
  notPublished: (reasons: string) => `Nothing was published. ${reasons}`,
  notYourDrafts: 'The link shows drafts that you can’t publish. Ask an owner to publish them.',
  ready: 'The link is ready.',
  end: 'End link',
  isEnded: 'The link no longer works.',
  wasEnded: 'This link has already ended.',
  publish: 'Publish approved pages',
  started: 'Publishing the approved pages.',
  notApproved: 'These pages are not approved, or they have changed since. Create a new link.',
  busy: 'A publish is in progress. Try again when that publish is done.',
  older: 'This link is out of date. People can still read it, but not respond.',
  renew: 'Create new link',
  by: (name: string) => `by ${name}`,
  asked: 'Changes requested',
  mailFailed: (reason: string) => `The notification email was not sent: ${reason}`,
  mail: 'You’ll get an email when someone approves the pages or requests changes.',
}

/** Relates the next publish to what someone approved. */
export const approvalTexts = {
  approved: (name: string) => `Approved by ${name} on`,
  asked: (name: string) => `Changes requested by ${name} on`,
  waiting: 'Waiting for approval. Link created on',
  since: (names: string) => `Changed since then: ${names}. “Publish now” includes these changes.`,
  scheduled: (name: string) => `“Publish now” leaves out ${name}, which goes live on`,
  drafts: (names: string, count: number) =>
    `“Publish now” leaves out ${names}, which ${count === 1 ? 'stays a draft' : 'stay drafts'}.`,
  others: (names: string) => `“Publish now” also publishes: ${names}`,
  onlyOthers: (names: string) => `“Publish now” publishes only other changes: ${names}`,
  same: 'Nothing has changed since then. “Publish now” publishes exactly the approved pages.',
  notNeeded: 'You can publish without approval.',
  scheduleRuns: 'Scheduled changes go live without approval.',
}

/** Why a preview has no pages. */
export const previewFailures = {
  nothing: 'All saved changes are live, so there is nothing to preview.',
  interrupted: 'The server stopped while preparing the pages. Create a new link.',
}

/** Labels of a preview link's facts. */
export const previewLabels = {
  made: 'Created',
  expires: 'Expires',
  approved: 'Approved',
  published: 'Published',
}

/** States of a preview. */
export const previewStates = {
  making: 'in progress',
  failed: 'failed',
  open: 'open',
  changes: 'changes requested',
  approved: 'approved',
  older: 'outdated',
  published: 'published',
  ended: 'ended',
  expired: 'expired',
}

/** Sentences of the audit log. */
export const previewActivity = {
  made: 'Created a preview link',
  ended: 'Ended a preview link',
  published: 'Published an approved preview',
  approved: (id: number, name: string) => `Preview ${id} was approved under the name ${name}`,
  changesAsked: (id: number, name: string) =>
    `Changes to preview ${id} were requested under the name ${name}`,
  visitor: 'Preview link',
}
