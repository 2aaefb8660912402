import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_DIR } from './running-site.ts'

/** The pages of the documentation. */
export const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md', 'content/README.md'],
  ...globSync('docs/**/*.md', { cwd: PROJECT_DIR }).sort(),
]

/** Reads a file of the project. */
export function readProject(path: string): string {
  return readFileSync(join(PROJECT_DIR, path), 'utf8')
}

/** Returns a page's prose, without code, URLs, and HTML. */
export function proseOf(page: string): string {
  return readProject(page)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`]*`/g, '…')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/<[^>]*>/g, '')
}
