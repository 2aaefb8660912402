import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { variantsOf } from '../../site/pictures/entry-picture.ts'
import { findPictureBytes, type Picture } from '../../site/pictures/picture-store.ts'
import type { SiteFiles } from '../release/site-writer.ts'

const QUALITY = 78

/**
 * Makes the files of every picture in all its widths. They are kept in `DATA_DIR/entry-pictures` under names that say
 * what they are made of, so a picture is read and made smaller only when it is new; those of pictures that are gone
 * are removed.
 */
export async function makeEntryPictures(
  db: Db,
  { dataDir, pictures }: { dataDir: string; pictures: ReadonlyMap<string, Picture> },
): Promise<void> {
  for (const picture of pictures.values()) await makeMissing(db, picture, keptFolder(dataDir))
  const wanted = new Set(filesOf(pictures).map((file) => basename(file)))
  const kept = join(keptFolder(dataDir), '_astro')
  for (const name of await readdir(kept).catch(() => [])) if (!wanted.has(name)) await rm(join(kept, name))
}

/** Adds them to a release. */
export function addEntryPictures(
  pictures: ReadonlyMap<string, Picture>,
  { dataDir, writer }: { dataDir: string; writer: SiteFiles },
): void {
  for (const file of filesOf(pictures)) writer.keep(file, keptFolder(dataDir))
}

function keptFolder(dataDir: string): string {
  return join(dataDir, 'entry-pictures')
}

// Two names may stand for one picture.
function filesOf(pictures: ReadonlyMap<string, Picture>): string[] {
  const paths = [...pictures.values()].flatMap((picture) =>
    variantsOf(picture).map(({ path }) => path.slice(1)),
  )
  return [...new Set(paths)]
}

async function makeMissing(db: Db, picture: Picture, folder: string) {
  const missing = variantsOf(picture).filter(({ path }) => !existsSync(join(folder, path)))
  const bytes = missing.length > 0 ? await findPictureBytes(db, picture.name) : undefined
  if (!bytes) return
  const { default: sharp } = await import('sharp')
  for (const { path, width } of missing) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await sharp(bytes).autoOrient().resize({ width }).webp({ quality: QUALITY }).toFile(`${file}.tmp`)
    await rename(`${file}.tmp`, file)
  }
}
