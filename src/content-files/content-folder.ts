import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compareText } from './compare-text.ts'

const READ_AT_ONCE = 64

export interface ContentFile {
  /** Inside the content folder, with `/`: `services/ac-repair.md`. */
  path: string
  text: string
  /** False when bytes of the file are no UTF-8; `text` then has U+FFFD in their place. */
  isUtf8: boolean
}

/**
 * Every file of a content folder with its text, in the order of their paths. Files and folders whose name starts
 * with a dot and `README.md` are left out. Throws when there is no such folder.
 */
export async function readContentFolder(contentDir: string): Promise<ContentFile[]> {
  if (!existsSync(contentDir)) {
    throw new Error(
      `There is no content folder at ${contentDir}; create it, or set CONTENT_DIR to the right one`,
    )
  }
  const paths = (await listFiles(contentDir, '')).sort(compareText)
  const files: ContentFile[] = []
  for (let start = 0; start < paths.length; start += READ_AT_ONCE) {
    const chunk = paths.slice(start, start + READ_AT_ONCE)
    files.push(...(await Promise.all(chunk.map((path) => readContentFile(contentDir, path)))))
  }
  return files
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const lists = entries
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'README.md')
    .map((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      return entry.isDirectory() ? listFiles(root, path) : [path]
    })
  return (await Promise.all(lists)).flat()
}

async function readContentFile(root: string, path: string): Promise<ContentFile> {
  const bytes = await readFile(join(root, path))
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
  return { path, text, isUtf8: isUtf8(bytes) }
}
