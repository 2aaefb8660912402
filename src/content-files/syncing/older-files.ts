import type { Db } from '../../db/schema.ts'
import { canonicalJson, sha256Hex } from '../../lib/canonical-json.ts'
import { openBase } from '../base-documents.ts'
import { listContentFileBases } from '../content-file-store.ts'
import type { ContentDocument } from '../document.ts'
import {
  addKnownFiles,
  type FileHash,
  listKnownFiles,
  listServerFiles,
  saveServerFiles,
} from '../file-history-store.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import { isHeld, type PathPlan } from './plan-paths.ts'
import type { SyncOptions } from './sync-options.ts'

/** The files of one of several servers. */
export interface ServerFiles {
  /** The files, with the last synced ones in place of older ones and of ones this server never had. */
  files: readonly ParsedFile[]
  /** Records this server's files, after the plans were carried out. */
  remember(plans: readonly PathPlan[]): Promise<void>
}

/**
 * Detects files that are older than another server's. A file counts as changed if it changed on this server since
 * its last sync; on a server without a last sync, if no server ever synced it. A missing file counts as deleted if
 * this server had it.
 */
export async function withoutOlderFiles(
  db: Db,
  files: readonly ParsedFile[],
  { server, secretBox, prefer, only, now }: SyncOptions,
): Promise<ServerFiles> {
  if (server === undefined || prefer !== undefined || only !== undefined)
    return { files, async remember() {} }
  const bases = new Map<string, ContentDocument | null>()
  for (const [path, base] of await listContentFileBases(db))
    bases.set(path, openBase(base, secretBox).document)
  const here = files.flatMap(({ path, document }) => (document ? [{ path, sha256: hashOf(document) }] : []))
  const before = await listServerFiles(db, server)
  const known = new Set((await listKnownFiles(db, here)).map(({ path }) => path))
  const isOlder = ({ path, sha256 }: FileHash) => {
    const last = before.get(path)
    const isUnchanged = last === undefined ? known.has(path) : last === sha256
    const base = bases.get(path)
    return isUnchanged && (!base || hashOf(base) !== sha256)
  }
  const older = new Set(here.filter(isOlder).map(({ path }) => path))
  const present = new Set(files.map(({ path }) => path))
  const unseen = [...bases].flatMap(([path, document]) =>
    document && !present.has(path) && !before.has(path) ? [synced(path, document)] : [],
  )
  const newest = files.flatMap((file) => {
    const base = bases.get(file.path)
    if (!older.has(file.path)) return file
    return base ? synced(file.path, base) : []
  })
  return {
    files: [...newest, ...unseen],
    async remember(plans) {
      const held = new Set(plans.filter(isHeld).map(({ path }) => path))
      const settled = here.filter(({ path }) => !held.has(path))
      const removed = [...before.keys()].filter((path) => !present.has(path) && !held.has(path))
      await saveServerFiles(db, server, { files: settled, removed, now })
      const former = [...bases].flatMap(([path, document]) =>
        document ? [{ path, sha256: hashOf(document) }] : [],
      )
      await addKnownFiles(db, [...former, ...settled])
    },
  }
}

function synced(path: string, document: ContentDocument): ParsedFile {
  return { path, document, references: [], mistakes: [] }
}

function hashOf(document: ContentDocument): string {
  return sha256Hex(canonicalJson(document))
}
