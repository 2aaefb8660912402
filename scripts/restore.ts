import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { forgetBackups } from '../src/backups/backup-turn-store.ts'
import { restoreBackup } from '../src/backups/restore-backup.ts'
import { restorePostgresBackup } from '../src/backups/restore-postgres-backup.ts'
import { backupStoreOf, copyStoredBackup, listStoredBackups } from '../src/backups/stored-backups.ts'
import { type Config, readConfig } from '../src/config.ts'
import { findKeyProblem } from '../src/db/secret-key-store.ts'
import { Failure } from '../src/lib/messages.ts'
import { backupTexts } from '../src/messages/command-line/data.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { forgetSharedReleases } from '../src/publish/shared/shared-release-store.ts'
import { bringBackKey } from '../src/secret-keys/bring-back-key.ts'
import { readFormerKeys } from '../src/secret-keys/key-file.ts'
import { backupSourceOf } from './backup-source.ts'
import { runCommand } from './command-line.ts'
import { withDatabase } from './open-database.ts'

await runCommand(
  {
    usage: usages.restore,
    options: { 'any-key': { type: 'boolean' } },
    positionals: 1,
  },
  async (options, [file = '']) => {
    const config = readConfig()
    const { databaseUrl, dataDir, secretKeys } = config
    const anyKey = options['any-key'] === true
    await using here = await findBackup(file, config)
    const backup = { file: here.path, formerKeys: [...secretKeys(), ...readFormerKeys(dataDir)] }
    const target = backupSourceOf(config)
    if ('databaseUrl' in target) {
      if (anyKey) throw new Failure(backupTexts, 'anyKeyOfPostgres')
      console.log(backupTexts.restored(await restorePostgresBackup(target, backup)))
      await withDatabase(databaseUrl, async (db) => {
        await forgetSharedReleases(db)
        await forgetBackups(db)
      })
    } else {
      const keepDir = join(dataDir, 'backups')
      const report = await restoreBackup(target, { ...backup, keepDir, now: new Date(), anyKey })
      console.log(backupTexts.restored(report.madeAt))
      if (report.keptAt) console.log(backupTexts.kept(report.keptAt))
    }
    await withDatabase(databaseUrl, async (db) => {
      const broughtBack = await bringBackKey(db, config)
      if (broughtBack) console.log(broughtBack)
      const problem = await findKeyProblem(db, secretKeys)
      if (problem) console.log(backupTexts.beforeStart(problem))
    })
  },
)

/** Finds a backup that was named by its path, or by its name in `FILE_STORE`, of which a copy is made. */
async function findBackup(file: string, config: Config): Promise<AsyncDisposable & { path: string }> {
  const path = resolve(file)
  const store = backupStoreOf(config)
  if (existsSync(path) || !store) return { path, async [Symbol.asyncDispose]() {} }
  const copy = join(config.dataDir, 'backups', `${file}.unfinished`)
  if (!(await copyStoredBackup(store, file, copy)))
    throw new Failure(backupTexts, 'notStored', file, await listStoredBackups(store))
  return { path: copy, [Symbol.asyncDispose]: () => rm(copy, { force: true }) }
}
