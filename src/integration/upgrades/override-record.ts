import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isMissing } from '../../lib/is-missing.ts'
import { Failure } from '../../lib/messages.ts'
import { integrationTexts } from '../../messages/command-line/integration.ts'
import { RECORD_FILE } from '../../publish/plan/template-fingerprint.ts'
import type { ComponentFacts } from './component-facts.ts'

const record = z.record(
  z.string(),
  z.object({
    version: z.string(),
    hash: z.string(),
    props: z.record(z.string(), z.string()),
    slots: z.array(z.string()).optional(),
  }),
)

/** The originals of overrides, as of the last `--accept`. */
type OverrideRecord = Readonly<Record<string, ComponentFacts & { version: string }>>

/** Returns a site's record; empty if there is none. Throws with the file and the place in it if it is invalid. */
export function readOverrideRecord(siteDir: string): OverrideRecord {
  const file = join(siteDir, RECORD_FILE)
  if (isMissing(file)) return {}
  const text = readFileSync(file, 'utf8')
  const { success, data, error } = record.safeParse(parseJson(text))
  if (success) return data
  const [{ path, message } = { path: [], message: '' }] = error.issues
  throw new Failure(integrationTexts, 'recordInvalid', RECORD_FILE, path.join('.'), message)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    // Without a position, the text ends too early.
    const position = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length)
    const lines = text.slice(0, Math.min(position, text.trimEnd().length)).split('\n')
    const place = `${RECORD_FILE}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`
    throw new Failure(integrationTexts, 'recordUnreadable', place, message.replace(/ at position.*/s, ''))
  }
}

/** Rewrites a site's record. */
export function writeOverrideRecord(siteDir: string, overrides: OverrideRecord): void {
  writeFileSync(join(siteDir, RECORD_FILE), `${JSON.stringify(overrides, undefined, 2)}\n`)
}
