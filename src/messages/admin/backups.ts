/** Sentences about deleted data in backups. */
export const backupTexts = {
  until: 'Daily backups contain this data until',
  lasting: (names: readonly string[]) =>
    `These backups contain this data until you delete them: ${names.join(', ')}.`,
  elsewhere: 'Backups that you stored elsewhere contain this data until you delete them.',
  none: 'Daily backups don’t contain this data.',
}

/** Effects of deleting a form's leads after some days. */
export const retentionTexts = {
  also: 'Also deletes files, deliveries, and emails.',
  own: 'Your backups contain this data until you delete them.',
  daily: (days: number) =>
    `Daily backups contain this data for ${days === 1 ? '1 more day' : `${days} more days`}.`,
  empty: 'Leave empty to keep leads.',
}
