import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { QualitySummary } from '../quality-summary.ts'
import { type Release, releaseFile } from '../release/release.ts'

/** What a release was made of and found, as its `made-of.json` keeps it. */
export interface MadeOf {
  /** Of all content that several pages show, and of the program. */
  content: string
  quality: QualitySummary
}

export function writeMadeOf(release: Pick<Release, 'dir'>, madeOf: MadeOf): void {
  writeFileSync(releaseFile(release, 'made-of.json'), `${JSON.stringify(madeOf)}\n`)
}

/** Undefined for a release of an older program. */
export function readMadeOf(release: Release): MadeOf | undefined {
  const file = releaseFile(release, 'made-of.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
