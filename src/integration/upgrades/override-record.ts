import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isMissing } from '../../lib/is-missing.ts'
import type { ComponentFacts } from './component-facts.ts'

/** File beside `astro.config.mjs` with the version that each override was written for. */
export const RECORD_FILE = 'signpost.overrides.json'

const record = z.record(
  z.string(),
  z.object({ version: z.string(), hash: z.string(), props: z.record(z.string(), z.string()) }),
)

/** The originals of overrides, as of the last `--accept`. */
type OverrideRecord = Readonly<Record<string, ComponentFacts & { version: string }>>

/** Returns a site's record; empty if there is none. Throws if the file is invalid. */
export function readOverrideRecord(siteDir: string): OverrideRecord {
  const file = join(siteDir, RECORD_FILE)
  return isMissing(file) ? {} : record.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Rewrites a site's record. */
export function writeOverrideRecord(siteDir: string, overrides: OverrideRecord): void {
  writeFileSync(join(siteDir, RECORD_FILE), `${JSON.stringify(overrides, undefined, 2)}\n`)
}
