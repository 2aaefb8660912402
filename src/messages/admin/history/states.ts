/** Badges of the states of a page. Two badges where the next publish changes a live page. */
export const stateLabels = {
  live: ['live'],
  changed: ['live', 'unpublished changes'],
  pending: ['not published yet'],
  removal: ['live', 'removed at next publish'],
  scheduled: ['scheduled'],
  ended: ['ended'],
  draft: ['draft'],
  published: ['published'],
} as const

/** The badge of a page that goes live at a time, which follows. */
export const scheduledFor = 'scheduled for'

/** The filter of a list by state. */
export const stateFilterTexts = {
  label: 'Status',
  live: 'Live',
  pending: 'Unpublished changes',
  scheduled: 'Scheduled',
  draft: 'Draft',
}

/** The address of a page that visitors can't open yet. */
export const addressTexts = {
  notLive: 'Available after the next publish.',
  scheduled: 'Available at the scheduled time.',
  off: 'Visitors can’t open this page.',
}
