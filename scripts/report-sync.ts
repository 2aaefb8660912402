import { relative } from 'node:path'
import { formatMistake } from '../src/content-files/mistake.ts'
import type { SyncChanges, SyncResult } from '../src/content-files/sync-content.ts'
import { noteSync } from '../src/publish/unpublished-sync.ts'

/**
 * Prints what a sync did, and remembers what of it is to be published; with mistakes or conflicts it lists them on stderr
 * and throws.
 */
export function reportSync(
  result: SyncResult,
  { contentDir, dataDir, dryRun }: { contentDir: string; dataDir: string; dryRun: boolean },
) {
  const folder = relative(process.cwd(), contentDir)
  if (result.kind === 'mistakes') {
    for (const mistake of result.mistakes) process.stderr.write(`${formatMistake(mistake, folder)}\n`)
    throw new Error(`Nothing was taken over: ${count(result.mistakes.length, 'mistake')} to correct`)
  }
  if (result.kind === 'conflicts') {
    for (const { path, message } of result.conflicts) process.stderr.write(`${path}: ${message}\n`)
    throw new Error(
      `Nothing was taken over: ${count(result.conflicts.length, 'conflict')} to settle with --prefer file or --prefer database`,
    )
  }
  if (result.isSiteChanged && !dryRun) noteSync(dataDir)
  for (const warning of result.warnings) process.stderr.write(`Look at ${formatMistake(warning, folder)}\n`)
  if (dryRun) listChanges(result.changes)
  console.log(`${dryRun ? 'Would be synced' : 'Synced'}: ${summaryOf(result.changes)}`)
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
