import { backupStoreOf } from '../../backups/stored-backups.ts'
import type { Config } from '../../config.ts'
import { retentionTexts } from '../../messages/admin/backups.ts'

/** Describes what happens to answers that a form deletes after some days, backups included. */
export function describeRetention({
  backupKeep,
  databaseUrl,
  ...place
}: Pick<Config, 'backupKeep' | 'databaseUrl' | 'filePlace' | 'dataDir'>): string {
  const { also, own, daily, empty } = retentionTexts
  const areKnown = databaseUrl.startsWith('file:') || backupStoreOf(place) !== undefined
  if (!areKnown || backupKeep === 0) return [also, own, empty].join(' ')
  return [also, daily(backupKeep), empty].join(' ')
}
