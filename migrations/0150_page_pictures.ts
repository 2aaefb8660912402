import { type Kysely, sql } from 'kysely'

const FIELDS = [
  { key: 'hero', label: 'Main picture', type: 'picture' },
  { key: 'gallery', label: 'Gallery', type: 'pictures' },
  { key: 'before_picture', label: 'Picture before', type: 'picture' },
  { key: 'after_picture', label: 'Picture after', type: 'picture' },
]

/** A main picture, a gallery, and a picture before and after the work, for services and their places. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const type of ['services', 'location_services']) await addFields(db, type)
}

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
