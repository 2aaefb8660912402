/** Sentences about deleted data in backups. */
export const backupTexts = {
  until: 'This data stays in daily backups until',
  lasting: (names: readonly string[]) =>
    `This data stays in these backups until you delete them: ${names.join(', ')}.`,
  elsewhere: 'This data also stays in backups stored elsewhere until you delete them.',
  none: 'Daily backups don’t contain this data.',
}

/** Effects of deleting a form's leads after some days. */
export const retentionTexts = {
  also: 'Leads are deleted along with their files, deliveries, and emails.',
  own: 'Deleted data stays in your backups until you delete the backups.',
  daily: (days: number) =>
    `Deleted data stays in daily backups for ${days === 1 ? '1 more day' : `${days} more days`}.`,
  empty: 'Leave empty to keep leads.',
}
