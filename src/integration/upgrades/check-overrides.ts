import { join, relative, resolve } from 'node:path'
import { PROGRAM_DIR } from '../../lib/program/folders.ts'
import { describeComponentChange, overrideTexts } from '../../messages/command-line/upgrade.ts'
import { COMPONENTS } from '../components.ts'
import { compareComponents, missingProps } from './compare-components.ts'
import { readComponents } from './component-facts.ts'
import { overrideProps } from './override-props.ts'
import { readOverrideRecord } from './override-record.ts'

/**
 * Lists problems with a site's overrides, with their files: a required prop that nobody passes, or a file written
 * for another version of its original. An override that was never recorded counts as up to date.
 */
export function checkOverrides(siteDir: string, overrides: Readonly<Record<string, string>>): string[] {
  const originals = readComponents(PROGRAM_DIR, COMPONENTS)
  const record = readOverrideRecord(siteDir)
  return Object.entries(overrides).flatMap(([name, path]) => {
    const [file, original] = [relative(siteDir, resolve(siteDir, path)), originals.get(name)]
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
