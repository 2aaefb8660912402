import { relative } from 'node:path'
import { formatMistake } from '../src/content-files/parsing/mistake.ts'
import type { SyncChanges } from '../src/content-files/syncing/apply-plans.ts'
import type { SyncResult } from '../src/content-files/syncing/sync-content.ts'
import type { Db } from '../src/db/schema.ts'
import { describeConditionProblems } from '../src/doctor/check-conditions.ts'
import { Failure } from '../src/lib/messages.ts'
import { contentTexts } from '../src/messages/command-line/content.ts'
import { noteSync } from '../src/publish/plan/unpublished-sync.ts'

interface ReportOptions {
  contentDir: string
  dataDir: string
  dryRun: boolean
}

/**
 * Prints the result of a sync, with conditions that name nothing that exists, and records what is to be published.
 * Conflicts go to stderr, and the returned sentence about them lets the command fail when its work is done. Lists
 * mistakes on stderr and throws.
 */
export async function reportSync(
  db: Db,
  result: SyncResult,
  { contentDir, dataDir, dryRun }: ReportOptions,
): Promise<string | undefined> {
  const folder = relative(process.cwd(), contentDir)
  // Only the admin tells people which version it is about.
  if (result.kind === 'outdated') return undefined
  if (result.kind === 'mistakes') {
    for (const mistake of result.mistakes) process.stderr.write(`${formatMistake(mistake, folder)}\n`)
    throw new Failure(contentTexts, 'mistakes', result.mistakes.length)
  }
  if (result.isSiteChanged && !dryRun) noteSync(dataDir)
  for (const warning of result.warnings)
    process.stderr.write(`${contentTexts.warning(formatMistake(warning, folder))}\n`)
  if (!dryRun) await warnOfConditions(db)
  if (dryRun) listChanges(result.changes)
  console.log((dryRun ? contentTexts.wouldSync : contentTexts.synced)(summaryOf(result.changes)))
  return result.kind === 'conflicts' ? reportConflicts(result) : undefined
}

// Such a condition never holds.
async function warnOfConditions(db: Db): Promise<void> {
  for (const problem of await describeConditionProblems(db))
    process.stderr.write(`${contentTexts.condition(problem)}\n`)
}

function reportConflicts({ conflicts, waiting }: Extract<SyncResult, { kind: 'conflicts' }>): string {
  for (const { path, message } of [...conflicts, ...waiting]) process.stderr.write(`${path}: ${message}\n`)
  return contentTexts.conflicts(conflicts.length, waiting.length)
}

function listChanges({ added, changed, removed, kept }: SyncChanges) {
  for (const [word, paths] of Object.entries({ added, changed, removed, kept })) {
    for (const path of paths) console.log(`${word.padEnd(8)} ${path}`)
  }
}

function summaryOf({ added, changed, removed, kept, locationServices }: SyncChanges): string {
  const changes = { added: added.length, changed: changed.length, removed: removed.length }
  return contentTexts.summary(changes, kept.length, locationServices)
}
