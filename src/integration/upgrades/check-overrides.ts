import { join } from 'node:path'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'
import { describeComponentChange, overrideTexts } from '../../messages/command-line/upgrade.ts'
import { COMPONENTS } from '../components.ts'
import { compareComponents, missingProps } from './compare-components.ts'
import { readComponents } from './component-facts.ts'
import type { Replacement } from './list-replacements.ts'
import { overrideProps } from './override-props.ts'
import { readOverrideRecord } from './override-record.ts'

/**
 * Lists problems with components of a site and its looks, with their files: a required prop that nobody passes, or a file written
 * for another version of its original. An override that was never recorded counts as up to date.
 */
export function checkOverrides(siteDir: string, overrides: readonly Replacement[]): string[] {
  const originals = readComponents(PROGRAM_DIR, COMPONENTS)
  const record = readOverrideRecord(siteDir)
  return overrides.flatMap(({ name, file }) => {
    const original = originals.get(name)
    if (!original) return []
    const missing = missingProps(overrideProps(join(siteDir, file), originals), original.props)
    const known = record[name]
    const change = known && compareComponents(known, original)
    return [
      ...missing.map((prop) => overrideTexts.propMissing(file, name, prop)),
      ...(change ? [overrideTexts.outdated(file, name, known.version, describeComponentChange(change))] : []),
    ]
  })
}
