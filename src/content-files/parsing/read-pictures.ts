import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { sha256Hex } from '../../lib/canonical-json.ts'
import type { FileFault } from '../../messages/files/mistakes.ts'
import { listPictures, type Picture, pictureName } from '../../site/pictures/picture-store.ts'
import { PICTURES } from './content-folder.ts'
import type { Mistake } from './mistake.ts'

const MOST_BYTES = 15 * 1024 * 1024
const FORMATS = ['jpeg', 'png', 'webp', 'heif', 'avif']
/** WebP holds 16,383 pixels in each direction, and pages show up to 1,600 across. */
const MOST_TIMES_AS_HIGH = 10

export interface PictureFile extends Picture {
  /** Where its bytes are. */
  path: string
}

export interface ReadPictures {
  /** Without their bytes, which may be more than fits into memory. */
  pictures: PictureFile[]
  /** Of every file, the wrong ones too: an entry that names one of these is not a second mistake. */
  names: Set<string>
  mistakes: Mistake[]
}

/** The pictures of a content folder, or what is wrong with their files. */
export async function readPictures(db: Db, contentDir: string): Promise<ReadPictures> {
  const folder = join(contentDir, PICTURES)
  const files = await listNames(folder)
  if ('code' in files)
    return { pictures: [], names: new Set(), mistakes: [{ path: PICTURES, line: 1, fault: files }] }
  // Bytes that are stored were looked at before.
  const known = new Set([...(await listPictures(db)).values()].map(({ sha256 }) => sha256))
  const read: ReadPictures = { pictures: [], names: new Set(files.map(pictureName)), mistakes: [] }
  for (const name of files) {
    const found = await readPicture(folder, name, known)
    if ('code' in found) read.mistakes.push({ path: `${PICTURES}/${name}`, line: 1, fault: found })
    else read.pictures.push(found)
  }
  return read
}

// A folder that cannot be read is not one without pictures: these would be taken off the site.
async function listNames(folder: string): Promise<string[] | FileFault> {
  try {
    const names = await readdir(folder)
    return names.filter((name) => !name.startsWith('.') && name !== 'README.md').sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? [] : { code: 'pictures_unreadable', params: { error: `${code}` } }
  }
}

async function readPicture(
  folder: string,
  name: string,
  known: ReadonlySet<string>,
): Promise<PictureFile | FileFault> {
  const path = join(folder, name)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return { code: 'picture_not_a_file' }
  if (found.size > MOST_BYTES) return { code: 'picture_too_large', params: { max: MOST_BYTES / 1024 / 1024 } }
  const bytes = await readFile(path)
  const { default: sharp } = await import('sharp')
  // Of an empty file sharp throws at once.
  const { format = '', autoOrient } = await Promise.try(() => sharp(bytes).metadata()).catch(() => ({
    format: undefined,
    autoOrient: undefined,
  }))
  if (!autoOrient || !FORMATS.includes(format)) return { code: 'picture_of_no_kind' }
  const sha256 = sha256Hex(bytes)
  const problem = known.has(sha256) ? undefined : await findProblem(bytes, autoOrient)
  return problem ?? { name: pictureName(name), sha256, ...autoOrient, path }
}

/** What would stop the publish that makes smaller ones of the picture. */
async function findProblem(
  bytes: Buffer,
  { width, height }: { width: number; height: number },
): Promise<FileFault | undefined> {
  if (height > width * MOST_TIMES_AS_HIGH)
    return { code: 'picture_too_high', params: { height, width, times: MOST_TIMES_AS_HIGH } }
  const { default: sharp } = await import('sharp')
  try {
    await sharp(bytes).resize({ width: 16 }).raw().toBuffer()
    return undefined
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    return { code: 'picture_cut', params: { reason } }
  }
}
