import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { previewFolder } from '../../publish/previews/preview-folder.ts'
import type { Preview } from '../../publish/previews/preview-store.ts'
import { findCurrentRelease } from '../../publish/release/release.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { siteFile } from '../http/site-path.ts'
import { readStaticFile, type StaticFile } from '../http/static-file.ts'

/** A side of the comparison: the live site, or the next one. */
export type Side = 'old' | 'new'

interface Where {
  dataDir: string
  /** Assets of the templates' bundle. */
  clientDir: string
}

/** Returns the file of an address on one side; undefined when that side has none. */
export async function findShown(
  { tokenSha256: key, releaseId }: Preview,
  { side, path }: { side: Side; path: string },
  { dataDir, clientDir }: Where,
): Promise<StaticFile | undefined> {
  const file = siteFile(path)
  if (file === undefined) return undefined
  const live = findCurrentRelease(dataDir)?.siteDir
  const made = previewFolder(dataDir, { key, releaseId })
  // Another server may have made it: live pages must not be mistaken for new ones.
  if (side === 'new' && !existsSync(made)) return undefined
  const folders = [
    ...(side === 'new' ? [made] : []),
    live,
    ...(path.startsWith('/_astro/') ? [clientDir] : []),
  ]
  const found = await readFirst(folders, file)
  // A removed page is an empty file.
  return found && found.bytes.length > 0 ? found : undefined
}

async function readFirst(folders: readonly (string | undefined)[], file: string) {
  for (const folder of folders) {
    const found = folder === undefined ? undefined : await readStaticFile(join(folder, file))
    if (found) return found
  }
  return undefined
}

const ATTRIBUTE = /(\s(?:href|src|action)=")(\/(?!\/)[^"]*")/g
const SOURCES = /(\ssrcset=")([^"]*)"/g
const SOURCE = /(^|,\s*)(\/(?!\/))/g

/** Returns a page whose links stay on its side; `base` is the address of that side. */
export function keepLinks(html: string, base: string): string {
  return html
    .replace(ATTRIBUTE, (_, name: string, address: string) => `${name}${base}${address}`)
    .replace(SOURCES, (_, name: string, list: string) => `${name}${list.replace(SOURCE, `$1${base}$2`)}"`)
}

/** Returns the policy of a page that is shown in a frame of this site, posts nothing, and reports nothing. */
export function shownPolicy({ policy }: StaticFile, siteUrl: string): string {
  const own =
    policy['content-security-policy'] ??
    Object.fromEntries(securityHeaders({ siteUrl }))['content-security-policy']
  const replaced = /^(?:form-action|connect-src|frame-ancestors|report-uri|report-to) /
  const kept = (own ?? '').split('; ').filter((rule) => !replaced.test(rule))
  return [...kept, "form-action 'none'", "connect-src 'none'", "frame-ancestors 'self'"].join('; ')
}
