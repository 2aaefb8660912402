import { canonicalJson, sha256Hex } from './canonical-json.ts'

/** The outcome of a change: saved, or why not. `Problem` has a path, a code, and parameters. */
export type Outcome<Value, Problem = never, Refusal = never> =
  | { kind: 'saved'; value: Value }
  | { kind: 'invalid'; problems: Problem[] }
  | { kind: 'refused'; code: Refusal }
  /** Another user saved `version` after this user opened the page. */
  | { kind: 'outdated'; version: string }
  | { kind: 'not_found' }

/** Returns a text that differs when the values do. */
export function versionOf(values: unknown): string {
  return sha256Hex(canonicalJson(values))
}

/** Returns the outcome of a change that was based on another version than the stored one; undefined when it was not. */
export function findOutdated(
  version: string,
  basedOn: string | undefined,
): { kind: 'outdated'; version: string } | undefined {
  return basedOn === undefined || basedOn === version ? undefined : { kind: 'outdated', version }
}
