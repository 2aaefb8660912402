import { existsSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Failure } from '../../lib/messages.ts'
import { syncPathSync } from '../../lib/sync-path.ts'
import { publishFailures } from '../../messages/server/publishing.ts'

const KEPT_RELEASES = 5
const UNFINISHED = '.tmp'
const SPARE = '.spare'
const OF_ANOTHER_USER = ['EACCES', 'EPERM']

/** A folder of files that is never edited. `site` is what visitors see; static hosts can serve it unchanged. */
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

/**
 * Returns the release that `DATA_DIR/current` points to; undefined before the first publish or if it is incomplete.
 */
export function findCurrentRelease(dataDir: string): Release | undefined {
  try {
    const release = releaseAt(dataDir, basename(readlinkSync(join(dataDir, 'current'))))
    return existsSync(release.siteDir) ? release : undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code !== 'EINVAL') throw error
    throw new Failure(publishFailures, 'notALink', join(dataDir, 'current'))
  }
}

/** Returns when the current release was started (UTC text); undefined if there is none. */
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

/** Returns when the oldest kept release was started (UTC text); undefined if there is none. */
export async function findOldestReleaseMoment(dataDir: string): Promise<string | undefined> {
  const oldest = (await listReleases(dataDir)).at(-1)
  return oldest && momentOf(oldest.id)
}

const RELEASE_ID = /^\d{8}T\d{9}Z$/

/** A release in progress, named `<id>.tmp` until `finishRelease`. */
export interface UnfinishedRelease extends Release {
  /** The release whose files it contains; undefined if it is empty. */
  spareOf: string | undefined
}

/**
 * Starts a release, reusing the folder of the last discarded one if `mayReuse` allows, or else in an empty folder.
 * IDs are times: later ones sort last, even after the clock is set back.
 */
export async function startRelease(
  dataDir: string,
  { now, mayReuse }: { now: Date; mayReuse: (id: string) => boolean },
): Promise<UnfinishedRelease> {
  const [newest] = await listReleases(dataDir)
  const earliest = newest ? Date.parse(momentOf(newest.id)) + 1 : 0
  const id = new Date(Math.max(now.getTime(), earliest)).toISOString().replace(/[-:.]/g, '')
  return startCopy(dataDir, { id, mayReuse })
}

/** Starts the release with this ID in the same way. */
export async function startCopy(
  dataDir: string,
  { id, mayReuse }: { id: string; mayReuse: (id: string) => boolean },
): Promise<UnfinishedRelease> {
  const unfinished = releaseAt(dataDir, id + UNFINISHED)
  await rm(unfinished.dir, { recursive: true, force: true })
  const spare = (await listSpares(dataDir)).find((one) => mayReuse(one.id))
  if (spare) await rename(spare.dir, unfinished.dir)
  else await mkdir(unfinished.siteDir, { recursive: true })
  return { ...unfinished, id, spareOf: spare?.id }
}

/** Discards a started release. */
export async function abandonRelease(dataDir: string, { dir, spareOf }: UnfinishedRelease): Promise<void> {
  if (spareOf === undefined) await rm(dir, { recursive: true, force: true })
  else await nameSpare(dataDir, { dir }, spareOf)
}

/** Gives a folder with the files of this release to the next publish. */
export async function nameSpare(dataDir: string, { dir }: Pick<Release, 'dir'>, id: string): Promise<void> {
  await rename(dir, releaseAt(dataDir, id + SPARE).dir)
}

/** The folders for the next release, newest first; the ID is that of the release whose files are in it. */
export async function listSpares(dataDir: string): Promise<Release[]> {
  const names = await readdir(join(dataDir, 'releases')).catch(() => [])
  const spares = names
    .filter((name) => name.endsWith(SPARE))
    .sort()
    .reverse()
  return spares.map((name) => ({ ...releaseAt(dataDir, name), id: basename(name, SPARE) }))
}

/** The releases whose folders are there, the one among them that was given up. */
export async function listFolders(dataDir: string): Promise<Release[]> {
  return [...(await listReleases(dataDir)), ...(await listSpares(dataDir))]
}

/** Gives an unfinished release its final name. Everything in it must be on disk already. */
export async function finishRelease(dataDir: string, unfinished: Release): Promise<Release> {
  const release = releaseAt(dataDir, unfinished.id)
  // A release that the ledger no longer knows makes room; its folder is deleted with the leftovers.
  if (existsSync(release.dir)) await rename(release.dir, `${release.dir}.former${UNFINISHED}`)
  await rename(unfinished.dir, release.dir)
  syncPathSync(join(dataDir, 'releases'))
  return release
}

/** Returns whether a release is complete. */
export function hasRelease(dataDir: string, id: string): boolean {
  return RELEASE_ID.test(id) && existsSync(releaseAt(dataDir, id).siteDir)
}

/** Makes a release the current one with a single rename: a reader finds the old release or the new one. */
export async function switchToRelease(dataDir: string, release: Release): Promise<void> {
  const next = join(dataDir, `current.${process.pid}`)
  await rm(next, { force: true })
  await symlink(join('releases', release.id), next)
  await rename(next, join(dataDir, 'current'))
  syncPathSync(dataDir)
}

/**
 * Deletes leftovers of killed publishes and all but the last five releases, never the current one. The last one
 * dropped is kept under another name for `startRelease`. Files of other users stay, such as after a build as root;
 * `npm run doctor` reports them.
 */
export async function removeOldReleases(dataDir: string): Promise<void> {
  const current = findCurrentRelease(dataDir)
  const old = (await listReleases(dataDir)).slice(KEPT_RELEASES).filter(({ id }) => id !== current?.id)
  const spares = await listSpares(dataDir)
  const [newest, ...older] = [...old, ...spares].sort((a, b) => (a.id < b.id ? 1 : -1))
  const names = await readdir(join(dataDir, 'releases')).catch(() => [])
  const leftovers = names.filter((name) => name.endsWith(UNFINISHED)).map((name) => releaseAt(dataDir, name))
  for (const { dir } of [...older, ...leftovers]) removeOwn(dir)
  if (newest && isOwn(newest.dir)) await nameSpare(dataDir, newest, newest.id)
}

function isOwn(dir: string): boolean {
  return statSync(dir).uid === process.geteuid?.()
}

// Not `rm`: with a promise for each of 100,000 files it takes twice as long, and nothing else runs meanwhile.
function removeOwn(dir: string) {
  try {
    rmSync(dir, { recursive: true, force: true })
  } catch (error) {
    if (!OF_ANOTHER_USER.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
