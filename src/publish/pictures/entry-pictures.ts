import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Sharp } from 'sharp'
import type { Db } from '../../db/schema.ts'
import { makeWhole } from '../../lib/files/make-whole.ts'
import { Failure } from '../../lib/messages.ts'
import { problemTexts } from '../../messages/command-line/problems.ts'
import { oneAtATime } from '../../pictures/one-at-a-time.ts'
import type { Picture } from '../../pictures/picture.ts'
import { openPictureFiles } from '../../pictures/picture-files.ts'
import { readPictureBytes } from '../../pictures/sweep-pictures.ts'
import { thumbnailsFolder } from '../../pictures/thumbnails.ts'
import { ENDINGS, variantsOf } from '../../site/pictures/entry-picture.ts'
import { listFilesBelow } from '../ledger/file-store.ts'
import type { Ledger } from '../ledger/ledger-store.ts'
import type { Release } from '../release/release.ts'
import { type SiteFiles, takeOver } from '../release/site-writer.ts'
import type { SitePlace } from '../shared/shared-site.ts'

const WEBP = { quality: 78 }
/** Half the bytes of WebP. Higher effort takes seconds to save a few hundred bytes. */
const AVIF = { quality: 52, effort: 2 }

const ENTRY_PICTURES = '_astro/picture-'

/** The folders of pictures, and the live release, whose pictures another server may have made. */
interface MakingPlace extends SitePlace {
  live?: Release | undefined
}

/** The pictures of pages, by name. */
type Pictures = ReadonlyMap<string, Picture>

/**
 * Makes the files of these pictures in all widths. They are kept in `DATA_DIR/entry-pictures` under names derived
 * from their content, so each picture is processed only when a page shows it for the first time. Another server may
 * have made those of the live release.
 */
export async function makeEntryPictures(
  db: Db,
  { pictures, onPicture, ...place }: MakingPlace & { pictures: Pictures; onPicture?: () => void },
): Promise<void> {
  for (const picture of pictures.values()) {
    await makeVariants(db, { ...place, picture })
    onPicture?.()
  }
}

/** Deletes the cached files of pictures that are no longer in the library. */
export async function removeFormerPictures(dataDir: string, library: Pictures): Promise<void> {
  const wanted = new Set(filesOf(library).map((file) => basename(file)))
  const kept = join(keptFolder(dataDir), '_astro')
  for (const name of await readdir(kept).catch(() => [])) if (!wanted.has(name)) await rm(join(kept, name))
}

/** Adds them to a release. */
export function addEntryPictures(
  pictures: Pictures,
  { dataDir, writer }: { dataDir: string; writer: SiteFiles },
): void {
  for (const file of filesOf(pictures)) writer.keep(file, keptFolder(dataDir))
}

/** Lists the files of a release whose pictures no page shows any more. */
export function listUnusedFiles(ledger: Ledger, shown: Pictures): string[] {
  const files = listFilesBelow(ledger, ENTRY_PICTURES)
  if (files.length === 0) return []
  const wanted = new Set(filesOf(shown))
  return files.filter((file) => !wanted.has(file))
}

function keptFolder(dataDir: string): string {
  return join(dataDir, 'entry-pictures')
}

// Two names may refer to the same picture.
function filesOf(pictures: Pictures): string[] {
  const paths = [...pictures.values()].flatMap((picture) =>
    ENDINGS.flatMap((ending) => variantsOf(picture, ending).map(({ path }) => path.slice(1))),
  )
  return [...new Set(paths)]
}

async function makeVariants(db: Db, { dataDir, shared, picture, live }: MakingPlace & { picture: Picture }) {
  const folder = keptFolder(dataDir)
  const missing = ENDINGS.flatMap((ending) =>
    variantsOf(picture, ending)
      .filter(({ path }) => {
        const kept = join(folder, path)
        return !existsSync(kept) && !takeOver(path.slice(1), { live, kept })
      })
      .map((variant) => ({ ...variant, ending })),
  )
  if (missing.length === 0) return
  const bytes = await readPictureBytes(db, openPictureFiles(dataDir, shared?.files), picture.sha256)
  if (!bytes) throw new Failure(problemTexts, 'pictureGone', picture.name)
  for (const { path, width, ending } of missing)
    await draw(await cropped(bytes, picture), { file: join(folder, path), width, ending })
}

interface Drawing {
  file: string
  width: number
  ending: (typeof ENDINGS)[number]
}

async function draw(image: Sharp, { file, width, ending }: Drawing) {
  const small = image.resize({ width })
  const encoded = ending === 'avif' ? small.avif(AVIF) : small.webp(WEBP)
  await makeWhole(file, (unfinished) => encoded.toFile(unfinished))
}

/**
 * Returns a file of one of these pictures by its name on pages, making it if no publish has; stored apart from those
 * of publishes. Undefined if the file belongs to none of them.
 */
export async function makeVariant(
  db: Db,
  { dataDir, shared, pictures, name }: SitePlace & { pictures: readonly Picture[]; name: string },
): Promise<string | undefined> {
  const variants = pictures.flatMap((picture) =>
    ENDINGS.flatMap((ending) =>
      variantsOf(picture, ending).map((variant) => ({ ...variant, ending, picture })),
    ),
  )
  const found = variants.find(({ path }) => path === `/_astro/${name}`)
  if (!found) return undefined
  const published = join(keptFolder(dataDir), found.path)
  const previewed = join(thumbnailsFolder(dataDir), name)
  const known = [published, previewed].find((file) => existsSync(file))
  if (known) return known
  return oneAtATime(async () => {
    const bytes = await readPictureBytes(db, openPictureFiles(dataDir, shared?.files), found.picture.sha256)
    if (!bytes) return undefined
    await draw(await cropped(bytes, found.picture), { ...found, file: previewed })
    return previewed
  })
}

/** The visible part of a picture, upright. */
export async function cropped(bytes: Buffer, { crop, width, height }: Picture): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  const upright = sharp(bytes).autoOrient()
  if (!crop) return upright
  const [left, top] = [Math.floor(crop.x * width), Math.floor(crop.y * height)]
  const [right, bottom] = [(crop.x + crop.width) * width, (crop.y + crop.height) * height]
  const size = {
    width: Math.min(width, Math.round(right)) - left,
    height: Math.min(height, Math.round(bottom)) - top,
  }
  return upright.extract({ left, top, ...size })
}
