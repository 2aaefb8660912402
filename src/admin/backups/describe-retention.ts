import type { Config } from '../../config.ts'

/** What happens to answers that a form deletes after some days, backups included. */
export function describeRetention({
  backupKeep,
  databaseUrl,
}: Pick<Config, 'backupKeep' | 'databaseUrl'>): string {
  const also = 'Files, deliveries, and mails are deleted too.'
  const empty = 'Leave empty to keep answers.'
  if (!databaseUrl.startsWith('file:') || backupKeep === 0)
    return `${also} Your backups contain them until you delete the backups. ${empty}`
  const days = backupKeep === 1 ? '1 more day' : `${backupKeep} more days`
  return `${also} Daily backups contain them for ${days}. ${empty}`
}
