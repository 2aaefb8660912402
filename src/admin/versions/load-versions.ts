import type { AstroGlobal } from 'astro'
import { appOf, readId } from '#src/admin/kit/page-context.ts'
import { writeContent } from '#src/versions/packed-content.ts'
import type { Version } from '#src/versions/version.ts'
import { findVersion, listVersionContents, type StoredVersion } from '#src/versions/version-store.ts'
import type { DescribedChange, Versioned } from './versioned.ts'

type Context = Pick<AstroGlobal, 'params' | 'locals' | 'url'>

const PAGE_SIZE = 25

/** A version in the list, with its changes. */
export interface ListedVersion {
  version: Version
  /** True if this is the current content. */
  isCurrent: boolean
  /** The labels of what differs from the previous version; undefined for the first one. */
  changed: string[] | undefined
}

/** A part of the version list, newest first. `older` is where the next part starts. */
export async function loadVersions(
  context: Context,
  { subject, now, listLabels }: Versioned,
): Promise<{ listed: ListedVersion[]; older: number | undefined }> {
  const before = readId(context.url.searchParams.get('before')) || undefined
  const found = await listVersionContents(appOf(context).db, subject, { limit: PAGE_SIZE + 1, before })
  const current = writeContent(now).contentSha256
  const newest = found.find(({ version }) => version.state === 'saved')
  const listed = found.slice(0, PAGE_SIZE).map(({ version, content }, index) => {
    const former = found[index + 1]
    const isNewest = before === undefined && version.id === newest?.version.id
    return {
      version,
      isCurrent: isNewest && version.contentSha256 === current,
      changed: former && listLabels(former.content, content),
    }
  })
  return { listed, older: found.length > PAGE_SIZE ? listed.at(-1)?.version.id : undefined }
}

/** Finds the version in the URL. */
export function findVersionOf(
  context: Context,
  { subject }: Pick<Versioned, 'subject'>,
): Promise<StoredVersion | undefined> {
  return findVersion(appOf(context).db, subject, readId(context.params.version))
}

/** A version next to the previous one, or to the current content. */
export interface ComparedVersion {
  version: Version
  withCurrent: boolean
  changes: DescribedChange[]
}

/**
 * Compares the version in the URL with the current content if `?with=current`, otherwise with the previous version.
 */
export async function compareVersion(
  context: Context,
  { subject, now, describe }: Versioned,
  { version, content }: StoredVersion,
): Promise<ComparedVersion> {
  const withCurrent = context.url.searchParams.get('with') === 'current'
  if (withCurrent) return { version, withCurrent, changes: await describe(content, now) }
  const question = { limit: 1, before: version.id }
  const [former] = await listVersionContents(appOf(context).db, subject, question)
  return { version, withCurrent, changes: await describe(former?.content, content) }
}
