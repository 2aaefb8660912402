import { formSettings } from '../forms.ts'
import { questionEditor } from '../questions.ts'

/** The versions of a page, a form, a place, or the settings. */
export const versionTexts = {
  title: 'Versions',
  link: 'Versions',
  lead: 'Every save creates a version. Open a version to see its changes or restore it.',
  version: (name: string) => `Version of ${name}`,
  saved: 'Saved',
  changes: 'Changes',
  state: 'Status',
  marks: {
    live: 'live',
    pending: 'saved, not published',
    current: 'current',
    draft: 'draft',
    scheduled: 'scheduled',
    former_draft: 'earlier draft',
  },
  byFile: 'Content files',
  byItself: 'Automatic',
  byNobody: 'Unknown',
  restored: (name: string) => `${name} (restored)`,
  firstVersion: 'First version',
  noChanges: 'No changes',
  older: 'Older versions',
  newest: 'Newest versions',
  empty: 'No earlier versions',
  emptyText: 'The next save will add a version.',
  compared: {
    previous: 'Changes from the previous version',
    current: 'Changes since this version',
    restore: 'Restore these values?',
  },
  compareBefore: 'Compare with the previous version',
  compareCurrent: 'Compare with the current version',
  before: 'Previous version',
  after: 'This version',
  afterIsNow: 'This version (still current)',
  now: 'Current version',
  same: 'The two versions are identical.',
  noValue: 'empty',
  asTyped: 'Show Markdown',
  removedText: 'removed:',
  addedText: 'added:',
  view: 'View as a page',
  restore: 'Restore version',
  restoreText: 'Restore this text',
  restoreNamed: (label: string, side: string) => `Restore this text: ${label} (${side})`,
  restoreSelected: 'Restore selected values',
  selectHint: 'Clear a checkbox to keep the current value.',
  restoreHint: 'The current values will stay available under Versions.',
  endsDraft: 'Restoring will also discard the current draft, which will stay available under Versions.',
  nothingSelected: 'Select at least one value.',
  outdated: 'Someone else saved a change in the meantime. Check the values again.',
  cannotRestore: (reasons: string) => `This version can’t be restored as is. ${reasons}`,
  openInEditor: 'Open in the editor',
}

/** The draft of a published entry. */
export const draftTexts = {
  saveForPublish: 'Save for next publish',
  save: 'Save as draft',
  saveHint: 'A draft stays private. Other changes go live with the next publish.',
  isDraft: 'This is a draft. Visitors still see the live version.',
  isUnpublished: 'This is a draft. Visitors can’t see drafts.',
  savedBy: 'Saved by',
  goesLive: 'This change goes live on',
  untilThen: 'Visitors will see the live version until then.',
  isOverdue: 'Save this change again to see why it was not published. It was scheduled for',
  compare: 'See changes',
  share: 'Share preview',
  use: 'Add to next publish',
  discard: 'Discard draft',
  saved: (name: string) => `Draft of “${name}” saved. Visitors still see the live version.`,
  unpublishedSaved: (name: string) => `Draft of “${name}” saved. Visitors can’t see drafts.`,
  isScheduled: (name: string, time: string) =>
    `The change to “${name}” goes live on ${time}. Visitors will see the live version until then.`,
  isUnscheduled: (name: string) => `The change to “${name}” is no longer scheduled. The draft was kept.`,
  isUsed: (name: string) => `Draft of “${name}” added to the next publish.`,
  isDiscarded: (name: string) => `Draft of “${name}” discarded. You can still find it under Versions.`,
  isGone: 'Someone else changed the draft. Check the draft again.',
  hasDraft: 'has a draft',
  hasSchedule: 'change scheduled for',
}

/** Activity entries about versions and drafts. */
export const versionChanges = {
  restored: (name: string, type: string) => `Restored a version of “${name}” in ${type}`,
  formRestored: (name: string) => `Restored a version of the form ${name}`,
  settingsRestored: 'Restored a version of the site settings',
  termRestored: (name: string, { one }: { one: string }) => `Restored a version of the ${one} ${name}`,
  isRestored: (name: string) => `“${name}” restored. Visitors will see the change after the next publish.`,
  draftScheduled: (name: string, type: string) => `Scheduled a change to “${name}” in ${type}`,
  draftUnscheduled: (name: string, type: string) => `Canceled the scheduled change to “${name}” in ${type}`,
  draftSaved: (name: string, type: string) => `Saved a draft of “${name}” in ${type}`,
  draftUsed: (name: string, type: string) => `Added a draft to the next publish: “${name}” in ${type}`,
  draftDiscarded: (name: string, type: string) => `Discarded the draft of “${name}” in ${type}`,
}

/** Values in a comparison. */
export const versionValues = {
  gone: (id: number) => `#${id} (deleted)`,
  item: (number: number, text: string) => `${number}. ${text}`,
  part: (label: string, text: string) => `${label}: ${text}`,
}

const { labels: formLabels, headings } = formSettings
const { labels: questionLabels } = questionEditor

/** Names of the parts of a form in a comparison. */
export const formVersionTexts = {
  own: {
    name: formLabels.name,
    slug: formLabels.slug,
    description: formLabels.description,
    status: formLabels.status,
  },
  settings: {
    submit_label: formLabels.submit,
    success_heading: 'Heading after sending',
    success_body: 'Text after sending',
    redirect_url: formLabels.redirect,
    success_redirect: formLabels.formerRedirect,
    notification_email: formLabels.email,
    retention_days: formLabels.retention,
    anti_spam: headings.spam,
    honeypot: formLabels.trap,
    notifications: 'Emails',
    reply: 'Reply',
  },
  question: (label: string) => `Question “${label}”`,
  parts: {
    name: questionLabels.key,
    type: questionLabels.type,
    label: questionLabels.label,
    placeholder: 'Placeholder',
    default_value: 'Default answer',
    required: questionLabels.required,
    options: questionLabels.options,
    validation: questionLabels.validation,
    help_text: questionLabels.help,
  },
  order: 'Order of questions',
}
