import type { AstroGlobal } from 'astro'
import { appOf, readId } from '#src/admin/kit/page-context.ts'
import type { Db } from '#src/db/schema.ts'
import { writeContent } from '#src/versions/packed-content.ts'
import type { Subject, Version } from '#src/versions/version.ts'
import {
  findDraft,
  findVersion,
  listVersionContents,
  type StoredVersion,
} from '#src/versions/version-store.ts'
import { loadMarks, type VersionMark } from './mark-versions.ts'
import type { DescribedChange, Versioned } from './versioned.ts'

type Context = Pick<AstroGlobal, 'params' | 'locals' | 'url'>

const PAGE_SIZE = 25
/** Pages of versions to read at once for a part, which most versions may not have changed. */
const PAGES_READ = 20

/** A version in the list, with its changes. */
export interface ListedVersion {
  version: Version
  mark: VersionMark | undefined
  /** True if it is the saved content, which can’t be restored. */
  isCurrent: boolean
  /** The labels of what differs from the previous version; undefined for the first one. */
  changed: string[] | undefined
}

/**
 * A part of the version list, newest first, without former versions that changed nothing. `older` is where the next
 * part starts.
 */
export async function loadVersions(
  context: Context,
  versioned: Versioned,
): Promise<{ listed: ListedVersion[]; older: number | undefined }> {
  const { db } = appOf(context)
  const before = readId(context.url.searchParams.get('before')) || undefined
  let { listed, older } = await loadPart(db, versioned, before)
  if (!versioned.isPart) return { listed: listed.filter(isListed), older }
  const read = [...listed]
  listed = listOfPart(read)
  for (let count = 1; count < PAGES_READ && older !== undefined && listed.length < PAGE_SIZE; count++) {
    const part = await loadPart(db, versioned, older)
    read.push(...part.listed)
    listed = listOfPart(read)
    older = part.older
  }
  // The next part reads the versions after the last listed one again, because they may pass a mark on to it.
  return { listed, older: older && (listed.at(-1)?.version.id ?? older) }
}

// The mark of a saved version that didn't change the part belongs to the one that did; the live one counts more.
function listOfPart(versions: readonly ListedVersion[]): ListedVersion[] {
  let passed: VersionMark | undefined
  return versions.flatMap((one) => {
    if (one.version.state !== 'saved') return one.changed?.length === 0 ? [] : [one]
    const mark = one.mark?.kind === 'live' ? one.mark : (passed ?? one.mark)
    passed = one.changed?.length === 0 ? mark : undefined
    return one.changed?.length === 0 ? [] : [{ ...one, mark }]
  })
}

async function loadPart(
  db: Db,
  versioned: Versioned,
  before: number | undefined,
): Promise<{ listed: ListedVersion[]; older: number | undefined }> {
  const { subject, listLabels } = versioned
  const found = await listVersionContents(db, subject, { limit: PAGE_SIZE + 1, before })
  const shown = found.slice(0, PAGE_SIZE)
  const isEnd = found.length <= PAGE_SIZE
  const all = isEnd && before === undefined ? found.map(({ version }) => version) : undefined
  const markOf = await loadMarks(db, versioned, all)
  const isCurrent = currentOf(versioned)
  const listed: ListedVersion[] = []
  for (const [index, stored] of shown.entries()) {
    const former =
      found.slice(index + 1).find(({ version }) => isComparable(stored.version, version)) ??
      (isEnd ? undefined : await findFormer(db, subject, stored.version))
    const changed = former && listLabels(former.content, stored.content)
    const { version } = stored
    listed.push({ version, mark: markOf(stored), isCurrent: isCurrent(stored), changed })
  }
  return { listed, older: isEnd ? undefined : shown.at(-1)?.version.id }
}

function isListed({ mark, changed }: ListedVersion): boolean {
  const isFormer = mark === undefined || mark.kind === 'former_draft'
  return !isFormer || changed?.length !== 0
}

// Saved content is compared with the content it replaced, and a draft with whatever was there.
function isComparable(version: Version, former: Version): boolean {
  return version.state !== 'saved' || former.state === 'saved'
}

async function findFormer(db: Db, subject: Subject, version: Version): Promise<StoredVersion | undefined> {
  const state = version.state === 'saved' ? { state: version.state } : {}
  const [former] = await listVersionContents(db, subject, { limit: 1, before: version.id, ...state })
  return former
}

/** Finds the version in the URL. */
export function findVersionOf(
  context: Context,
  { subject }: Pick<Versioned, 'subject'>,
): Promise<StoredVersion | undefined> {
  return findVersion(appOf(context).db, subject, readId(context.params.version))
}

function currentOf(versioned: Versioned): (stored: StoredVersion) => boolean {
  const { now, isPart, listLabels } = versioned
  const current = stampOf(versioned)
  return ({ version: { state, contentSha256 }, content }) => {
    const isSame = isPart ? listLabels(now, content).length === 0 : contentSha256 === current
    return state === 'saved' && isSame
  }
}

/** Sides of a comparison: with the previous version, with the current content, or what a restore would change. */
const VIEWS = ['previous', 'current', 'restore'] as const

/** A side of a comparison whose values can be restored one by one. */
interface RestorableSide {
  versionId: number
  /** Keys of its values that differ from the current ones. */
  keys: ReadonlySet<string>
}
export type RestorableSides = readonly [RestorableSide | undefined, RestorableSide | undefined]

/** A version next to the previous one, or to the current content. */
export interface ComparedVersion {
  version: Version
  mark: VersionMark | undefined
  /** True if it is the saved content, which can’t be restored. */
  isCurrent: boolean
  view: (typeof VIEWS)[number]
  changes: DescribedChange[]
  /** The values of each side that can be restored one by one. */
  sides: RestorableSides
  /** Changes with the current content. */
  stamp: string
  /** True if a restore would discard a draft. */
  endsDraft: boolean
}

/** Compares the version in the URL with what `?with` names: the previous version by default. */
export async function compareVersion(
  context: Context,
  versioned: Versioned,
  stored: StoredVersion,
): Promise<ComparedVersion> {
  const { db } = appOf(context)
  const { version } = stored
  const former = await findFormer(db, versioned.subject, version)
  const isNow = currentOf(versioned)(stored)
  const named = VIEWS.find((known) => known === context.url.searchParams.get('with')) ?? 'previous'
  const view = named === 'restore' && isNow ? 'previous' : named
  const own = restorableSide(versioned, stored)
  const sides: Record<ComparedVersion['view'], RestorableSides> = {
    previous: [restorableSide(versioned, former), own],
    current: [own, undefined],
    restore: [undefined, undefined],
  }
  return {
    ...{ version, isCurrent: isNow, view, sides: sides[view] },
    mark: (await loadMarks(db, versioned))(stored),
    changes: await describeView(versioned, { stored, former, view }),
    stamp: stampOf(versioned),
    endsDraft: view === 'restore' && (await restoreEndsDraft(db, versioned, stored)),
  }
}

async function restoreEndsDraft(db: Db, versioned: Versioned, { version }: StoredVersion): Promise<boolean> {
  if (!versioned.replacesDraft || version.state === 'draft') return false
  return (await findDraft(db, versioned.subject)) !== undefined
}

/** Returns a text that differs whenever the current content does. */
export function stampOf({ now }: Pick<Versioned, 'now'>): string {
  return writeContent(now).contentSha256
}

/** Describes what a restore of a version would change. */
export async function describeRestore(
  { now, describe, contentToRestore }: Versioned,
  stored: StoredVersion,
): Promise<DescribedChange[]> {
  return describe(now, contentToRestore ? await contentToRestore(stored) : stored.content)
}

function restorableSide(
  { now, listKeys }: Versioned,
  stored: StoredVersion | undefined,
): RestorableSide | undefined {
  // A draft has buttons of its own.
  if (!listKeys || !stored || stored.version.state === 'draft') return undefined
  return { versionId: stored.version.id, keys: new Set(listKeys(now, stored.content)) }
}

async function describeView(
  versioned: Versioned,
  {
    stored,
    former,
    view,
  }: { stored: StoredVersion; former: StoredVersion | undefined; view: ComparedVersion['view'] },
): Promise<DescribedChange[]> {
  const { now, describe } = versioned
  if (view === 'restore') return describeRestore(versioned, stored)
  if (view === 'current') return describe(stored.content, now)
  return describe(former?.content, stored.content)
}
