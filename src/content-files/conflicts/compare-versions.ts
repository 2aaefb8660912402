import { stringify } from 'yaml'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { ContentDocument } from '../document.ts'
import { fileValuesOf } from '../parsing/file-values.ts'
import type { StoredConflict } from './conflict-store.ts'

/** A field that differs between file and admin; empty where one of them lacks it. */
export interface FieldVersions {
  field: string
  admin: string
  file: string
}

/** The name of an entry's text among its fields. */
export const TEXT = 'text'

const HIDDEN = '••••'

/**
 * Lists the fields in which the two versions of a conflict differ, in the form of their file. Secrets are not shown.
 */
export function compareVersions({ file, row }: Pick<StoredConflict, 'file' | 'row'>): FieldVersions[] {
  const [given, stored] = [valuesOf(file), valuesOf(row)]
  const fields = [...new Set([...Object.keys(stored), ...Object.keys(given)])]
  return fields
    .filter((field) => canonicalJson(given[field] ?? null) !== canonicalJson(stored[field] ?? null))
    .map((field) => ({ field, admin: textOf(stored[field]), file: textOf(given[field]) }))
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
