import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { readContentFile } from '../content-files/parsing/content-folder.ts'
import { formatMistake, type Mistake } from '../content-files/parsing/mistake.ts'
import { parseSite } from '../content-files/parsing/parse-yaml-file.ts'
import { readCheckReport } from '../publish/check-report.ts'
import { findCurrentRelease } from '../publish/release/release.ts'
import { checkLastSync } from './check-last-sync.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

export async function checkContent(config: Config): Promise<Finding> {
  const { contentDir } = config
  if (!existsSync(contentDir)) return failed('content', 'noContent', contentDir)
  const hasSettings = (await readdir(contentDir)).includes('site.yaml')
  const mistakes = hasSettings ? await mistakesOfSite(contentDir) : []
  if (mistakes.length === 0) return checkLastSync(config, { hasSettings })
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
