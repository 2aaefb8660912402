import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import type { FileStore } from '../../files/file-store.ts'
import { Failure } from '../../lib/messages.ts'
import { sharedSiteFailures } from '../../messages/server/shared-site.ts'
import { type Ledger, type ReleaseFacts, readFacts } from '../ledger/ledger-store.ts'
import { liveContentFile, sharedBytes } from '../live/live-content.ts'
import type { Release } from '../release/release.ts'
import { hashOf, packRelease } from './release-pack.ts'
import {
  announceRelease,
  countUnready,
  deleteLostServers,
  deleteSharedReleases,
  insertSharedRelease,
  listSharedReleases,
  type ReleasePart,
  type SharedRelease,
  saveWholeParts,
  setLiveRelease,
} from './shared-release-store.ts'
import type { SharedSite } from './shared-site.ts'

/** Releases that can be restored. */
const KEPT_RELEASES = 5
const POLL_MS = 40
/** Minimum time for other servers to prepare a release, plus a rate in bytes per millisecond. */
const READY_WITHIN_MS = 3_000
const BYTES_PER_MS = 5_000
/** Fetching one more file takes a server as long as this many bytes. */
const PART_COSTS_BYTES = 256 * 1024
/** Files without a row belong to a running or killed publish. */
const UNNAMED_MS = 3_600_000
/** Maximum number of releases that a joining server builds one after the other. */
const LONGEST_LINE = 50

interface Sharing {
  dataDir: string
  ledger: Ledger
  release: Release
  facts: ReleaseFacts
  /** The previous release, if it is in the ledger. */
  parent: { release: Release; facts: ReleaseFacts } | undefined
}

/**
 * Puts a finished release into the store and shows it on all servers once each has it. Throws if another server took
 * over; then nothing changed for visitors.
 */
export async function shareRelease(
  db: Db,
  shared: SharedSite,
  { dataDir, ledger, release, facts, parent }: Sharing,
): Promise<void> {
  const { id, siteDir } = release
  const known = await listSharedReleases(db)
  const base = parent && known.some((one) => one.id === parent.release.id) ? parent : undefined
  const liveFrom = base
    ? sharedBytes(dataDir, { release, before: base.release, bytes: base.facts.liveBytes })
    : 0
  const packing = { id, facts, siteDir, liveFile: liveContentFile(dataDir, release) }
  const pack = packRelease(ledger, { ...packing, liveFrom, since: base?.release.id })
  const parts = await storeParts(shared.files, pack, `releases/${id}/${base ? 'new' : 'whole'}`)
  await insertSharedRelease(db, { id, parentId: base?.release.id ?? null, parts })
  await showRelease(db, shared, { id, bytes: sumOf(parts) })
}

/** Shows a release from the store on all servers, once each has it or has had enough time. */
export async function showRelease(
  db: Db,
  { server, owner }: Pick<SharedSite, 'server' | 'owner'>,
  { id, bytes }: { id: string; bytes: number },
): Promise<void> {
  if (!(await announceRelease(db, owner, id))) throw new Failure(sharedSiteFailures, 'tookOver')
  const giveUpAt = performance.now() + READY_WITHIN_MS + bytes / BYTES_PER_MS
  while (performance.now() < giveUpAt && (await countUnready(db, { server, id })) > 0) await delay(POLL_MS)
  if (!(await setLiveRelease(db, owner, id))) throw new Failure(sharedSiteFailures, 'tookOver')
}

async function storeParts(files: FileStore, pack: Iterable<Buffer>, place: string): Promise<ReleasePart[]> {
  const parts: ReleasePart[] = []
  for (const bytes of pack) {
    const key = `${place}-${parts.length}`
    await files.write(key, new Blob([new Uint8Array(bytes)]))
    parts.push({ key, sha256: hashOf(bytes), bytes: bytes.length })
  }
  return parts
}

/**
 * Stores the newest release completely after a full publish, or if that saves a joining server work, and deletes parts
 * that no server needs. If killed, a later publish does it; after a lost release, the next full one.
 */
export async function tidyReleases(
  db: Db,
  { files }: Pick<SharedSite, 'files'>,
  {
    dataDir,
    ledger,
    release,
    full,
  }: Pick<Sharing, 'dataDir' | 'ledger' | 'release'> & { full?: boolean | undefined },
): Promise<void> {
  const facts = readFacts(ledger, release)
  const line = lineOf(release.id, await listSharedReleases(db))
  if (facts && (full || isLong(line))) {
    const { id, siteDir } = release
    const liveFile = liveContentFile(dataDir, release)
    const pack = packRelease(ledger, { id, facts, siteDir, liveFile, liveFrom: 0, since: undefined })
    await saveWholeParts(db, id, await storeParts(files, pack, `releases/${id}/whole`))
  }
  const releases = await listSharedReleases(db)
  const needed = new Set(
    [release.id, ...releases.slice(0, KEPT_RELEASES).map(({ id }) => id)].flatMap((id) =>
      lineOf(id, releases).map((one) => one.id),
    ),
  )
  const old = releases.filter(({ id }) => !needed.has(id)).map(({ id }) => id)
  await deleteSharedReleases(db, old)
  for (const id of old) await files.remove(`releases/${id}`)
  await deleteLostServers(db)
  const kept = new Set(releases.filter(({ id }) => needed.has(id)).map(({ id }) => id))
  for await (const { key, writtenAt } of files.list('releases'))
    if (!kept.has(key.split('/')[1] ?? '') && Date.now() - writtenAt.getTime() > UNNAMED_MS)
      await files.remove(key)
}

/** Returns a release with its parents, up to the first that is stored completely. */
function lineOf(id: string, releases: readonly SharedRelease[]): SharedRelease[] {
  const byId = new Map(releases.map((release) => [release.id, release]))
  const line: SharedRelease[] = []
  for (let next = byId.get(id); next; next = byId.get(next.parentId ?? '')) {
    line.push(next)
    if (next.wholeParts) break
  }
  return line
}

function isLong(line: readonly SharedRelease[]): boolean {
  const whole = line.at(-1)
  if (!whole || line.length <= KEPT_RELEASES) return false
  const added = line.slice(0, -1).flatMap(({ parts }) => parts)
  const cost = sumOf(added) + added.length * PART_COSTS_BYTES
  return line.length > LONGEST_LINE || cost > sumOf(whole.wholeParts ?? whole.parts)
}

function sumOf(parts: readonly ReleasePart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}
