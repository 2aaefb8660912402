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

/** A folder of files that is never edited. `site` is what visitors see; a static host can serve it unchanged. */
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
    return existsSync(release.siteDir) ? release : undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code !== 'EINVAL') throw error
    throw new Failure(publishFailures, 'notALink', join(dataDir, 'current'))
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

/** A release that is being made: named `<id>.tmp` until `finishRelease`. */
export interface UnfinishedRelease extends Release {
  /** The release whose files are in it; undefined when it is empty. */
  spareOf: string | undefined
}

/**
 * Starts a release in the folder of the last one that was given up, if `mayReuse` it, to be brought up to date; else in
 * an empty folder. Ids are moments: later ones sort last, also after the clock was set back.
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

/** Gives up a release of which nothing was made. */
export async function abandonRelease(dataDir: string, { dir, spareOf }: UnfinishedRelease): Promise<void> {
  if (spareOf === undefined) await rm(dir, { recursive: true, force: true })
  else await rename(dir, releaseAt(dataDir, spareOf + SPARE).dir)
}

// Newest first; the id is that of the release that the folder was.
async function listSpares(dataDir: string): Promise<Release[]> {
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

/** Gives an unfinished release its name. Everything in it is on disk before. */
export async function finishRelease(dataDir: string, unfinished: Release): Promise<Release> {
  const release = releaseAt(dataDir, unfinished.id)
  // One that the ledger forgot makes room; its folder is removed with the leftovers.
  if (existsSync(release.dir)) await rename(release.dir, `${release.dir}.former${UNFINISHED}`)
  await rename(unfinished.dir, release.dir)
  syncPathSync(join(dataDir, 'releases'))
  return release
}

/** Returns whether a release is there whole. */
export function hasRelease(dataDir: string, id: string): boolean {
  return RELEASE_ID.test(id) && existsSync(releaseAt(dataDir, id).siteDir)
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
 * Removes what killed publishes left behind and all but the last five releases; never the current one. The last that is
 * given up is kept under another name, for `startRelease`. What another user made stays, as after a build by the
 * superuser: `npm run doctor` names it.
 */
export async function removeOldReleases(dataDir: string): Promise<void> {
  const current = findCurrentRelease(dataDir)
  const old = (await listReleases(dataDir)).slice(KEPT_RELEASES).filter(({ id }) => id !== current?.id)
  const spares = await listSpares(dataDir)
  const [newest, ...older] = [...old, ...spares].sort((a, b) => (a.id < b.id ? 1 : -1))
  const names = await readdir(join(dataDir, 'releases')).catch(() => [])
  const leftovers = names.filter((name) => name.endsWith(UNFINISHED)).map((name) => releaseAt(dataDir, name))
  for (const { dir } of [...older, ...leftovers]) removeOwn(dir)
  if (newest && isOwn(newest.dir)) await rename(newest.dir, releaseAt(dataDir, newest.id + SPARE).dir)
}

function isOwn(dir: string): boolean {
  return statSync(dir).uid === process.geteuid?.()
}

// Not `rm`: its promise for each of 100,000 files takes twice as long, and nothing else is to be done meanwhile.
function removeOwn(dir: string) {
  try {
    rmSync(dir, { recursive: true, force: true })
  } catch (error) {
    if (!OF_ANOTHER_USER.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
