import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { readContentFile } from '../content-files/parsing/content-folder.ts'
import { formatMistake, type Mistake } from '../content-files/parsing/mistake.ts'
import { parseSite } from '../content-files/parsing/parse-yaml-file.ts'
import { readCheckReport } from '../publish/check-report.ts'
import { findCurrentRelease } from '../publish/release/release.ts'
import { checkConflicts } from './check-conflicts.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const DAY_MS = 24 * 3_600_000
const LATE_DAYS = 3

export async function checkContent(config: Config): Promise<Finding> {
  const { contentDir } = config
  if (!existsSync(contentDir)) return failed('content', 'noContent', contentDir)
  const names = await readdir(contentDir)
  if (!names.includes('site.yaml')) return warning('content', 'noSettings', contentDir)
  const mistakes = await mistakesOfSite(contentDir)
  if (mistakes.length === 0) return checkConflicts(config)
  const said = mistakes.map((mistake) => formatMistake(mistake, contentDir))
  return failed('content', 'mistakes', said.join('; '))
}

async function mistakesOfSite(contentDir: string): Promise<Mistake[]> {
  const file = await readContentFile(contentDir, 'site.yaml')
  return file.problem ? [{ path: file.path, ...file.problem }] : parseSite(file).mistakes
}

export function checkRelease({ dataDir }: Config): Finding {
  const release = findCurrentRelease(dataDir)
  if (!release) return warning('release', 'notPublished')
  const found = readCheckReport(dataDir)?.found
  return found ? warning('release', 'siteRepaired', found) : ok('release', 'release', release.id)
}

/** Returns whether there is a copy to go back to, and one of these days. */
export async function checkBackups(
  { dataDir, databaseUrl, backupKeep }: Config,
  now = Date.now,
): Promise<Finding> {
  const name = 'backups'
  if (!databaseUrl.startsWith('file:')) return ok(name, 'backupsOfPostgres')
  if (backupKeep === 0) return warning(name, 'backupsOff')
  const newest = await findNewestBackup(join(dataDir, 'backups'))
  if (!newest) return warning(name, 'noBackups')
  const days = Math.floor((now() - newest.madeAt) / DAY_MS)
  if (days < LATE_DAYS) return ok(name, 'newestBackup', newest.name)
  return warning(name, 'oldBackup', newest.name, days)
}

async function findNewestBackup(folder: string) {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.db'))
  const dated = names.map((name) => ({ name, madeAt: statSync(join(folder, name)).mtimeMs }))
  return dated.sort((a, b) => b.madeAt - a.madeAt)[0]
}
