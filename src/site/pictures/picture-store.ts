import type { Db } from '../../db/schema.ts'

/** A picture that entries may name, without its bytes. */
export interface Picture {
  name: string
  sha256: string
  /** In pixels, as it is looked at. */
  width: number
  height: number
}

/** A name as pictures are known by: some machines write `é` in a file's name as two characters, and people as one. */
export function pictureName(text: string): string {
  return text.normalize('NFC')
}

/** Every picture by its name. */
export async function listPictures(db: Db): Promise<Map<string, Picture>> {
  const columns = ['name', 'sha256', 'width', 'height'] as const
  const rows = await db.selectFrom('pictures').select(columns).orderBy('name').execute()
  return new Map(rows.map((row) => [row.name, row]))
}

/** The bytes of a picture as they were handed in. */
export async function findPictureBytes(db: Db, name: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('pictures').select('bytes').where('name', '=', name).executeTakeFirst()
  return row && Buffer.from(row.bytes)
}

export async function savePicture(
  db: Db,
  { name, ...picture }: Picture & { bytes: Uint8Array },
  { now }: { now: string },
): Promise<void> {
  const saved = { ...picture, updated_at: now }
  await db
    .insertInto('pictures')
    .values({ name, ...saved })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(saved))
    .execute()
}

export async function deletePictures(db: Db, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.deleteFrom('pictures').where('name', 'in', names).execute()
}
