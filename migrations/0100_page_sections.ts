import { type Kysely, sql } from 'kysely'

const SECTIONS = { key: 'sections', label: 'Sections', type: 'list' }
const POSITION = { key: 'position', label: 'Position in lists', type: 'number' }

/** The order and visibility of sections on a page, and the order of services. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addFields(db, 'services', [SECTIONS, POSITION])
  await addFields(db, 'location_services', [SECTIONS])
}

async function addFields(db: Kysely<unknown>, type: string, fields: { key: string }[]) {
  const { rows } = await sql<{ schema_json: string }>`select schema_json from content_types
    where slug = ${type} and is_builtin = 1`.execute(db)
  for (const row of rows) {
    const schema: { fields: { key: string }[] } = JSON.parse(row.schema_json)
    const missing = fields.filter(({ key }) => !schema.fields.some((field) => field.key === key))
    const extended = JSON.stringify({ ...schema, fields: [...schema.fields, ...missing] })
    await sql`update content_types set schema_json = ${extended} where slug = ${type}`.execute(db)
  }
}
