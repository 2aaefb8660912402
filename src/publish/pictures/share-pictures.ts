import { existsSync } from 'node:fs'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inParallel } from '../../lib/background/in-parallel.ts'
import { makeWhole } from '../../lib/files/make-whole.ts'
import {
  PICTURE_HEIGHT,
  PICTURE_WIDTH,
  type ShareDrawing,
  type SharePicture,
} from '../../site/pages/share-picture.ts'
import { listFolders, type Release } from '../release/release.ts'
import { type SiteFiles, takeOver } from '../release/site-writer.ts'
import { drawPicture, familiesOf } from './draw-picture.ts'
import { fontFiles } from './drawing-fonts.ts'

/** They are drawn on their own threads; a few more than there are processors keep all of them busy. */
const DRAWN_AT_ONCE = 4
/** Without dithering, flat colors stay flat. More effort takes seconds for a hundred pictures and saves nothing. */
const PNG = { palette: true, quality: 90, dither: 0, effort: 1 }

/**
 * Adds these pictures to a release. Each is drawn once and kept in `DATA_DIR/share-pictures` under a name derived
 * from its content, for all releases that show it. Another server may have drawn those of the live release.
 */
export async function addPictures(
  pictures: readonly SharePicture[],
  {
    dataDir,
    writer,
    live,
    onPicture,
  }: { dataDir: string; writer: SiteFiles; live?: Release | undefined; onPicture?: (() => void) | undefined },
): Promise<void> {
  const folder = join(dataDir, 'share-pictures')
  const add = async ({ path, drawing }: SharePicture) => {
    const file = path.slice(1)
    const kept = join(folder, file)
    if (!existsSync(kept) && !takeOver(file, { live, kept })) await draw(drawing, kept)
    writer.keep(file, folder)
    onPicture?.()
  }
  await inParallel(pictures, add, { atOnce: DRAWN_AT_ONCE })
}

/** Deletes the pictures that no release shows any more. */
export async function removeUnusedPictures(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'share-pictures')
  const releases = await listFolders(dataDir)
  for (const name of await readdir(join(folder, 'og')).catch(() => [])) {
    const file = join('og', name)
    // Linked under a second name; where links are impossible, a release has a copy.
    if ((await stat(join(folder, file))).nlink > 1) continue
    if (!releases.some(({ siteDir }) => existsSync(join(siteDir, file)))) await rm(join(folder, file))
  }
}

// Renamed once it is complete and on disk, so that a killed publish leaves no partial picture.
async function draw(drawing: ShareDrawing, file: string) {
  const { renderAsync } = await import('@resvg/resvg-js')
  const image = await renderAsync(drawPicture(drawing), {
    font: { loadSystemFonts: false, fontFiles: fontFiles(familiesOf(drawing)), defaultFontFamily: 'Figtree' },
  })
  const png = await toPng(image.pixels)
  await makeWhole(file, (unfinished) => writeFile(unfinished, png, { flush: true }))
}

// A few flat colors with smooth edges: a palette takes a quarter of the bytes of full color.
async function toPng(pixels: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const raw = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT, channels: 4 } as const
  return sharp(pixels, { raw }).png(PNG).toBuffer()
}
