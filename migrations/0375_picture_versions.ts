import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

export const contracts = false

/** Makes replaced files the first versions of their pictures: the file together with its details. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await takeOverReplaced(db)
}

interface Replaced {
  picture_id: number
  sha256: string
  width: number
  height: number
  size: number
  crop_json: string | null
  replaced_at: string
  alt: string | null
  focal_json: string | null
  tags_json: string
  created_at: string
}

// A version is saved when the one before it is replaced. Of its details, only the crop was kept.
async function takeOverReplaced(db: Kysely<unknown>) {
  const { rows } = await sql<Replaced>`select v.picture_id, v.sha256, v.width, v.height, v.size, v.crop_json,
    v.replaced_at, p.alt, p.focal_json, p.tags_json, p.created_at
    from picture_versions v join library_pictures p on p.id = v.picture_id order by v.picture_id, v.id`.execute(
    db,
  )
  for (const [index, row] of rows.entries()) {
    const former = rows[index - 1]
    const savedAt = former?.picture_id === row.picture_id ? former.replaced_at : row.created_at
    const json = contentOf(row)
    await sql`insert into content_versions
      (subject_kind, subject_id, state, source, saved_at, content_sha256, content)
      values ('picture', ${row.picture_id}, 'saved', 'unknown', ${savedAt}, ${hash('sha256', json)},
        ${Buffer.from(json)})`.execute(db)
  }
}

// The keys are in alphabetical order, as in other versions.
function contentOf({ alt, crop_json, focal_json, height, sha256, size, tags_json, width }: Replaced): string {
  const crop = crop_json && (JSON.parse(crop_json) as Record<string, number>)
  return JSON.stringify({
    alt,
    crop: crop ? { height: crop.height, width: crop.width, x: crop.x, y: crop.y } : null,
    focalPoint: focal_json ? (JSON.parse(focal_json) as unknown) : null,
    height,
    sha256,
    size,
    tags: JSON.parse(tags_json) as unknown,
    width,
  })
}
