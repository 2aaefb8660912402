import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { SiteFindings } from './publish-site.ts'

const DAY_MS = 24 * 3_600_000
const KEPT_DAYS = 14

const report = z.object({
  /** When the last check ended: UTC text. */
  checkedAt: z.string(),
  /** Findings of the last check that found something; null after two weeks. */
  found: z
    .object({ at: z.string(), damaged: z.number(), outdated: z.number(), hasDamagedFiles: z.boolean() })
    .nullable(),
})

/** Results of a site's nightly checks. */
export type CheckReport = z.output<typeof report>

/** Reads `DATA_DIR/site-check.json`; undefined before the first check. */
export function readCheckReport(dataDir: string): CheckReport | undefined {
  try {
    return report.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8')))
  } catch {
    // A damaged file counts as missing; the next check rewrites it.
    return undefined
  }
}

/** Records that a check ended, and its findings. */
export function saveCheckReport(dataDir: string, findings: SiteFindings, now: Date): void {
  const checkedAt = now.toISOString()
  const { damaged, outdated, hasDamagedFiles } = findings
  const before = readCheckReport(dataDir)?.found ?? null
  const isOld = before !== null && now.getTime() - Date.parse(before.at) > KEPT_DAYS * DAY_MS
  const isFound = damaged + outdated > 0 || hasDamagedFiles
  const found = isFound ? { at: checkedAt, damaged, outdated, hasDamagedFiles } : isOld ? null : before
  const unfinished = `${fileOf(dataDir)}.${randomUUID()}`
  writeFileSync(unfinished, JSON.stringify({ checkedAt, found } satisfies CheckReport))
  renameSync(unfinished, fileOf(dataDir))
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'site-check.json')
}
