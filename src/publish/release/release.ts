import { existsSync, readlinkSync, rmSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { syncPathSync } from '../../lib/sync-path.ts'
import { type PageRecord, readRecords } from '../plan/page-record.ts'

const KEPT_RELEASES = 5
const UNFINISHED = '.tmp'
const OF_ANOTHER_USER = ['EACCES', 'EPERM']

/**
 * `pages.tsv`: its pages. `sources.tsv`: what several of them are made of. `changes.tsv`: how its pages differ from the
 * release before. `former.tsv`: addresses that pages say they had before, or imply. `quality.jsonl`: what is new about
 * the quality of pages. `pictures.jsonl`: what is drawn for where pages are shared. `ranges.jsonl`: which pages came from
 * which entries.
 */
export type ReleaseFile =
  | 'pages.tsv'
  | 'sources.tsv'
  | 'changes.tsv'
  | 'former.tsv'
  | 'quality.jsonl'
  | 'pictures.jsonl'
  | 'ranges.jsonl'
  | 'made-of.json'

const MANIFEST: ReleaseFile = 'pages.tsv'

/** A folder of files that nobody edits. `site` is what visitors see and what a static host can serve as it is. */
export interface Release {
  id: string
  dir: string
  siteDir: string
}

/** `DATA_DIR/releases/<id>` */
export function releaseAt(dataDir: string, id: string): Release {
  const dir = join(dataDir, 'releases', id)
  return { id, dir, siteDir: join(dir, 'site') }
}

/** The release that `DATA_DIR/current` points to; undefined before the first publish, or when it is not there whole. */
export function findCurrentRelease(dataDir: string): Release | undefined {
  try {
    const release = releaseAt(dataDir, basename(readlinkSync(join(dataDir, 'current'))))
    return existsSync(join(release.dir, MANIFEST)) ? release : undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code !== 'EINVAL') throw error
    throw new Error(`${join(dataDir, 'current')} is not a link to a release; move it away and build again`)
  }
}

/** When the current release was begun (UTC text), or undefined when there is none. */
export function findReleaseMoment(dataDir: string): string | undefined {
  const release = findCurrentRelease(dataDir)
  return release && momentOf(release.id)
}

function momentOf(id: string): string {
  return id.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)(\d{3}Z)$/, '$1-$2-$3:$4:$5.$6')
}

/** The finished releases, newest first. */
export async function listReleases(dataDir: string): Promise<Release[]> {
  const names = await readdir(join(dataDir, 'releases')).catch(() => [])
  return names
    .filter((name) => RELEASE_ID.test(name))
    .sort()
    .reverse()
    .map((id) => releaseAt(dataDir, id))
}

/** When the oldest kept release was begun (UTC text); undefined when there is none. */
export async function findOldestReleaseMoment(dataDir: string): Promise<string | undefined> {
  const oldest = (await listReleases(dataDir)).at(-1)
  return oldest && momentOf(oldest.id)
}

const RELEASE_ID = /^\d{8}T\d{9}Z$/

/**
 * Starts an empty release. It is named `<id>.tmp` until `finishRelease`. Ids are moments: later ones sort last, also
 * after the clock was set back.
 */
export async function startRelease(dataDir: string, { now }: { now: Date }): Promise<Release> {
  const [newest] = await listReleases(dataDir)
  const earliest = newest ? Date.parse(momentOf(newest.id)) + 1 : 0
  const id = new Date(Math.max(now.getTime(), earliest)).toISOString().replace(/[-:.]/g, '')
  const unfinished = releaseAt(dataDir, id + UNFINISHED)
  await rm(unfinished.dir, { recursive: true, force: true })
  await mkdir(unfinished.siteDir, { recursive: true })
  return { ...unfinished, id }
}

/** Gives an unfinished release its name. Everything in it is on disk before. */
export async function finishRelease(dataDir: string, unfinished: Release): Promise<Release> {
  const release = releaseAt(dataDir, unfinished.id)
  await rename(unfinished.dir, release.dir)
  syncPathSync(join(dataDir, 'releases'))
  return release
}

/** Makes a release the current one. The switch is one rename: a reader finds the old release or the new one. */
export async function switchToRelease(dataDir: string, release: Release): Promise<void> {
  const next = join(dataDir, `current.${process.pid}`)
  await rm(next, { force: true })
  await symlink(join('releases', release.id), next)
  await rename(next, join(dataDir, 'current'))
  syncPathSync(dataDir)
}

/**
 * Removes what killed publishes left behind and all but the last five releases; never the current one. What another user
 * made stays, as after a build by the superuser: `npm run doctor` names it.
 */
export async function removeOldReleases(dataDir: string): Promise<void> {
  const current = findCurrentRelease(dataDir)
  const old = (await listReleases(dataDir)).slice(KEPT_RELEASES).filter(({ id }) => id !== current?.id)
  const names = await readdir(join(dataDir, 'releases')).catch(() => [])
  const leftovers = names.filter((name) => name.endsWith(UNFINISHED)).map((name) => releaseAt(dataDir, name))
  for (const { dir } of [...old, ...leftovers]) removeOwn(dir)
}

// Not `rm`: its promise for each of 100,000 files takes twice as long, and nothing else is to be done meanwhile.
function removeOwn(dir: string) {
  try {
    rmSync(dir, { recursive: true, force: true })
  } catch (error) {
    if (!OF_ANOTHER_USER.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** The pages of a release, in the order in which they were listed. */
export function readPages(release: Release): Generator<PageRecord> {
  return readRecords(releaseFile(release, 'pages.tsv'))
}

/** The file of that name that a release keeps beside its site. */
export function releaseFile({ dir }: Pick<Release, 'dir'>, name: ReleaseFile): string {
  return join(dir, name)
}

/** Copies the bundle's assets into a release; those of the admin stay behind. */
export async function copyAssets(clientDir: string, release: Release): Promise<void> {
  const filter = (source: string) => basename(source) !== '_admin'
  await cp(clientDir, release.siteDir, { recursive: true, filter })
}
