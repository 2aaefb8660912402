import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

// All that decides how a view becomes HTML. What a page says is in its view, so src/site does not belong here; of
// Markdown the view has the text.
const SOURCES = [
  ...['src/assets', 'src/components', 'src/layouts', 'src/pages', 'src/styles'],
  ...['src/lib/markdown.ts', 'src/server/bundle-entry.ts', 'astro.config.mjs', 'package-lock.json'],
]

/** Changes exactly when a template, style, the configuration or a library changes. 16 hex digits. */
export async function templateFingerprint(projectDir: string): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of await filesBelow(projectDir, source)) {
      hash.update(`${file}\0`).update(await readFile(join(projectDir, file)))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

async function filesBelow(projectDir: string, source: string): Promise<string[]> {
  if (source.includes('.')) return [source]
  const entries = await readdir(join(projectDir, source), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(projectDir.length + 1))
    .sort()
}
