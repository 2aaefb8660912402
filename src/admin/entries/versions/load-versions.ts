import type { AstroGlobal } from 'astro'
import { appOf, readId } from '#src/admin/kit/page-context.ts'
import { findEntryById, listTermIdsOfEntry } from '#src/entries/entry-lookup-store.ts'
import type { Entry } from '#src/entries/entry-store.ts'
import { compareSnapshots } from '#src/entries/history/compare-snapshots.ts'
import { type EntrySnapshot, toSnapshot } from '#src/entries/history/entry-snapshot.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { type ContentType, findContentType } from '#src/entries/types/content-type-store.ts'
import { hashContent } from '#src/versions/packed-content.ts'
import type { Version } from '#src/versions/version.ts'
import { findHead, findVersion, listVersionContents } from '#src/versions/version-store.ts'
import { labelOf } from './describe-changes.ts'

type Context = Pick<AstroGlobal, 'params' | 'locals' | 'url'>

const PAGE_SIZE = 25

/** The entry of a page about its versions, as it is now. */
export interface VersionedEntry {
  type: ContentType
  entry: Entry
  now: EntrySnapshot
  /** The ID of the entry's draft version. */
  draftId: number | undefined
}

/** The entry that the address names; undefined when there is none. */
export async function findVersionedEntry(context: Context): Promise<VersionedEntry | undefined> {
  const { db } = appOf(context)
  const type = await findContentType(db, context.params.type ?? '')
  const entry = await findEntryById(db, readId(context.params.id))
  if (!type || entry?.typeId !== type.id) return undefined
  const { draftId } = await findHead(db, entrySubject(entry.id))
  return { type, entry, draftId, now: toSnapshot(entry, await listTermIdsOfEntry(db, entry.id)) }
}

/** A version in the list, with what it changed. */
export interface ListedVersion {
  version: Version
  /** True if this is the entry's current content. */
  isCurrent: boolean
  /** The labels of what differs from the version before; undefined for the first one. */
  changed: string[] | undefined
}

/** A part of the versions of an entry, newest first. `older`: where the next part begins. */
export async function loadVersions(
  context: Context,
  { type, entry, now }: VersionedEntry,
): Promise<{ listed: ListedVersion[]; older: number | undefined }> {
  const before = readId(context.url.searchParams.get('before')) || undefined
  const { db } = appOf(context)
  const question = { limit: PAGE_SIZE + 1, before }
  const found = await listVersionContents(db, entrySubject(entry.id), question)
  const current = hashContent(now)
  const newest = found.find(({ version }) => version.state === 'saved')
  const listed = found.slice(0, PAGE_SIZE).map(({ version, content }, index) => {
    const former = found[index + 1]?.content as EntrySnapshot | undefined
    const changes = former && compareSnapshots(former, content as EntrySnapshot, type.fields)
    const isNewest = before === undefined && version.id === newest?.version.id
    return {
      version,
      isCurrent: isNewest && version.contentSha256 === current,
      changed: changes?.map(({ key }) => labelOf(key)),
    }
  })
  return { listed, older: found.length > PAGE_SIZE ? listed.at(-1)?.version.id : undefined }
}

/** The version that the address names. */
export async function findVersionOf(
  context: Context,
  { entry }: VersionedEntry,
): Promise<{ version: Version; snapshot: EntrySnapshot } | undefined> {
  const found = await findVersion(appOf(context).db, entrySubject(entry.id), readId(context.params.version))
  return found && { version: found.version, snapshot: found.content as EntrySnapshot }
}

/** Finds the content of the previous version; undefined for the first one. */
export async function findFormer(
  context: Context,
  { entry }: VersionedEntry,
  version: Version,
): Promise<EntrySnapshot | undefined> {
  const question = { limit: 1, before: version.id }
  const [former] = await listVersionContents(appOf(context).db, entrySubject(entry.id), question)
  return former?.content as EntrySnapshot | undefined
}
