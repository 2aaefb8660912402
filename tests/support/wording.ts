import assert from 'node:assert/strict'
import { describeFileFault, type FileFault } from '#src/messages/files/mistakes.ts'

/** Returns the code of a fault, with that of its inner rule: `value_wrong/choice`. */
export function codeOf({ code, params }: FileFault): string {
  return params && 'rule' in params ? `${code}/${params.rule.code}` : code
}

/** `services/ac-repair.md:3: what is wrong` */
export function placed({ path, line, fault }: { path: string; line: number; fault: FileFault }): string {
  return `${path}:${line}: ${describeFileFault(fault)}`
}

const SAMPLE = { code: 'not_a_file' } as const

/** Checks a wording; does nothing if messages are shown as codes. */
export function assertSays(text: string, pattern: RegExp): void {
  if (describeFileFault(SAMPLE) !== SAMPLE.code) assert.match(text, pattern)
}

/** Does the same for a mistake in a file. */
export function assertTells(mistake: { fault: FileFault } | undefined, pattern: RegExp): void {
  assert.ok(mistake, `no mistake, expected ${pattern}`)
  assertSays(describeFileFault(mistake.fault), pattern)
}
