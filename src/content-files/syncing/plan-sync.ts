import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Webhook } from '../../webhooks/definition/webhook.ts'
import type { ContentDocument } from '../document.ts'

/** The hash that stands for a row that does not exist. */
export const ABSENT = 'absent'

/** The hash that no row has: after `--prefer database` whatever the row says counts as changed in the admin. */
export const PREFERRED = 'preferred'

/** The winner when both the file and the row changed. */
export type Preference = 'file' | 'database'

/** The winner of conflicts: everywhere, or only at the given path. */
export interface Preferring {
  prefer?: Preference | undefined
  /** Nothing but the file at this path is taken over. */
  only?: string | undefined
  /** For the entry at this path: the fields that its file decides. */
  fields?: readonly string[] | undefined
}

export function preferenceAt(path: string, { prefer, only }: Preferring): Preference | undefined {
  return only === undefined || only === path ? prefer : undefined
}

/** A row as its file would say it. */
export interface RowDocument {
  document: ContentDocument
  /** A hash of the document and of what a file cannot show, such as stored secrets. */
  sha256: string
  /** Came with the program: it stays when its file goes. */
  isBuiltin: boolean
  /** For a form: its stored webhooks with encrypted secrets. */
  webhooks?: Webhook[]
}

/** File, row and base of one path; each may be missing. */
export interface ThreeSides {
  file?: ContentDocument | undefined
  row?: RowDocument | undefined
  base?: { document: unknown; rowSha256: string } | undefined
}

/**
 * - `write`: the row becomes what the file says
 * - `remove`: the row goes, as its file did
 * - `agree`: file and row say the same
 * - `keep`: the row stays as a person left it in the admin, deleted ones included
 * - `prefer_row`: as `keep`, decided by `--prefer database`
 * - `forget`: the file is gone and its row is gone or stays without it
 * - `merge`: the row becomes what both changed, key by key: see mergeSettings
 * - `conflict`: both changed, and the row stays until that is settled
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
  /** Returns true if the row holds what the file says, values of the environment included. */
  isSame(file: ContentDocument, row: RowDocument): boolean
  /** Returns true if the row is still as the program brought it. */
  isUntouchedSeed(row: RowDocument): boolean
  prefer?: Preference | undefined
}

/** The three-way rule of contract §3 for one path. */
export function decide(sides: ThreeSides, rules: Rules): Decision {
  const { file, row, base } = sides
  if (file && row && rules.isSame(file, row)) return 'agree'
  if (!file && (!row || (base && row.isBuiltin))) return 'forget'
  if (isFileChanged(sides)) return decideChangedFile(sides, rules)
  if (!file || !row || isRowChanged(sides)) return 'keep'
  // Nothing changed and yet they differ: a value of the environment did.
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
