import { z } from 'zod'
import type { Db } from '../db/schema.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { jsonColumn } from '../lib/json-column.ts'
import { FIELD_TYPE_NAMES, isUpload } from './field-types/field-types.ts'
import { type FieldDefinition, toFormField } from './fields/field-definition.ts'
import { storedValidation } from './fields/field-validation.ts'
import type { FormField } from './form.ts'

const text = z.string().nullable()

// A stored form was valid when it was saved, so it is read back even if the rules have changed.
const fieldsColumn = jsonColumn(
  z.array(
    z.object({
      name: z.string(),
      type: z.enum(FIELD_TYPE_NAMES),
      label: z.string(),
      placeholder: text,
      default_value: text,
      required: z.boolean(),
      options: z.array(z.string()),
      validation: storedValidation,
      help_text: text,
    }),
  ),
)

/**
 * Records the fields as a new version if they differ from the newest one; returns the form's version. Call it
 * in the transaction that saves the fields.
 */
export async function recordFormVersion(
  db: Db,
  formId: number,
  fields: readonly FieldDefinition[],
  { now }: { now: string },
): Promise<number> {
  const newest = await db
    .selectFrom('form_versions')
    .select(['version', 'fields_json'])
    .where('form_id', '=', formId)
    .orderBy('version', 'desc')
    .executeTakeFirst()
  if (newest && canonicalJson(JSON.parse(newest.fields_json)) === canonicalJson(fields)) return newest.version
  const version = (newest?.version ?? 0) + 1
  const row = { form_id: formId, version, fields_json: canonicalJson(fields), created_at: now }
  await db.insertInto('form_versions').values(row).execute()
  await db.updateTable('forms').set({ version }).where('id', '=', formId).execute()
  return version
}

/** Returns the form's fields in that version; undefined if there is no such version. */
export async function findFieldsOfVersion(
  db: Db,
  formId: number,
  version: number,
): Promise<FormField[] | undefined> {
  const row = await db
    .selectFrom('form_versions')
    .select('fields_json')
    .where('form_id', '=', formId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && fieldsColumn.decode(row.fields_json).map(toFormField)
}

/** Identifies a version of a form. */
export interface FormVersion {
  formId: number
  version: number
}

/** Returns the fields of these versions with one query, by `formId version`. Unknown versions are missing. */
export async function listFieldsOfVersions(
  db: Db,
  versions: readonly FormVersion[],
): Promise<Map<string, FormField[]>> {
  if (versions.length === 0) return new Map()
  const rows = await db
    .selectFrom('form_versions')
    .select(['form_id', 'version', 'fields_json'])
    .where(({ eb, or, and }) =>
      or(
        versions.map(({ formId, version }) => and([eb('form_id', '=', formId), eb('version', '=', version)])),
      ),
    )
    .execute()
  return new Map(
    rows.map((row) => [
      `${row.form_id} ${row.version}`,
      fieldsColumn.decode(row.fields_json).map(toFormField),
    ]),
  )
}

/** A version of a form that a newer one replaced. */
export interface FormerVersion {
  fields: FormField[]
  /** UTC text. */
  replacedAt: string
}

/** Returns the fields of a version and when the next one replaced it; undefined for the newest and unknown ones. */
export async function findFormerVersion(
  db: Db,
  formId: number,
  version: number,
): Promise<FormerVersion | undefined> {
  const row = await db
    .selectFrom('form_versions as former')
    .innerJoin('form_versions as next', (join) =>
      join
        .onRef('next.form_id', '=', 'former.form_id')
        .on((on) => on('next.version', '=', on('former.version', '+', 1))),
    )
    .select(['former.fields_json', 'next.created_at as replaced_at'])
    .where('former.form_id', '=', formId)
    .where('former.version', '=', version)
    .executeTakeFirst()
  return row && { fields: fieldsColumn.decode(row.fields_json).map(toFormField), replacedAt: row.replaced_at }
}

/** Lists every field name these forms ever had, in order of appearance, each with all its labels, newest first. */
export async function listFieldLabels(db: Db, formIds: readonly number[]): Promise<Map<string, string[]>> {
  if (formIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('form_versions')
    .select('fields_json')
    .where('form_id', 'in', formIds)
    .orderBy('form_id')
    .orderBy('version')
    .execute()
  const labels = new Map<string, string[]>()
  for (const { name, label } of rows.flatMap((row) => fieldsColumn.decode(row.fields_json))) {
    const older = (labels.get(name) ?? []).filter((other) => other !== label)
    labels.set(name, [label, ...older])
  }
  return labels
}

const UPLOADED = FIELD_TYPE_NAMES.filter((type) => isUpload({ type }))

/** Returns whether any version of the form has a file field. */
export async function hadFileField(db: Db, formId: number): Promise<boolean> {
  const row = await db
    .selectFrom('form_versions')
    .select('version')
    .where('form_id', '=', formId)
    .where(({ eb, or }) => or(UPLOADED.map((type) => eb('fields_json', 'like', `%"type":"${type}"%`))))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
