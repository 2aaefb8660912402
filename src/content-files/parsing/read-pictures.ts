import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { sha256Hex } from '../../lib/canonical-json.ts'
import type { FileFault } from '../../messages/files/mistakes.ts'
import {
  MAX_NAME_LENGTH,
  type PictureBytes,
  pictureFacts,
  pictureName,
  stemOfName,
} from '../../pictures/picture.ts'
import { listPictures } from '../../pictures/picture-store.ts'
import { MOST_TIMES_AS_HIGH } from '../../pictures/prepare-picture.ts'
import type { PictureDocument } from '../document.ts'
import { type ContentFile, PICTURES, readContentFile } from './content-folder.ts'
import { parseLocatedYaml } from './located-yaml.ts'
import { type ParsedFile, readWith, unusable } from './parsed-file.ts'

const MOST_BYTES = 15 * 1024 * 1024
const FORMATS = ['jpeg', 'png', 'webp', 'heif', 'avif']
const FACTS = '.yaml'

export interface ReadPictures {
  /** The pictures, each with the details from the file beside it. */
  files: ParsedFile[]
  /** Paths of the pictures by name, because their bytes may not fit into memory. */
  paths: Map<string, string>
  /** Names of all files, including invalid ones, so that an entry that refers to one isn't a second mistake. */
  names: Set<string>
}

/** Reads the pictures of a content folder, or returns the mistakes in their files. */
export async function readPictures(db: Db, contentDir: string): Promise<ReadPictures> {
  const listed = await listNames(join(contentDir, PICTURES))
  if ('code' in listed) return { files: [unusable(PICTURES, 1, listed)], paths: new Map(), names: new Set() }
  const isFacts = (name: string) => name.endsWith(FACTS)
  const [facts, names] = [new Set(listed.filter(isFacts)), listed.filter((name) => !isFacts(name))]
  // Stored bytes were checked before.
  const known = new Set([...(await listPictures(db)).values()].map(({ sha256 }) => sha256))
  const read: ReadPictures = { files: [], paths: new Map(), names: new Set(names.map(pictureName)) }
  for (const name of names) {
    const path = join(contentDir, PICTURES, name)
    const bytes = await readBytes(path, known)
    // `van.jpg.yaml` belongs to that file alone if `van.png` exists too.
    const beside = [`${name}${FACTS}`, `${stemOfName(name)}${FACTS}`].find((one) => facts.has(one))
    const text = beside === undefined ? undefined : await readContentFile(contentDir, `${PICTURES}/${beside}`)
    read.files.push(parsePicture(pictureName(name), bytes, text))
    if (!('code' in bytes)) read.paths.set(pictureName(name), path)
  }
  read.files.push(...factsAlone(facts, names))
  return read
}

/** A picture and the details file beside it, as one content file. */
function parsePicture(
  name: string,
  bytes: PictureBytes | FileFault,
  beside: ContentFile | undefined,
): ParsedFile {
  const path = `${PICTURES}/${name}`
  const facts = readFacts(beside)
  if (name.length > MAX_NAME_LENGTH)
    return unusable(path, 1, { code: 'picture_name_long', params: { max: MAX_NAME_LENGTH } })
  if ('code' in bytes) {
    const broken = unusable(path, 1, bytes)
    return { ...broken, mistakes: [...broken.mistakes, ...facts.mistakes] }
  }
  const document = facts.values && { kind: 'picture' as const, name, bytes, ...facts.values }
  return { path, document, references: [], mistakes: facts.mistakes }
}

type Facts = Omit<PictureDocument, 'kind' | 'name' | 'bytes'>

function readFacts(file: ContentFile | undefined): { values?: Facts; mistakes: ParsedFile['mistakes'] } {
  if (!file) return { values: { alt: null }, mistakes: [] }
  const { path, problem } = file
  if (problem) return { mistakes: [{ path, ...problem }] }
  const read = parseLocatedYaml(file.text, { firstLine: 1 })
  if (read.kind !== 'parsed') return { mistakes: read.mistakes.map((mistake) => ({ path, ...mistake })) }
  const { value, mistakes } = readWith(pictureFacts, read.yaml, { path })
  if (!value) return { mistakes }
  const { alt, focal_point, crop, tags } = value
  const values = {
    alt: alt ?? null,
    ...(focal_point && { focal_point }),
    ...(crop && { crop }),
    ...(tags && tags.length > 0 && { tags }),
  }
  return { values, mistakes }
}

function factsAlone(facts: ReadonlySet<string>, names: readonly string[]): ParsedFile[] {
  const wanted = new Set(names.flatMap((name) => [`${name}${FACTS}`, `${stemOfName(name)}${FACTS}`]))
  return [...facts]
    .filter((name) => !wanted.has(name))
    .map((name) => unusable(`${PICTURES}/${name}`, 1, { code: 'picture_facts_alone' }))
}

// An unreadable folder must not count as empty, because that would remove all pictures from the site.
async function listNames(folder: string): Promise<string[] | FileFault> {
  try {
    const names = await readdir(folder)
    return names.filter((name) => !name.startsWith('.') && name !== 'README.md').sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? [] : { code: 'pictures_unreadable', params: { error: `${code}` } }
  }
}

async function readBytes(path: string, known: ReadonlySet<string>): Promise<PictureBytes | FileFault> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return { code: 'picture_not_a_file' }
  if (found.size > MOST_BYTES) return { code: 'picture_too_large', params: { max: MOST_BYTES / 1024 / 1024 } }
  const bytes = await readFile(path)
  const { default: sharp } = await import('sharp')
  // Sharp throws immediately on an empty file.
  const { format = '', autoOrient } = await Promise.try(() => sharp(bytes).metadata()).catch(() => ({
    format: undefined,
    autoOrient: undefined,
  }))
  if (!autoOrient || !FORMATS.includes(format)) return { code: 'picture_of_no_kind' }
  const sha256 = sha256Hex(bytes)
  const problem = known.has(sha256) ? undefined : await findProblem(bytes, autoOrient)
  return problem ?? { sha256, width: autoOrient.width, height: autoOrient.height, size: bytes.length }
}

/** Finds problems that would make a publish fail when it scales the picture. */
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
