import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { machineOf } from '../publish-lock.ts'
import { findNewestSettledPublish } from '../publish-store.ts'
import { findCurrentRelease, type Release } from '../release/release.ts'
import { readSharedState } from '../shared/shared-release-store.ts'
import type { SitePlace } from '../shared/shared-site.ts'
import { compareObjects, refuseManyRemovals } from './compare-objects.ts'
import { openManifest } from './manifest.ts'
import {
  claimOutlets,
  countAddresses,
  deleteAddresses,
  findOutlet,
  insertAddresses,
  listAddresses,
  type Outlet,
  putOutlet,
  releaseOutlets,
  type ToldName,
} from './outlet-store.ts'
import type { OutletTargets } from './outlet-targets.ts'
import { findDamaged } from './repair-objects.ts'
import { listSiteObjects, type SiteObject } from './site-objects.ts'
import { uploadSite } from './upload-site.ts'

const NOTE_EVERY_MS = 2_000
const FIRST_RETRY_MS = 30_000
const LAST_RETRY_MS = 60 * 60_000
const PROCESS = randomUUID()

/** Options for a run. */
export interface RunOptions {
  now: () => Date
  signal?: AbortSignal | undefined
  /** Runs even if nothing changed or a retry isn't due yet. */
  isForced?: boolean | undefined
  allowRemovals?: boolean | undefined
  /** Compares with the bucket's listing, and uploads whatever is missing or differs. */
  isRepair?: boolean | undefined
  onStep?: ((done: number, total: number) => void) | undefined
}

export interface RunOutcome {
  kind: 'done' | 'idle' | 'busy'
  written: number
  removed: number
  told: Record<ToldName, number>
  /** Objects in the bucket that don't belong to this site. */
  others: number
}

type Means = SitePlace & { db: Kysely<Schema>; targets: OutletTargets }

/** Another process does the work now. */
class ClaimLost extends Error {}

/**
 * Updates the external copies to the live release: uploads what differs, then notifies the CDN and search engines of
 * changed addresses. On a shared site any server may do this, otherwise the machine that published last; one process
 * at a time. Failures are stored and retried.
 */
export async function runOutlets(means: Means, options: RunOptions): Promise<RunOutcome> {
  const { db } = means
  const none = { written: 0, removed: 0, told: { purge: 0, indexnow: 0 }, others: 0 }
  if (!(await claimOutlets(db, PROCESS, { now: options.now() }))) return { kind: 'busy', ...none }
  try {
    const uploaded = await bringUp(means, options)
    const told = { purge: 0, indexnow: 0 }
    for (const name of ['purge', 'indexnow'] as const) told[name] = await tell(means, name, options)
    const isIdle = !uploaded && told.purge + told.indexnow === 0
    return { kind: isIdle ? 'idle' : 'done', ...none, ...uploaded, told }
  } catch (error) {
    if (error instanceof ClaimLost) return { kind: 'busy', ...none }
    throw error
  } finally {
    await releaseOutlets(db, PROCESS)
  }
}

type Uploaded = Pick<RunOutcome, 'written' | 'removed' | 'others'>

async function bringUp(means: Means, options: RunOptions): Promise<Uploaded | undefined> {
  const { db } = means
  const release = findCurrentRelease(means.dataDir)
  const state = await findOutlet(db, 'upload')
  if (!release || !state || !(await isOurs(means, release))) return undefined
  if (!options.isForced && (state.releaseId === release.id || !isDue(state, options.now()))) return undefined
  return keepState(db, state, options, () => upload(means, release, options))
}

// On a shared site, all servers have the live release, or will soon. Otherwise the external copy follows the machine
// that published last.
async function isOurs({ db, dataDir, shared }: Means, release: Release): Promise<boolean> {
  const liveId = shared && (await readSharedState(db)).liveId
  if (liveId !== undefined) return liveId === release.id
  const last = await findNewestSettledPublish(db)
  return !last || (last.machine === machineOf(dataDir) && (last.releaseId ?? release.id) === release.id)
}

function isDue({ status, nextAttemptAt }: Outlet, now: Date): boolean {
  return status !== 'failed' || nextAttemptAt <= now.toISOString()
}

async function upload(means: Means, release: Release, options: RunOptions): Promise<Uploaded> {
  const { db, targets } = means
  const manifest = openManifest(targets.files, targets.place)
  const known = await manifest.read()
  const objects = await listSiteObjects(release, { ...means, texts: targets.texts })
  const repair = options.isRepair && (await findDamaged(targets, objects, { release, known }))
  const before = repair ? repair.hashes : (known ?? new Map<string, string>())
  const changes = compareObjects(before, objects)
  if (!options.allowRemovals) refuseManyRemovals(changes, before)
  const { written, removed } = changes
  const total = written.length + removed.length
  const note = createNotes(db, options, total)
  await note(0)
  const { bucket } = targets
  const keepAddresses = async (trx: Db, keys: readonly string[]) => {
    const addresses = addressesOf(keys, objects, targets.siteUrl)
    if (targets.purge && known) await insertAddresses(trx, 'purge', addresses.purge)
    if (targets.indexNow && known) await insertAddresses(trx, 'indexnow', addresses.indexnow)
  }
  const hashes = await uploadSite({
    ...{ changes, before, objects, manifest, bucket, siteDir: release.siteDir, signal: options.signal },
    onStep: note,
    // An upload that goes on after a failure or a kill no longer knows of these.
    onNoted: (keys) => keepAddresses(db, keys),
  })
  await db.transaction().execute(async (trx) => {
    await keepAddresses(trx, [...written, ...removed])
    const at = options.now().toISOString()
    const ended = { releaseId: release.id, done: total, total, failures: 0, failureMessage: null }
    await putOutlet(trx, 'upload', { status: 'done', updatedAt: at, nextAttemptAt: at, ...ended })
  })
  await manifest.write(hashes)
  return { written: written.length, removed: removed.length, others: repair ? repair.others : 0 }
}

// Reports progress to the admin and renews the claim.
function createNotes(db: Db, { now, onStep }: RunOptions, total: number) {
  let notedAt = Number.NEGATIVE_INFINITY
  return async (done: number) => {
    onStep?.(done, total)
    const moment = now()
    if (moment.getTime() - notedAt < NOTE_EVERY_MS) return
    notedAt = moment.getTime()
    const at = moment.toISOString()
    await renewClaim(db, moment)
    await putOutlet(db, 'upload', { status: 'running', updatedAt: at, nextAttemptAt: at, done, total })
  }
}

// Two processes writing at once would mix pages of two releases.
async function renewClaim(db: Db, now: Date): Promise<void> {
  if (!(await claimOutlets(db, PROCESS, { now }))) throw new ClaimLost()
}

function addressesOf(
  keys: readonly string[],
  objects: ReadonlyMap<string, SiteObject>,
  siteUrl: string,
): Record<ToldName, string[]> {
  const changed = keys.flatMap((key) => objects.get(key) ?? [])
  const visible = changed.flatMap(({ address }) => address ?? [])
  const removed = keys.filter((key) => !objects.has(key))
  const gone = removed.map((key) => (key === 'index.html' ? '/' : `/${key}`))
  const listed = changed.flatMap(({ address, isListed }) => (isListed && address ? address : []))
  const inFull = (paths: readonly string[]) => paths.map((path) => siteUrl + encodeURI(path))
  return { purge: inFull([...visible, ...gone]), indexnow: inFull(listed) }
}

async function tell(means: Means, name: ToldName, options: RunOptions): Promise<number> {
  const { db, targets } = means
  const teller = name === 'purge' ? targets.purge : targets.indexNow
  if (!teller) return 0
  const at = options.now().toISOString()
  const state = (await findOutlet(db, name)) ?? emptyState(name, at)
  const total = await countAddresses(db, name)
  if (total === 0 || (!options.isForced && !isDue(state, options.now()))) return 0
  const told = await keepState(db, state, options, async () => {
    let done = 0
    for (;;) {
      const addresses = await listAddresses(db, name, { limit: teller.most })
      if (addresses.length === 0) break
      options.signal?.throwIfAborted()
      await renewClaim(db, options.now())
      await teller.send(addresses)
      await deleteAddresses(db, name, addresses)
      done += addresses.length
    }
    const ended = { done, total, failures: 0, failureMessage: null }
    await putOutlet(db, name, { status: 'done', updatedAt: at, nextAttemptAt: at, ...ended })
    return done
  })
  return told ?? 0
}

// Stores a failure with the time of the next try. A command also throws it.
async function keepState<T>(
  db: Db,
  { name, failures }: Outlet,
  { now, signal, isForced }: RunOptions,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (signal?.aborted) return undefined
    if (error instanceof ClaimLost) throw error
    const moment = now()
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 10), LAST_RETRY_MS)
    await putOutlet(db, name, {
      status: 'failed',
      updatedAt: moment.toISOString(),
      nextAttemptAt: new Date(moment.getTime() + waitMs).toISOString(),
      failures: failures + 1,
      failureMessage: error instanceof Error ? error.message : String(error),
    })
    if (isForced) throw error
    return undefined
  }
}

function emptyState(name: ToldName, at: string): Outlet {
  const never = { releaseId: null, done: 0, total: 0, failures: 0, failureMessage: null }
  return { name, status: 'done', updatedAt: at, nextAttemptAt: at, ...never }
}
