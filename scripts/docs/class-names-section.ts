import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const STYLES = fileURLToPath(new URL('../../src/styles', import.meta.url))
const FOLDERS = ['site', 'roles']
/** Described in docs/own-site.md; they change only with a major version. */
const PUBLIC = new Set(['section', 'shell', 'prose', 'tinted', 'button', 'lead'])
const NOT_SELECTORS = /\/\*.*?\*\/|url\([^)]*\)|"[^"]*"/gs
// Positions of a picture's focal point: fx0 to fy10.
const NUMBERED = /^f[xy]\d+$/

/** Lists the class names that the program's stylesheets use and that a site's own components should not. */
export function classNamesSection(): string {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(STYLES, folder)).map((name) => join(STYLES, folder, name)),
  )
  const styles = files.map((file) => readFileSync(file, 'utf8').replace(NOT_SELECTORS, '')).join('\n')
  const names = new Set([...styles.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name))
  const used = [...names].filter((name) => !PUBLIC.has(name) && !NUMBERED.test(name)).sort()
  return `## Class names

Signpost’s stylesheets use these class names, and their rules would apply to your elements too. Give your own classes other names,
such as \`acme-card\`: ${used.map((name) => `\`${name}\``).join(' ')}. These can change in any version.`
}
