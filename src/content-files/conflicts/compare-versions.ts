import { stringify } from 'yaml'
import { canonicalJson, sha256Hex } from '../../lib/canonical-json.ts'
import type { ContentFileBase } from '../content-file-store.ts'
import type { ContentDocument } from '../document.ts'
import { fileValuesOf } from '../parsing/file-values.ts'
import { changedIn, TEXT } from './changed-fields.ts'
import type { StoredConflict } from './conflict-store.ts'

/** A field that differs between file and admin; empty where one of them lacks it. */
export interface FieldVersions {
  field: string
  admin: string
  file: string
  /** The side that changed it since the last sync. A merge keeps the changes of one side. */
  changedIn: 'admin' | 'file' | 'both'
}

const HIDDEN = '••••'

type Sides = Pick<StoredConflict, 'file' | 'row'> & {
  base?: Pick<ContentFileBase, 'document' | 'rowSha256'> | undefined
}

/**
 * Lists the fields in which the two versions of a conflict differ, in the form of their file. Secrets are not shown.
 * Without a base, and in files that are replaced as a whole, every difference counts as changed on both sides.
 */
export function compareVersions({ file, row, base }: Sides): FieldVersions[] {
  const [given, stored] = [valuesOf(file), valuesOf(row)]
  const fields = [...new Set([...Object.keys(stored), ...Object.keys(given)])]
  return fields
    .filter((field) => !isSame(given[field], stored[field]))
    .map((field) => ({
      ...{ field, admin: textOf(stored[field]), file: textOf(given[field]) },
      changedIn: sideOf(field, { file, row, base }),
    }))
}

function sideOf(field: string, { file, row, base }: Sides): FieldVersions['changedIn'] {
  const former = base?.document as ContentDocument | null | undefined
  if (file?.kind === 'entry' && row?.kind === 'entry') {
    const side = changedIn(field, { file, row, base: former })
    return side === 'none' ? 'both' : side
  }
  // A merge of settings has the same condition.
  const wasAsFile = former?.kind === 'site' && base?.rowSha256 === sha256Hex(canonicalJson(former))
  if (!wasAsFile) return 'both'
  const value = valuesOf(former)[field]
  if (isSame(valuesOf(file)[field], value)) return 'admin'
  return isSame(valuesOf(row)[field], value) ? 'file' : 'both'
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

function valuesOf(document: ContentDocument | null): Record<string, unknown> {
  if (document === null) return {}
  const values = fileValuesOf(document)
  return document.kind === 'entry' && document.body !== '' ? { ...values, [TEXT]: document.body } : values
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : stringify(value).trimEnd()
  return text.replaceAll(/sealed:[^\s"']+/g, HIDDEN)
}
