import { isUtf8 } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findUnusableCharacter } from '../../lib/characters.ts'
import { compareText } from '../../lib/compare-text.ts'

/** A folder of files that are no texts: see readPictures. */
export const PICTURES = 'pictures'
const READ_AT_ONCE = 64
const MOST_BYTES = 32 * 1024 * 1024

export interface ContentFile {
  /** Inside the content folder, with `/`: `services/ac-repair.md`. */
  path: string
  text: string
  /** Why there is no text to go by. */
  problem?: { line: number; message: string }
}

/**
 * Every file of a content folder with its text, in the order of their paths. Files and folders whose name starts
 * with a dot and `README.md` are left out; a link counts as the file it leads to. Throws when there is no such folder.
 */
export async function readContentFolder(contentDir: string): Promise<ContentFile[]> {
  await requireFolder(contentDir)
  const paths = (await listFiles(contentDir, '')).sort(compareText)
  const files: ContentFile[] = []
  for (let start = 0; start < paths.length; start += READ_AT_ONCE) {
    const chunk = paths.slice(start, start + READ_AT_ONCE)
    files.push(...(await Promise.all(chunk.map((path) => readContentFile(contentDir, path)))))
  }
  return files
}

async function requireFolder(contentDir: string) {
  const found = await stat(contentDir).catch(() => undefined)
  if (found?.isDirectory()) return
  throw new Error(
    `There is no content folder at ${contentDir}; create it, or set CONTENT_DIR to the right one`,
  )
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const lists = entries
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'README.md')
    .filter((entry) => folder !== '' || entry.name !== PICTURES)
    .map((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      return entry.isDirectory() ? listFiles(root, path) : [path]
    })
  return (await Promise.all(lists)).flat()
}

/** One file of a content folder. */
// Whatever stands in the folder is looked at before it is opened: to read from a pipe would wait for ever.
export async function readContentFile(root: string, path: string): Promise<ContentFile> {
  const file = join(root, path)
  try {
    const found = await stat(file)
    if (!found.isFile()) return unreadable(path, 'this is no file, expected a text file')
    if (found.size > MOST_BYTES)
      return unreadable(path, `the file has more than ${MOST_BYTES / 1024 / 1024} MB, expected a smaller one`)
    return toContentFile(path, await readFile(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return unreadable(path, 'a link that leads nowhere, expected a text file')
    return unreadable(path, `the file cannot be read (${code}), expected a text file`)
  }
}

function toContentFile(path: string, bytes: Buffer): ContentFile {
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
  if (!isUtf8(bytes)) {
    const message = 'bytes that are no UTF-8, expected the file to be saved as UTF-8'
    return unreadable(path, message, lineAt(text, text.indexOf('\uFFFD')))
  }
  const character = findUnusableCharacter(text)
  if (!character) return { path, text }
  const message = `the character ${character.name}, which no page can show, expected text without it`
  return unreadable(path, message, lineAt(text, character.index))
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function unreadable(path: string, message: string, line = 1): ContentFile {
  return { path, text: '', problem: { line, message } }
}
