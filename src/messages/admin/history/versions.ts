/** The versions of an entry, and its draft beside what is live. */
export const versionTexts = {
  title: 'Versions',
  link: 'Versions',
  lead: 'Every save is kept. Open a version to see its changes or restore it.',
  version: (number: number) => `Version ${number}`,
  saved: 'Saved',
  by: 'By',
  changes: 'Changes',
  state: 'State',
  current: 'current',
  draft: 'draft',
  formerDraft: 'former draft',
  byFile: 'Content file',
  byNobody: 'Unknown',
  restored: (name: string) => `${name} (restored)`,
  firstVersion: 'First version',
  noChanges: 'No changes',
  changedFields: (labels: readonly string[]) => labels.join(', '),
  older: 'Older versions',
  newest: 'Newest versions',
  empty: 'No earlier versions',
  emptyText: 'The next save adds a version.',
  comparedBefore: 'Changes from the previous version',
  comparedCurrent: 'Changes since this version',
  compareBefore: 'Compare with the previous version',
  compareCurrent: 'Compare with the current version',
  before: 'Previous version',
  after: 'This version',
  now: 'Current version',
  same: 'Both versions are the same.',
  noValue: 'empty',
  removedText: 'removed:',
  addedText: 'added:',
  view: 'View as a page',
  restore: 'Restore version',
  restoreHint: 'Restoring saves this version again. Nothing is lost.',
  cannotRestore: (reasons: string) => `This version can’t be restored as it is. ${reasons}`,
  openInEditor: 'Open in the editor',
}

/** The draft of a published entry. */
export const draftTexts = {
  save: 'Save draft',
  isDraft: 'This is a draft. Visitors still see the live version. Saved by',
  compare: 'See changes',
  use: 'Use draft',
  discard: 'Discard draft',
  saved: (name: string) => `Draft of "${name}" saved. Visitors still see the live version.`,
  isUsed: (name: string) => `The draft of "${name}" is ready to publish.`,
  isDiscarded: (name: string) => `Draft of "${name}" discarded. You can still find it under Versions.`,
  isGone: 'Someone else changed the draft. Check it again.',
  hasDraft: 'has a draft',
}

/** Activity entries about versions and drafts. */
export const versionChanges = {
  restored: (name: string, type: string) => `Restored a version of "${name}" in ${type}`,
  isRestored: (name: string) => `"${name}" restored. Visitors see it after the next publish.`,
  draftSaved: (name: string, type: string) => `Saved a draft of "${name}" in ${type}`,
  draftUsed: (name: string, type: string) => `Used the draft of "${name}" in ${type}`,
  draftDiscarded: (name: string, type: string) => `Discarded the draft of "${name}" in ${type}`,
}

/** Names of the parts of an entry in a comparison. */
export const versionFields = {
  title: 'Title',
  slug: 'Slug',
  status: 'Status',
  body: 'Text',
  publishAt: 'Show from',
  unpublishAt: 'Show until',
  redirectFrom: 'Redirects from',
  terms: 'Places and categories',
  gone: (id: number) => `#${id} (deleted)`,
  statuses: { published: 'Published', draft: 'Draft' },
}
