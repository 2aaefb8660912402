import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { makeWhole } from '../../lib/files/make-whole.ts'
import { Failure } from '../../lib/messages.ts'
import { problemTexts } from '../../messages/command-line/problems.ts'
import type { Picture } from '../../pictures/picture.ts'
import { openPictureFiles } from '../../pictures/picture-files.ts'
import { readPictureBytes } from '../../pictures/sweep-pictures.ts'
import type { SiteContent } from '../../site/content/site-content.ts'
import { escapeXml } from '../../site/pages/site-files.ts'
import {
  ICON_WIDTHS,
  type IconSource,
  type IconUse,
  iconPaths,
  iconSource,
} from '../../site/pictures/site-icon.ts'
import type { Release } from '../release/release.ts'
import { type SiteFiles, takeOver } from '../release/site-writer.ts'
import type { SitePlace } from '../shared/shared-site.ts'
import { drawnText, fontFiles } from './drawing-fonts.ts'
import { cropped } from './entry-pictures.ts'

// Home screens round the corners and show transparent parts as black.
const TOUCH_MARGIN = 0.1
const TOUCH_GROUND = '#ffffff'
const NOTHING = { r: 0, g: 0, b: 0, alpha: 0 }

type Site = Pick<SiteContent, 'settings' | 'pictures'>

/** Adds a site's icon to a release. It is kept in `DATA_DIR/site-icons` and drawn only once. */
export async function addSiteIcon(
  db: Db,
  { settings, pictures }: Site,
  { dataDir, shared, writer, live }: SitePlace & { writer: SiteFiles; live?: Release | undefined },
): Promise<void> {
  const source = iconSource(settings, pictures)
  const folder = join(dataDir, 'site-icons')
  const paths = source && iconPaths(source)
  for (const use of Object.keys(ICON_WIDTHS) as IconUse[]) {
    if (!source || !paths) continue
    const file = paths[use].slice(1)
    const kept = join(folder, file)
    if (!existsSync(kept) && !takeOver(file, { live, kept })) {
      const png = await drawIcon(db, { dataDir, shared, source, use })
      await makeWhole(kept, (unfinished) => writeFile(unfinished, png, { flush: true }))
    }
    writer.keep(file, folder)
  }
  const wanted = new Set(Object.values(paths ?? {}).map((path) => basename(path)))
  const kept = join(folder, '_astro')
  for (const name of await readdir(kept).catch(() => [])) if (!wanted.has(name)) await rm(join(kept, name))
}

interface Drawing extends SitePlace {
  source: IconSource
  use: IconUse
}

async function drawIcon(db: Db, { dataDir, shared, source, use }: Drawing): Promise<Buffer> {
  const width = ICON_WIDTHS[use]
  if (source.kind === 'letter') return drawLetter(source, width)
  const { picture } = source
  const bytes = await readPictureBytes(db, openPictureFiles(dataDir, shared?.files), picture.sha256)
  if (!bytes) throw new Failure(problemTexts, 'pictureGone', picture.name)
  return use === 'touch' ? drawTouchIcon(bytes, picture) : drawFavicon(bytes, picture)
}

async function drawFavicon(bytes: Buffer, picture: Picture): Promise<Buffer> {
  const width = ICON_WIDTHS.favicon
  const shown = await cropped(bytes, picture)
  return shown.resize({ width, height: width, fit: 'contain', background: NOTHING }).png().toBuffer()
}

// A mark without a background gets one, with padding.
async function drawTouchIcon(bytes: Buffer, picture: Picture): Promise<Buffer> {
  const width = ICON_WIDTHS.touch
  const shown = await cropped(bytes, picture)
  const { hasAlpha } = await shown.metadata()
  const margin = hasAlpha ? Math.round(width * TOUCH_MARGIN) : 0
  const inner = width - 2 * margin
  return shown
    .flatten({ background: TOUCH_GROUND })
    .resize({ width: inner, height: inner, fit: 'contain', background: TOUCH_GROUND })
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: TOUCH_GROUND })
    .png()
    .toBuffer()
}

async function drawLetter(
  { letter, colors }: Extract<IconSource, { kind: 'letter' }>,
  width: number,
): Promise<Buffer> {
  const { family, text } = drawnText(letter)
  const drawing = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${width}" height="${width}">`,
    `<rect width="100" height="100" fill="${colors.band}"/>`,
    `<text x="50" y="73" text-anchor="middle" font-family="${family}" font-size="66" font-weight="800" fill="${colors.on_band}">`,
    `${escapeXml(text)}</text></svg>`,
  ].join('')
  const { renderAsync } = await import('@resvg/resvg-js')
  const font = { loadSystemFonts: false, fontFiles: fontFiles([family]), defaultFontFamily: family }
  return Buffer.from((await renderAsync(drawing, { font })).asPng())
}
