import { type Kysely, sql } from 'kysely'
import { engineOf, nowAsText, referenceType, tableOptions } from '../src/db/dialects.ts'

/**
 * What a form asked at each time, because static pages may be older than their form. Every form starts at version 1
 * with the fields it has; submissions from before name no version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table form_versions (
    form_id ${referenceType(engine)} not null references forms (id) on delete cascade,
    version integer not null,
    fields_json text not null,
    created_at text not null default ${nowAsText(engine)},
    primary key (form_id, version)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`alter table forms add column version integer not null default 1`.execute(db)
  await sql`alter table form_submissions add column form_version integer`.execute(db)
  await recordFirstVersions(db)
}

interface FieldRow {
  name: string
  type: string
  label: string
  placeholder: string | null
  default_value: string | null
  required: number
  options_json: string | null
  validation_json: string | null
  help_text: string | null
}

async function recordFirstVersions(db: Kysely<unknown>) {
  const forms = await sql<{ id: number }>`select id from forms`.execute(db)
  for (const { id } of forms.rows) {
    const fields =
      await sql<FieldRow>`select name, type, label, placeholder, default_value, required, options_json,
      validation_json, help_text from form_fields where form_id = ${id} order by position, id`.execute(db)
    await sql`insert into form_versions (form_id, version, fields_json)
      values (${id}, 1, ${JSON.stringify(fields.rows.map(toDefinition))})
      on conflict (form_id, version) do nothing`.execute(db)
  }
}

function toDefinition({ required, options_json, validation_json, ...columns }: FieldRow) {
  return {
    ...columns,
    required: required === 1,
    options: JSON.parse(options_json ?? '[]'),
    validation: JSON.parse(validation_json ?? '{}'),
  }
}
