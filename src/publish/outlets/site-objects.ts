import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentTypeOf } from '../../lib/files/public-file.ts'
import { shortHash } from '../../site/content/fingerprint.ts'
import { type ReleaseRecords, readRecords } from '../ledger/newest-release.ts'
import { pageFile, pagePath } from '../release/page-file.ts'
import type { Release } from '../release/release.ts'
import { NAMED } from './manifest.ts'

/** An object in a bucket that serves the site. */
export interface SiteObject {
  hash: string
  /** File below `site`; undefined for a text. */
  file?: string
  text?: string
  /** Media type. Default: based on the key's extension. */
  type?: string
  /** Target of a redirect. */
  redirectTo?: string
  /** Address for visitors; undefined if visitors never request it. */
  address?: string
  isListed?: boolean
}

const PAGE = 'text/html; charset=utf-8'
/** Read by other static hosts. */
const FOR_OTHERS = new Set(['_headers', '_redirects'])
// Hosts show these in place of a missing page.
const ERROR_PAGES = /^\/(?:404|410|500)$/

/**
 * Lists a release's objects in a bucket, by key. A page's key is its address, `services/ac-repair`, so that every
 * service serves it without rules; the home page is `index.html`. Moved pages have an object that redirects.
 */
export async function listSiteObjects(
  release: Release,
  { dataDir, texts }: { dataDir: string; texts: ReadonlyMap<string, string> },
): Promise<Map<string, SiteObject>> {
  const records = readRecords(dataDir, release)
  const objects = records ? objectsOf(records) : await objectsInFolder(release.siteDir)
  for (const [key, text] of texts) objects.set(key, { text, hash: shortHash(text), address: `/${key}` })
  for (const [path, to] of await readRedirects(release)) {
    const key = path.slice(1)
    if (!objects.has(key)) objects.set(key, redirectTo(path, to))
  }
  return objects
}

/** Returns the key of a page's address. */
function keyOfPage(path: string): string {
  return path === '/' || ERROR_PAGES.test(path) ? pageFile(path) : path.slice(1)
}

// Hosts read error pages from their files, so those are what a CDN keeps.
function addressOfPage(path: string): string {
  return ERROR_PAGES.test(path) ? `/${pageFile(path)}` : path
}

function objectsOf({ pages, files }: ReleaseRecords): Map<string, SiteObject> {
  const objects = new Map<string, SiteObject>()
  for (const { path, bytesHash: hash, isListed } of pages) {
    const file = pageFile(path)
    const type = file.endsWith('.html') ? { type: PAGE } : {}
    objects.set(keyOfPage(path), { hash, file, address: addressOfPage(path), isListed, ...type })
  }
  for (const { file, hash } of files)
    if (!file.startsWith('../') && !FOR_OTHERS.has(file))
      objects.set(...objectOfFile({ hash: hash || NAMED, file }))
  return objects
}

// An HTML file in a site's `public` folder has an address like a page.
function objectOfFile(object: { hash: string; file: string }): [key: string, SiteObject] {
  const { file } = object
  if (!file.endsWith('.html')) return [file, { ...object, address: `/${file}` }]
  const path = pagePath(file)
  return [keyOfPage(path), { ...object, address: addressOfPage(path), type: PAGE, isListed: false }]
}

// After a rollback or during a publish, the ledger describes another release, so the files are listed instead.
async function objectsInFolder(siteDir: string): Promise<Map<string, SiteObject>> {
  const objects = new Map<string, SiteObject>()
  for (const entry of await readdir(siteDir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name).slice(siteDir.length + 1)
    if (entry.isDirectory() || FOR_OTHERS.has(file)) continue
    objects.set(...objectOfFile({ hash: shortHash(await readFile(join(siteDir, file))), file }))
  }
  return objects
}

async function readRedirects({ dir }: Release): Promise<[path: string, to: string][]> {
  const file = join(dir, 'redirects.map')
  if (!existsSync(file)) return []
  const lines = (await readFile(file, 'utf8')).split('\n')
  return lines.flatMap((line): [string, string][] => {
    const [, path, to] = /^(\/\S+) (\S+);/.exec(line) ?? []
    return path && to ? [[path, to]] : []
  })
}

// S3 websites answer 301 because of the object's header; elsewhere the page itself redirects.
function redirectTo(path: string, to: string): SiteObject {
  const target = to.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const text = `<!doctype html><meta charset="utf-8"><title>${target}</title><link rel="canonical" href="${target}"><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=${target}"><a href="${target}">${target}</a>\n`
  return { text, hash: shortHash(text), type: PAGE, redirectTo: to, address: path }
}

/** Order of an upload: first what pages load, then pages, then what lists pages. */
export function phaseOf(key: string, { type, file }: SiteObject): 0 | 1 | 2 {
  if (type === PAGE) return 1
  return file !== undefined && /text\/plain|application\/xml/.test(contentTypeOf(key)) ? 2 : 0
}
