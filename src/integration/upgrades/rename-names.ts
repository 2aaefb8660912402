import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'
import { RECORD_FILE } from '../../publish/plan/template-fingerprint.ts'
import type { Renaming } from '../components.ts'

const CONFIGURATION = 'astro.config.mjs'
const SOURCE = /^(?:src|looks)\/.*\.(?:astro|[cm]?[jt]sx?|mdx)$/
// The name of a look's component is that of its file.
const LOOK_PART = /^(looks\/[^/]+\/)(\w+)(\.astro)$/
const CONTENT = /^content\/.*\.(?:md|ya?ml)$/

/**
 * Replaces old names in a site's files, and renames components of its looks. Returns the files that change, by path
 * below its folder; `write` saves them.
 */
export function renameNames(
  siteDir: string,
  renamings: readonly Renaming[],
  { write }: { write: boolean },
): string[] {
  return listFiles(siteDir).filter((file) => {
    const path = join(siteDir, file)
    const text = readFileSync(path, 'utf8')
    const renamed = renamings.reduce((now, renaming) => renameIn(file, now, renaming), text)
    const target = join(siteDir, renamings.reduce(renameLookPart, file))
    if (write && renamed !== text) writeFileSync(path, renamed)
    if (write && target !== path) renameSync(path, target)
    return renamed !== text || target !== path
  })
}

function renameLookPart(file: string, { kind, from, to }: Renaming): string {
  return kind === 'component'
    ? file.replace(LOOK_PART, (whole, folder, name, end) => (name === from ? folder + to + end : whole))
    : file
}

// By path below the site's folder.
function renameIn(file: string, text: string, renaming: Renaming): string {
  const { from, to } = renaming
  if (renaming.kind === 'key') return CONTENT.test(file) ? renameKey(text, renaming, file) : text
  if (renaming.kind === 'export') return SOURCE.test(file) ? renameExport(text, renaming) : text
  if (file === RECORD_FILE) return text.replace(new RegExp(`^  "${from}"(?=:)`, 'm'), `  "${to}"`)
  if (file === CONFIGURATION)
    return text.replace(new RegExp(`\\b${from}(?=\\s*:\\s*['"][^'"\\n]*\\.astro['"])`, 'g'), to)
  return SOURCE.test(file)
    ? text.replaceAll(`signpost/components/${from}.astro`, `signpost/components/${to}.astro`)
    : text
}

function renameKey(text: string, { from, to }: Renaming, file: string): string {
  const [yaml] = file.endsWith('.md') ? (/^---\r?\n.*?^---/ms.exec(text) ?? ['']) : [text]
  const key = new RegExp(`^(\\s*(?:- )*)${from}(?=:(?:\\s|$))`, 'gm')
  return yaml.replace(key, `$1${to}`) + text.slice(yaml.length)
}

// Keeps the old name as an alias within the file, so that no other line changes.
function renameExport(text: string, { module, from, to }: Extract<Renaming, { kind: 'export' }>): string {
  const imports = new RegExp(`\\bimport\\s+(?:type\\s+)?\\{[^}]*\\}\\s+from\\s+['"]${module}['"]`, 'g')
  return text.replace(imports, (statement) =>
    statement
      .replace(new RegExp(`\\b${from}(?=\\s+as\\b)`), to)
      .replace(new RegExp(`(?<!\\bas\\s+)\\b${from}\\b`), `${to} as ${from}`),
  )
}

function listFiles(siteDir: string): string[] {
  const below = ['src', 'looks', 'content'].flatMap((folder) =>
    isMissing(join(siteDir, folder))
      ? []
      : readdirSync(join(siteDir, folder), { recursive: true, encoding: 'utf8' }).map(
          (file) => `${folder}/${file}`,
        ),
  )
  return [
    CONFIGURATION,
    RECORD_FILE,
    ...below.filter((file) => SOURCE.test(file) || CONTENT.test(file)).sort(),
  ].filter((file) => !isMissing(join(siteDir, file)))
}
