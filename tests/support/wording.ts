import assert from 'node:assert/strict'
import { describeFileFault, type FileFault } from '#src/messages/files/mistakes.ts'

/** The code of a fault, with that of the rule inside: `value_wrong/choice`. */
export function codeOf({ code, params }: FileFault): string {
  return params && 'rule' in params ? `${code}/${params.rule.code}` : code
}

/** `services/ac-repair.md:3: what is wrong` */
export function placed({ path, line, fault }: { path: string; line: number; fault: FileFault }): string {
  return `${path}:${line}: ${describeFileFault(fault)}`
}

const SAMPLE = { code: 'not_a_file' } as const

/** Checks how something is said; where messages are shown as their codes, nothing is. */
export function assertSays(text: string, pattern: RegExp): void {
  if (describeFileFault(SAMPLE) !== SAMPLE.code) assert.match(text, pattern)
}

/** The same for what is wrong with a file. */
export function assertTells(mistake: { fault: FileFault } | undefined, pattern: RegExp): void {
  assert.ok(mistake, `no mistake, expected ${pattern}`)
  assertSays(describeFileFault(mistake.fault), pattern)
}
