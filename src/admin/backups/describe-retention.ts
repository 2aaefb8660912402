import type { Config } from '../../config.ts'
import { retentionTexts } from '../../messages/admin/backups.ts'

/** Describes what happens to answers that a form deletes after some days, backups included. */
export function describeRetention({
  backupKeep,
  databaseUrl,
}: Pick<Config, 'backupKeep' | 'databaseUrl'>): string {
  const { also, own, daily, empty } = retentionTexts
  if (!databaseUrl.startsWith('file:') || backupKeep === 0) return [also, own, empty].join(' ')
  return [also, daily(backupKeep), empty].join(' ')
}
