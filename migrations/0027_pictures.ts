import { type Kysely, sql } from 'kysely'
import { bytesType, engineOf, nowAsText, tableOptions } from '../src/db/dialects.ts'

/** Pictures of entries, and the theme of the site as colors, fonts and a radius. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table pictures (
    name text primary key,
    sha256 text not null,
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    bytes ${bytesType(engine)} not null,
    updated_at text not null default ${nowAsText(engine)}
  ) ${tableOptions(engine)}`.execute(db)
  for (const type of ['pages', 'services']) await addFields(db, type)
  await startThemeAgain(db)
}

const FIELDS = [
  { key: 'picture', label: 'Picture', type: 'text' },
  { key: 'picture_alt', label: 'What the picture shows', type: 'text' },
]

async function addFields(db: Kysely<unknown>, type: string) {
  const { rows } = await sql<{ schema_json: string }>`select schema_json from content_types
    where slug = ${type} and is_builtin = 1`.execute(db)
  for (const row of rows) {
    const schema: { fields: { key: string }[] } = JSON.parse(row.schema_json)
    const missing = FIELDS.filter(({ key }) => !schema.fields.some((field) => field.key === key))
    const extended = JSON.stringify({ ...schema, fields: [...schema.fields, ...missing] })
    await sql`update content_types set schema_json = ${extended} where slug = ${type}`.execute(db)
  }
}

// Any key was a design token before; none of them had an effect.
async function startThemeAgain(db: Kysely<unknown>) {
  const { rows } = await sql<{
    value_json: string
  }>`select value_json from settings where key = 'site'`.execute(db)
  for (const row of rows) {
    const { theme: _, ...settings } = JSON.parse(row.value_json)
    await sql`update settings set value_json = ${JSON.stringify(settings)} where key = 'site'`.execute(db)
  }
}
