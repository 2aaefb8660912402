import { countOf } from '../../plural.ts'

const PAGES = { one: 'page', other: 'pages' }

/** The page of preview links. */
export const previewTexts = {
  title: 'Preview links',
  lead: 'Show the next site to people without an account.',
  caption: 'Preview links, newest first',
  none: 'No preview links',
  noneText: 'A link shows all unpublished changes and lets a client approve them.',
  make: 'Make preview link',
  makeSelected: 'Preview selected changes',
  made: 'Preview link',
  copy: 'Copy the link now. It is shown only once.',
  validFor: (days: number) => `It works for ${days} days, for everyone who has it.`,
  done: 'Done',
  nothing: 'Everything is published. There is nothing to preview.',
  failed: (reason: string) => `The preview can’t be made: ${reason}`,
  shows: (pages: number, isSelected: boolean) =>
    `${isSelected ? 'Selected changes' : 'All changes'}, ${countOf(pages, PAGES)}`,
  end: 'End link',
  isEnded: 'The link no longer works.',
  wasEnded: 'This link was already ended.',
  publish: 'Publish approved pages',
  started: 'Publishing the approved pages.',
  notApproved: 'Nobody has approved these pages, or the site has changed since.',
  busy: 'A publish is running. Try again when it is done.',
  older: 'Changed since. Make a new link.',
  by: (name: string) => `by ${name}`,
}

/** Labels of a preview link's facts. */
export const previewLabels = { made: 'Made', expires: 'Expires', approved: 'Approved' }

/** States of a preview. */
export const previewStates = {
  open: 'open',
  approved: 'approved',
  older: 'older state',
  published: 'published',
  ended: 'ended',
  expired: 'expired',
}

/** Sentences of the audit log. */
export const previewActivity = {
  made: 'Made a preview link',
  ended: 'Ended a preview link',
  published: 'Published an approved preview',
  approved: (id: number, name: string) => `Preview ${id} was approved as ${name}`,
  visitor: 'Preview link',
}
