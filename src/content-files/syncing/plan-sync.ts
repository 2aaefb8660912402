import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Webhook } from '../../webhooks/definition/webhook.ts'
import type { ContentDocument } from '../document.ts'

/** The hash of a missing row. */
export const ABSENT = 'absent'

/** A hash that no row has: after `--prefer database`, the row always counts as changed in the admin. */
export const PREFERRED = 'preferred'

/** The winner if both the file and the row changed. */
export type Preference = 'file' | 'database'

/** The winner of conflicts: everywhere, or only at the given path. */
export interface Preferring {
  prefer?: Preference | undefined
  /** Syncs only the file at this path. */
  only?: string | undefined
  /** For the entry or the settings at this path: the fields that come from the file. */
  fields?: readonly string[] | undefined
}

export function preferenceAt(path: string, { prefer, only }: Preferring): Preference | undefined {
  return only === undefined || only === path ? prefer : undefined
}

/** A row in its file's form. */
export interface RowDocument {
  document: ContentDocument
  /** A hash of the document and of what a file can't show, such as stored secrets. */
  sha256: string
  /** True if it came with the program, so that it stays when its file is deleted. */
  isBuiltin: boolean
  /** For a form: its stored webhooks with encrypted secrets. */
  webhooks?: Webhook[]
}

/** File, row, and base of one path; each may be missing. */
export interface ThreeSides {
  file?: ContentDocument | undefined
  row?: RowDocument | undefined
  base?: { document: unknown; rowSha256: string } | undefined
}

/**
 * - `write`: the row becomes what the file says
 * - `remove`: the row is removed, because its file was
 * - `agree`: file and row say the same
 * - `keep`: the row stays as a person left it in the admin, deleted ones included
 * - `prefer_row`: as `keep`, decided by `--prefer database`
 * - `forget`: the file is gone, and its row is gone or stays without a file
 * - `merge`: the row becomes what both changed, field by field: see mergeSettings and mergeEntries
 * - `conflict`: both changed, and the row stays until that is resolved
 * - `wait`: the row stays, because the file depends on a conflict
 */
export type Decision =
  | 'write'
  | 'remove'
  | 'agree'
  | 'keep'
  | 'prefer_row'
  | 'forget'
  | 'merge'
  | 'conflict'
  | 'wait'

export interface Rules {
  /** Returns true if the row equals the file, including values from the environment. */
  isSame(file: ContentDocument, row: RowDocument): boolean
  /** Returns true if the row is unchanged since the program added it. */
  isUntouchedSeed(row: RowDocument): boolean
  prefer?: Preference | undefined
}

/** Applies the three-way rule of contract §3 to one path. */
export function decide(sides: ThreeSides, rules: Rules): Decision {
  const { file, row, base } = sides
  if (file && row && rules.isSame(file, row)) return 'agree'
  if (!file && (!row || (base && row.isBuiltin))) return 'forget'
  if (isFileChanged(sides)) return decideChangedFile(sides, rules)
  if (!file || !row || isRowChanged(sides)) return 'keep'
  // Neither side changed but they differ, so a value from the environment did.
  return 'write'
}

function decideChangedFile(sides: ThreeSides, rules: Rules): Decision {
  const { file, row, base } = sides
  const isFresh = row && !base && rules.isUntouchedSeed(row)
  if (!isRowChanged(sides) || isFresh || rules.prefer === 'file') return file ? 'write' : 'remove'
  if (rules.prefer === 'database') return file ? 'prefer_row' : 'forget'
  return 'conflict'
}

function isFileChanged({ file, base }: ThreeSides): boolean {
  return canonicalJson(file ?? null) !== canonicalJson(base?.document ?? null)
}

function isRowChanged({ row, base }: ThreeSides): boolean {
  return (row?.sha256 ?? ABSENT) !== (base?.rowSha256 ?? ABSENT)
}
