import type { AstroGlobal } from 'astro'
import { appOf, readId } from '#src/admin/kit/page-context.ts'
import type { Db } from '#src/db/schema.ts'
import { writeContent } from '#src/versions/packed-content.ts'
import type { Subject, Version } from '#src/versions/version.ts'
import { findVersion, listVersionContents, type StoredVersion } from '#src/versions/version-store.ts'
import { loadMarks, type VersionMark } from './mark-versions.ts'
import type { DescribedChange, Versioned } from './versioned.ts'

type Context = Pick<AstroGlobal, 'params' | 'locals' | 'url'>

const PAGE_SIZE = 25

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
  const { subject, listLabels } = versioned
  const before = readId(context.url.searchParams.get('before')) || undefined
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
    listed.push({ version, mark: markOf(stored), isCurrent: isCurrent(version), changed })
  }
  return { listed: listed.filter(isListed), older: isEnd ? undefined : shown.at(-1)?.version.id }
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

function currentOf(versioned: Versioned): (version: Version) => boolean {
  const current = stampOf(versioned)
  return ({ state, contentSha256 }) => state === 'saved' && contentSha256 === current
}

/** Sides of a comparison: with the previous version, with the current content, or what a restore would change. */
const VIEWS = ['previous', 'current', 'restore'] as const

/** A version next to the previous one, or to the current content. */
export interface ComparedVersion {
  version: Version
  mark: VersionMark | undefined
  /** True if it is the saved content, which can’t be restored. */
  isCurrent: boolean
  view: (typeof VIEWS)[number]
  changes: DescribedChange[]
  /** Changes with the current content. */
  stamp: string
}

/** Compares the version in the URL with what `?with` names: the previous version by default. */
export async function compareVersion(
  context: Context,
  versioned: Versioned,
  stored: StoredVersion,
): Promise<ComparedVersion> {
  const { db } = appOf(context)
  const { version } = stored
  const isCurrent = currentOf(versioned)(version)
  const named = VIEWS.find((known) => known === context.url.searchParams.get('with')) ?? 'previous'
  const view = named === 'restore' && isCurrent ? 'previous' : named
  return {
    ...{ version, isCurrent, view },
    mark: (await loadMarks(db, versioned))(stored),
    changes: await describeView(db, versioned, { stored, view }),
    stamp: stampOf(versioned),
  }
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

async function describeView(
  db: Db,
  versioned: Versioned,
  { stored, view }: { stored: StoredVersion; view: ComparedVersion['view'] },
): Promise<DescribedChange[]> {
  const { subject, now, describe } = versioned
  if (view === 'restore') return describeRestore(versioned, stored)
  if (view === 'current') return describe(stored.content, now)
  return describe((await findFormer(db, subject, stored.version))?.content, stored.content)
}
