import { isUtf8 } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findUnusableCharacter } from '../../lib/characters.ts'
import { compareText } from '../../lib/compare-text.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import { Failure } from '../../lib/messages.ts'
import { problemTexts } from '../../messages/command-line/problems.ts'
import type { FileFault } from '../../messages/files/mistakes.ts'

/** A folder of non-text files: see readPictures. */
export const PICTURES = 'pictures'
const READ_AT_ONCE = 64
const MOST_BYTES = 32 * 1024 * 1024

export interface ContentFile {
  /** Path inside the content folder, with `/`: `services/ac-repair.md`. */
  path: string
  text: string
  /** Reason why the text could not be read. */
  problem?: { line: number; fault: FileFault }
}

/**
 * Reads every file of a content folder, sorted by path. Leaves out files and folders whose name starts with a dot,
 * and `README.md`. A link counts as its target. Throws if there is no such folder.
 */
export async function readContentFolder(contentDir: string): Promise<ContentFile[]> {
  await requireFolder(contentDir)
  const paths = (await listFiles(contentDir, '')).sort(compareText)
  const files: ContentFile[] = []
  for (const chunk of chunksOf(paths, READ_AT_ONCE)) {
    files.push(...(await Promise.all(chunk.map((path) => readContentFile(contentDir, path)))))
  }
  return files
}

async function requireFolder(contentDir: string) {
  const found = await stat(contentDir).catch(() => undefined)
  if (found?.isDirectory()) return
  throw new Failure(problemTexts, 'contentFolderMissing', contentDir)
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
// Checks the type before opening, because reading from a pipe would wait forever.
export async function readContentFile(root: string, path: string): Promise<ContentFile> {
  const file = join(root, path)
  try {
    const found = await stat(file)
    if (!found.isFile()) return unreadable(path, { code: 'not_a_file' })
    if (found.size > MOST_BYTES)
      return unreadable(path, { code: 'file_too_large', params: { max: MOST_BYTES / 1024 / 1024 } })
    return toContentFile(path, await readFile(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return unreadable(path, { code: 'link_broken' })
    return unreadable(path, { code: 'file_unreadable', params: { error: `${code}` } })
  }
}

function toContentFile(path: string, bytes: Buffer): ContentFile {
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
  if (!isUtf8(bytes)) return unreadable(path, { code: 'not_utf8' }, lineAt(text, text.indexOf('\uFFFD')))
  const character = findUnusableCharacter(text)
  if (!character) return { path, text }
  const fault = { code: 'character_unusable' as const, params: { name: character.name } }
  return unreadable(path, fault, lineAt(text, character.index))
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function unreadable(path: string, fault: FileFault, line = 1): ContentFile {
  return { path, text: '', problem: { line, fault } }
}
