import { randomUUID } from 'node:crypto'
import type { FilePlace, FileStore } from '../../files/file-store.ts'
import { openFileStore } from '../../files/open-file-store.ts'
import { machineOf } from '../publish-lock.ts'

/** Store and names of a server that shares its site. */
export interface SharedSite {
  files: FileStore
  /** Identifies this server's DATA_DIR. */
  server: string
  /** Identifies this process while it publishes. */
  owner: string
}

/** A server's folder, and what it shares with others. */
export interface SitePlace {
  dataDir: string
  /** Undefined if a single server runs the site. */
  shared?: SharedSite | undefined
}

/** Name of all servers of a shared site in the history. */
const ALL_SERVERS = 'all servers'

/**
 * Opens what a server shares with the site's other servers; undefined unless others can reach its database and file
 * store.
 */
export function openSharedSite({
  databaseUrl,
  dataDir,
  filePlace,
}: {
  databaseUrl: string
  dataDir: string
  filePlace: FilePlace
}): SharedSite | undefined {
  const isOwn = filePlace.kind === 'disk' && filePlace.folder === dataDir
  if (isOwn || databaseUrl.startsWith('file:')) return undefined
  return {
    files: openFileStore(filePlace, { dataDir }),
    server: machineOf(dataDir),
    owner: randomUUID(),
  }
}

/** Returns the name used for publishes in the history. */
export function historyOf({ dataDir, shared }: SitePlace): string {
  return shared ? ALL_SERVERS : machineOf(dataDir)
}

/** Identifies a server whose content files may be older than another's; undefined for one whose files decide. */
export function serverOfContent({
  databaseUrl,
  dataDir,
  contentSync,
}: {
  databaseUrl: string
  dataDir: string
  contentSync: 'new' | 'all' | 'off'
}): string | undefined {
  return databaseUrl.startsWith('file:') || contentSync === 'all' ? undefined : machineOf(dataDir)
}
