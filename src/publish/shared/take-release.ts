import { appendFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../../files/file-store.ts'
import { Failure } from '../../lib/messages.ts'
import { sharedSiteFailures } from '../../messages/server/shared-site.ts'
import { applyRows, type LedgerRow } from '../ledger/ledger-rows.ts'
import { beginRelease, findBase, knowsRelease, type Ledger, withLedger } from '../ledger/ledger-store.ts'
import { removeFormerLiveContent, startLiveCopy } from '../live/live-content.ts'
import { fillRelease } from '../release/complete-release.ts'
import { flushWhole } from '../release/flush-release.ts'
import { pageFile } from '../release/page-file.ts'
import {
  findCurrentRelease,
  finishRelease,
  hasRelease,
  listFolders,
  releaseAt,
  removeOldReleases,
  startCopy,
} from '../release/release.ts'
import { SiteWriter } from '../release/site-writer.ts'
import { type OpenPart, openReleasePart, type PackedFacts } from './release-pack.ts'
import type { ReleasePart, SharedRelease } from './shared-release-store.ts'

/** A release to build from the store. */
interface Step {
  id: string
  /** The release whose files it builds on; undefined if it contains all files. */
  parentId: string | undefined
  parts: readonly ReleasePart[]
}

interface Taking {
  dataDir: string
  files: FileStore
  /** The releases in the store. */
  releases: readonly SharedRelease[]
}

/**
 * Builds a release from the store on this server, along with those since the last one it has, as a publish would:
 * folder, ledger, and rows. It doesn't become the current one. The caller must hold the folder's lock.
 */
export async function takeRelease(id: string, taking: Taking): Promise<void> {
  const { dataDir } = taking
  await removeOldReleases(dataDir)
  const current = findCurrentRelease(dataDir)
  if (current) removeFormerLiveContent(dataDir, current)
  await withLedger(dataDir, async (ledger) => {
    const isKnown = (one: string) => hasRelease(dataDir, one) && knowsRelease(ledger, one)
    for (const step of planSteps(id, taking.releases, isKnown)) await takeStep(ledger, step, taking)
  })
}

/** Returns the releases to build, in order: starting after one that this server has, or with a complete one. */
function planSteps(id: string, releases: readonly SharedRelease[], isKnown: (id: string) => boolean): Step[] {
  const byId = new Map(releases.map((release) => [release.id, release]))
  const line: SharedRelease[] = []
  let next: string | null = id
  while (next !== null && !isKnown(next)) {
    const release = byId.get(next)
    if (!release) break
    line.push(release)
    next = release.parentId
  }
  const isJoined = next === null || isKnown(next)
  const from = line.findIndex(({ wholeParts, parentId }) => wholeParts || parentId === null)
  if (!isJoined && from < 0) throw new Failure(sharedSiteFailures, 'releaseUnknown', id)
  const steps = isJoined && next !== null ? line : line.slice(0, from + 1)
  return steps.toReversed().map((release, index) => {
    const isFirst = index === 0 && !(isJoined && next !== null)
    const { id: stepId, parts, wholeParts, parentId } = release
    return isFirst
      ? { id: stepId, parentId: undefined, parts: wholeParts ?? parts }
      : { id: stepId, parentId: parentId ?? undefined, parts }
  })
}

async function takeStep(ledger: Ledger, { id, parentId, parts }: Step, taking: Taking): Promise<void> {
  const { dataDir } = taking
  const parent = parentId === undefined ? undefined : releaseAt(dataDir, parentId)
  const facts = findBase(ledger, parent)
  const mayReuse = (spare: string) => parent !== undefined && knowsRelease(ledger, spare)
  const unfinished = await startCopy(dataDir, { id, mayReuse })
  const writing = beginRelease(ledger)
  try {
    const writer = new SiteWriter(unfinished.siteDir)
    const fill = () =>
      fillRelease(unfinished, { ledger, release: parent, facts, writer, stage: { isTouched: () => false } })
    const taken = await takeParts(parts, { ...taking, ledger, writer, id, parentId, fill })
    if (writer.isLarge) await flushWhole(unfinished.dir)
    writer.flush()
    const kept = (await listFolders(dataDir)).map((folder) => folder.id)
    writing.commit({ id, facts: taken.facts }, kept)
    await finishRelease(dataDir, unfinished)
  } finally {
    writing.undo()
  }
}

interface TakingParts extends Taking {
  ledger: Ledger
  writer: SiteWriter
  id: string
  parentId: string | undefined
  /** Adds the parent's files once the rows show what changed. */
  fill: () => void
}

// Rows come before files, and files before the live content.
async function takeParts(parts: readonly ReleasePart[], taking: TakingParts): Promise<PackedFacts> {
  const { ledger, writer, files } = taking
  const gone: string[] = []
  const fill = once(() => {
    taking.fill()
    for (const file of gone) writer.remove(file)
  })
  const addLive = liveAdder(taking)
  let about: PackedFacts | undefined
  for (const one of parts) {
    using part = openReleasePart(await readPart(files, one), one)
    about ??= part.about
    applyRows(ledger, notingGone(part, gone))
    for (const { file, bytes } of part.files()) {
      fill()
      writer.write(file, bytes)
    }
    for (const bytes of part.live()) addLive(bytes, about?.liveFrom ?? 0)
  }
  fill()
  if (!about) throw new Failure(sharedSiteFailures, 'releaseUnknown', taking.id)
  return about
}

/** Returns true if a release can't be taken because its files in the store are missing or damaged. */
export function isLostRelease(error: unknown): boolean {
  const { releaseUnknown, partMissing, partDamaged } = sharedSiteFailures
  const codes = Object.keys({ releaseUnknown, partMissing, partDamaged })
  return error instanceof Failure && codes.includes(error.code)
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

function liveAdder({ dataDir, id, parentId }: TakingParts) {
  let file: string | undefined
  return (bytes: Buffer, from: number) => {
    file ??= startLiveCopy(dataDir, { id, before: parentId, bytes: from })
    if (file) appendFileSync(file, bytes, { flush: true })
  }
}

// Both the parent's files and a reused folder may contain files that are gone.
function* notingGone(part: OpenPart, gone: string[]): Generator<LedgerRow> {
  for (const one of part.rows()) {
    if (one.row === null && one.source === 'pages') gone.push(pageFile(one.key))
    if (one.row === null && one.source === 'files') gone.push(one.key)
    yield one
  }
}

async function readPart(files: FileStore, { key }: ReleasePart): Promise<Buffer> {
  const file = await files.open(key)
  if (!file) throw new Failure(sharedSiteFailures, 'partMissing', key)
  return buffer(file.stream)
}
