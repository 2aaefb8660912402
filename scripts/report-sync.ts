import { relative } from 'node:path'
import { formatMistake } from '../src/content-files/parsing/mistake.ts'
import type { SyncChanges } from '../src/content-files/syncing/apply-plans.ts'
import type { SyncResult } from '../src/content-files/syncing/sync-content.ts'
import { noteSync } from '../src/publish/plan/unpublished-sync.ts'

interface ReportOptions {
  contentDir: string
  dataDir: string
  dryRun: boolean
}

/**
 * Prints what a sync did, and remembers what of it is to be published. Conflicts stand on stderr; a sentence about them
 * comes back for the command to fail with when its work is done. With mistakes it lists them on stderr and throws.
 */
export function reportSync(
  result: SyncResult,
  { contentDir, dataDir, dryRun }: ReportOptions,
): string | undefined {
  const folder = relative(process.cwd(), contentDir)
  // Only the admin says which version it is about.
  if (result.kind === 'outdated') return undefined
  if (result.kind === 'mistakes') {
    for (const mistake of result.mistakes) process.stderr.write(`${formatMistake(mistake, folder)}\n`)
    throw new Error(`Nothing was taken over: ${count(result.mistakes.length, 'mistake')} to correct`)
  }
  if (result.isSiteChanged && !dryRun) noteSync(dataDir)
  for (const warning of result.warnings) process.stderr.write(`Look at ${formatMistake(warning, folder)}\n`)
  if (dryRun) listChanges(result.changes)
  console.log(`${dryRun ? 'Would be synced' : 'Synced'}: ${summaryOf(result.changes)}`)
  return result.kind === 'conflicts' ? reportConflicts(result) : undefined
}

function reportConflicts({ conflicts, waiting }: Extract<SyncResult, { kind: 'conflicts' }>): string {
  for (const { path, message } of [...conflicts, ...waiting]) process.stderr.write(`${path}: ${message}\n`)
  const rest = waiting.length > 0 ? ` and ${count(waiting.length, 'file')} that depend on it` : ''
  const them = conflicts.length === 1 ? 'it' : 'them'
  return `Everything was taken over except ${count(conflicts.length, 'conflict')} to settle${rest}. Settle ${them} in the admin at /admin/conflicts, or with --prefer file or --prefer database`
}

function listChanges({ added, changed, removed, kept }: SyncChanges) {
  for (const [word, paths] of Object.entries({ added, changed, removed, kept })) {
    for (const path of paths) console.log(`${word.padEnd(8)} ${path}`)
  }
}

function summaryOf({ added, changed, removed, kept, locationServices }: SyncChanges): string {
  return [
    `${added.length} added, ${changed.length} changed, ${removed.length} removed, ${kept.length} kept`,
    `location services ${locationServices.added} added, ${locationServices.removed} removed`,
  ].join('; ')
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
