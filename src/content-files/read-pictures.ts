import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { sha256Hex } from '../lib/canonical-json.ts'
import type { Picture } from '../site/pictures/picture-store.ts'
import { PICTURES } from './content-folder.ts'
import type { Mistake } from './mistake.ts'

const MOST_BYTES = 15 * 1024 * 1024
const FORMATS = ['jpeg', 'png', 'webp', 'heif', 'avif']

export interface ReadPictures {
  pictures: (Picture & { bytes: Buffer })[]
  /** Of every file, the wrong ones too: an entry that names one of these is not a second mistake. */
  names: Set<string>
  mistakes: Mistake[]
}

/** The pictures of a content folder, or what is wrong with their files. */
export async function readPictures(contentDir: string): Promise<ReadPictures> {
  const folder = join(contentDir, PICTURES)
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => !name.startsWith('.') && name !== 'README.md',
  )
  const read: ReadPictures = { pictures: [], names: new Set(names), mistakes: [] }
  for (const name of names.sort()) {
    const found = await readPicture(folder, name)
    if (typeof found === 'string')
      read.mistakes.push({ path: `${PICTURES}/${name}`, line: 1, message: found })
    else read.pictures.push(found)
  }
  return read
}

async function readPicture(folder: string, name: string): Promise<ReadPictures['pictures'][number] | string> {
  const path = join(folder, name)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return 'this is no file, expected a picture'
  if (found.size > MOST_BYTES)
    return `the picture has more than ${MOST_BYTES / 1024 / 1024} MB, expected a smaller one`
  const bytes = await readFile(path)
  const { format = '', autoOrient } = await sharp(bytes)
    .metadata()
    .catch(() => ({ format: undefined, autoOrient: undefined }))
  if (!autoOrient || !FORMATS.includes(format))
    return 'this is no picture that can be read, expected JPEG, PNG, WebP or AVIF'
  return { name, sha256: sha256Hex(bytes), ...autoOrient, bytes }
}
