import type { Insertable, Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../db/schema.ts'
import { fromRow } from '../db/tables/columns.ts'
import { jsonColumn } from '../lib/json-column.ts'
import type { FieldDefinition } from './fields/field-definition.ts'
import { formatOption, parseOption } from './fields/field-option.ts'
import { validationColumn } from './fields/field-validation.ts'
import type { Form, FormField } from './form.ts'
import type { FormDefinition } from './form-definition.ts'
import { settingsColumn } from './form-settings.ts'
import { recordFormVersion } from './form-version-store.ts'

type FormRow = Selectable<Schema['forms']>
type FieldRow = Selectable<Schema['form_fields']>

/** Stored in `options_json` as "label/value" strings (§2.2). */
const optionsColumn = jsonColumn(z.array(z.string()))

/** Returns the form with that slug and its fields, whatever its status. */
export async function findForm(db: Db, slug: string): Promise<Form | undefined> {
  const row = await db.selectFrom('forms').selectAll().where('slug', '=', slug).executeTakeFirst()
  return row && toForm(row, await listFieldRows(db, row.id))
}

/**
 * Returns the form that pages request by that slug. After a rename, pages use the old slug until the next
 * publish, and pages of other websites use it forever. The form is returned under the requested slug.
 */
export async function findFormOfPages(db: Db, slug: string): Promise<Form | undefined> {
  const form = (await findForm(db, slug)) ?? (await findRenamedForm(db, slug))
  return form && { ...form, slug }
}

/** Returns the form that had this slug when its page was last published; undefined if none was published with it. */
export async function findRenamedForm(db: Db, slug: string): Promise<Form | undefined> {
  const published = await db
    .selectFrom('published_addresses')
    .select('page_key')
    .where('path', '=', `/forms/${slug}`)
    .executeTakeFirst()
  const [, id] = /^form:(\d+)$/.exec(published?.page_key ?? '') ?? []
  return id === undefined ? undefined : findFormById(db, Number(id))
}

/** Returns the form with that ID. Throws if there is none. */
export async function getFormById(db: Db, id: number): Promise<Form> {
  const form = await findFormById(db, id)
  if (!form) throw new Error(`There is no form ${id}`)
  return form
}

/** Returns the form with that ID and its fields in one query, because admin pages have a tight query budget. */
export async function findFormById(db: Db, id: number): Promise<Form | undefined> {
  const rows = await db
    .selectFrom('forms')
    .leftJoin('form_fields as field', 'field.form_id', 'forms.id')
    .selectAll('forms')
    .select(['field.id as field_id', 'field.form_id', 'field.position', 'field.type', 'field.label'])
    .select(['field.name as field_name', 'field.placeholder', 'field.default_value', 'field.required'])
    .select(['field.options_json', 'field.validation_json', 'field.help_text'])
    .where('forms.id', '=', id)
    .orderBy('field.position')
    .orderBy('field.id')
    .execute()
  const fields = rows.filter(({ field_id }) => field_id !== null)
  const toFieldRow = ({ field_id, field_name, ...row }: (typeof rows)[number]) =>
    ({ ...row, id: field_id, name: field_name }) as FieldRow
  return rows[0] && toForm(formRowOf(rows[0]), fields.map(toFieldRow))
}

/** Lists every form with its fields, by slug. */
export async function listForms(db: Db): Promise<Form[]> {
  const rows = await db.selectFrom('forms').selectAll().orderBy('slug').execute()
  const fieldRows = Map.groupBy(await listFieldRows(db), (field) => field.form_id)
  return rows.map((row) => toForm(row, fieldRows.get(row.id) ?? []))
}

/**
 * Inserts the form or updates it to match the definition; returns its ID. Fields are matched by name and keep
 * their IDs, fields missing from the definition are deleted, and changed fields make a new version. `now` is
 * UTC text. Without `isBuiltin` or `updatedBy`, an existing form keeps its values (§2.1). Runs several
 * statements: call it in a transaction.
 */
export async function saveForm(
  db: Db,
  slug: string,
  definition: FormDefinition,
  { now, isBuiltin, updatedBy }: { now: string; isBuiltin?: boolean; updatedBy?: number },
): Promise<number> {
  const columns = {
    name: definition.name,
    description: definition.description,
    status: definition.status,
    settings_json: settingsColumn.encode(definition.settings),
    updated_at: now,
    ...(isBuiltin === undefined ? {} : { is_builtin: isBuiltin ? (1 as const) : (0 as const) }),
    ...(updatedBy === undefined ? {} : { updated_by: updatedBy }),
  }
  const { id } = await db
    .insertInto('forms')
    .values({ slug, created_at: now, ...columns })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(columns))
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceFields(db, id, definition.fields)
  await recordFormVersion(db, id, definition.fields, { now })
  return id
}

/** Returns the form as its file would define it; `formDefinitionSchema` accepts it unchanged. */
export function toFormDefinition({ name, description, status, settings, fields }: Form): FormDefinition {
  return { name, description, status, settings, fields: fields.map(toFieldDefinition) }
}

/**
 * Deletes the form with its fields and webhooks. Its submissions stay, without a form (§2.2, §2.3). Built-in
 * forms can't be deleted.
 */
export async function deleteForm(db: Db, id: number): Promise<void> {
  await db.deleteFrom('forms').where('id', '=', id).where('is_builtin', '=', 0).execute()
}

/** Sets the status; any transition is allowed (§3). Returns false if there is no such form. `now` is UTC text. */
export async function setFormStatus(
  db: Db,
  id: number,
  status: Form['status'],
  { now, updatedBy }: { now: string; updatedBy?: number },
): Promise<boolean> {
  const changes = { status, updated_at: now, ...(updatedBy !== undefined && { updated_by: updatedBy }) }
  const result = await db.updateTable('forms').set(changes).where('id', '=', id).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Sets the form's slug, which must be free. Built-in forms keep theirs. Returns false if nothing changed. */
export async function setFormSlug(
  db: Db,
  id: number,
  slug: string,
  { now, updatedBy }: { now: string; updatedBy?: number },
): Promise<boolean> {
  const result = await db
    .updateTable('forms')
    .set({ slug, updated_at: now, ...(updatedBy !== undefined && { updated_by: updatedBy }) })
    .where('id', '=', id)
    .where('is_builtin', '=', 0)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

function listFieldRows(db: Db, formId?: number): Promise<FieldRow[]> {
  const query = db.selectFrom('form_fields').selectAll().orderBy('position').orderBy('id')
  return (formId === undefined ? query : query.where('form_id', '=', formId)).execute()
}

async function replaceFields(db: Db, formId: number, fields: readonly FieldDefinition[]) {
  const names = fields.map(({ name }) => name)
  const outdated = db.deleteFrom('form_fields').where('form_id', '=', formId)
  await (names.length === 0 ? outdated : outdated.where('name', 'not in', names)).execute()
  if (names.length === 0) return
  await db
    .insertInto('form_fields')
    .values(fields.map((field, position) => toFieldRow(formId, field, position)))
    .onConflict((conflict) =>
      conflict.columns(['form_id', 'name']).doUpdateSet((row) => ({
        position: row.ref('excluded.position'),
        type: row.ref('excluded.type'),
        label: row.ref('excluded.label'),
        placeholder: row.ref('excluded.placeholder'),
        default_value: row.ref('excluded.default_value'),
        required: row.ref('excluded.required'),
        options_json: row.ref('excluded.options_json'),
        validation_json: row.ref('excluded.validation_json'),
        help_text: row.ref('excluded.help_text'),
      })),
    )
    .execute()
}

function toFieldRow(
  formId: number,
  field: FieldDefinition,
  position: number,
): Insertable<Schema['form_fields']> {
  const { required, options, validation, ...columns } = field
  return {
    ...columns,
    form_id: formId,
    position,
    required: required ? 1 : 0,
    options_json: options.length === 0 ? null : optionsColumn.encode(options),
    validation_json: Object.keys(validation).length === 0 ? null : validationColumn.encode(validation),
  }
}

// `toForm` copies every column it is given.
function formRowOf({ id, slug, name, description, status, settings_json, ...row }: FormRow): FormRow {
  const { is_builtin, created_at, updated_at, updated_by, version } = row
  const changed = { created_at, updated_at, updated_by, version }
  return { id, slug, name, description, status, settings_json, is_builtin, ...changed }
}

function toForm(row: FormRow, fieldRows: readonly FieldRow[]): Form {
  const { settingsJson, updatedBy: _, ...form } = fromRow(row)
  const settings = settingsJson === null ? {} : settingsColumn.decode(settingsJson)
  return { ...form, settings, fields: fieldRows.map(toField) }
}

function toField(row: FieldRow): FormField {
  return {
    name: row.name,
    // The table's check constraint allows only these twelve types.
    type: row.type as FormField['type'],
    label: row.label,
    placeholder: row.placeholder,
    defaultValue: row.default_value,
    required: row.required === 1,
    options: row.options_json === null ? [] : optionsColumn.decode(row.options_json).map(parseOption),
    validation: row.validation_json === null ? {} : validationColumn.decode(row.validation_json),
    helpText: row.help_text,
  }
}

function toFieldDefinition({ options, defaultValue, helpText, ...field }: FormField): FieldDefinition {
  return {
    ...field,
    default_value: defaultValue,
    options: options.map(formatOption),
    help_text: helpText,
  }
}
