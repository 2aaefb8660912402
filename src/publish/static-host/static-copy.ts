import { constants } from 'node:fs'
import { copyFile, mkdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inParallel } from '../../lib/background/in-parallel.ts'
import { makeFolder } from '../../lib/make-folder.ts'
import { shortHash } from '../../site/content/fingerprint.ts'
import { readNewest } from '../ledger/newest-release.ts'
import { pageFile, pagePath } from '../release/page-file.ts'
import type { Release } from '../release/release.ts'
import { type CopyState, readState, writeState } from './static-copy-state.ts'

const CHANGES = 'changes.json'
const HEADERS = '_headers'
/** Read by static hosts, never requested by visitors. */
const NO_ADDRESSES = new Set([HEADERS, '_redirects'])
const MAPS = ['redirects.map', 'gone.map']
// Marks a file that was about to be written or removed: the next run does it again.
const UNFINISHED = '?'
const COPIES_AT_ONCE = 16

/** Addresses whose response differs from before, as listed in `changes.json`. */
export interface StaticChanges {
  site_url: string
  release: string
  /** The release that the folder contained before; null if it was empty. */
  previous_release: string | null
  added: string[]
  changed: string[]
  removed: string[]
}

interface CopyOptions {
  dataDir: string
  outDir: string
  siteUrl: string
  /** On every response. */
  headers: readonly (readonly [name: string, value: string])[]
  /** Additional files by path, with their text. */
  texts?: ReadonlyMap<string, string>
}

/**
 * Updates `outDir/site` to the newest release for any static host, writing only what differs. Adds `_headers` and
 * `_redirects` for Netlify and Cloudflare Pages, `redirects.map` and `gone.map` beside the site for nginx, and
 * `changes.json` with the addresses to purge. Throws if the folder contains something else.
 */
export async function copyRelease(release: Release, options: CopyOptions): Promise<StaticChanges> {
  const { outDir, siteUrl, headers } = options
  const before = await readState(outDir)
  const texts = new Map([[HEADERS, formatHeaders(headers)], ...(options.texts ?? [])])
  const after = listCopied(options.dataDir)
  for (const [file, text] of texts) after.set(file, { file, hash: shortHash(text) })
  const files = [...after.values()]
  const written = files.filter(({ file, hash }) => before.hashes.get(file) !== hash)
  const removed = [...before.hashes.keys()].filter((file) => !after.has(file))
  const changes = describeChanges(before, { written, removed })
  makeFolder(join(outDir, 'site'))
  await writeState(outDir, release.id, withUnfinished(before, written, removed))
  const copy = async ({ file }: CopiedFile) => {
    const [text, to] = [texts.get(file), join(outDir, 'site', file)]
    await mkdir(dirname(to), { recursive: true })
    if (text !== undefined) await writeFile(to, text)
    else await copyFile(join(release.siteDir, file), to, constants.COPYFILE_FICLONE)
  }
  await inParallel(written, copy, { atOnce: COPIES_AT_ONCE })
  await inParallel(removed, (file) => removeFrom(outDir, file), { atOnce: COPIES_AT_ONCE })
  for (const map of MAPS) await copyFile(join(release.dir, map), join(outDir, map))
  const report = { site_url: siteUrl, release: release.id, previous_release: before.release, ...changes }
  await writeFile(join(outDir, CHANGES), `${JSON.stringify(report, null, 2)}\n`)
  await writeState(outDir, release.id, new Map(files.map(({ file, hash }) => [file, hash])))
  return report
}

interface CopiedFile {
  file: string
  hash: string
}

function listCopied(dataDir: string): Map<string, CopiedFile> {
  const { pages, files } = readNewest(dataDir)
  const copied = [
    ...pages.map(({ path, bytesHash }) => ({ file: pageFile(path), hash: bytesHash })),
    ...files.filter(({ file }) => !file.startsWith('../')).map(({ file, hash }) => ({ file, hash })),
  ]
  return new Map(copied.map((one) => [one.file, one]))
}

function withUnfinished(before: CopyState, written: readonly CopiedFile[], removed: readonly string[]) {
  const hashes = new Map(before.hashes)
  for (const file of [...written.map((one) => one.file), ...removed]) hashes.set(file, UNFINISHED)
  return hashes
}

function describeChanges(
  before: CopyState,
  files: { written: readonly CopiedFile[]; removed: readonly string[] },
) {
  const written = files.written.map(({ file }) => file)
  return {
    added: addressesOf(written.filter((file) => !before.hashes.has(file))),
    changed: addressesOf(written.filter((file) => before.hashes.has(file))),
    removed: addressesOf(files.removed),
  }
}

// As browsers write them.
function addressesOf(files: readonly string[]): string[] {
  const asked = files.filter((file) => !NO_ADDRESSES.has(file))
  return asked.map((file) => encodeURI(pagePath(file))).sort()
}

async function removeFrom(outDir: string, file: string) {
  const site = join(outDir, 'site')
  await rm(join(site, file), { force: true })
  for (let folder = dirname(join(site, file)); folder !== site; folder = dirname(folder)) {
    const isLeft = await rmdir(folder).catch(() => true)
    if (isLeft) return
  }
}

// https://docs.netlify.com/manage/routing/headers and https://developers.cloudflare.com/pages/configuration/headers
function formatHeaders(headers: CopyOptions['headers']): string {
  const lines = headers.map(([name, value]) => `  ${name}: ${value}\n`)
  return `/*\n${lines.join('')}/_astro/*\n  cache-control: public, max-age=31536000, immutable\n`
}
