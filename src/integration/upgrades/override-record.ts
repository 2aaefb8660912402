import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isMissing } from '../../lib/is-missing.ts'
import type { ComponentFacts } from './component-facts.ts'

/** Holds, beside `astro.config.mjs`, the version that each override was written for. */
export const RECORD_FILE = 'signpost.overrides.json'

const record = z.record(
  z.string(),
  z.object({ version: z.string(), hash: z.string(), props: z.record(z.string(), z.string()) }),
)

/** Originals of overrides, as of the last look at the override. */
type OverrideRecord = Readonly<Record<string, ComponentFacts & { version: string }>>

/** Returns the record of a site; an empty one where there is none. Throws for a file that is not one. */
export function readOverrideRecord(siteDir: string): OverrideRecord {
  const file = join(siteDir, RECORD_FILE)
  return isMissing(file) ? {} : record.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Writes the record of a site anew. */
export function writeOverrideRecord(siteDir: string, overrides: OverrideRecord): void {
  writeFileSync(join(siteDir, RECORD_FILE), `${JSON.stringify(overrides, undefined, 2)}\n`)
}
