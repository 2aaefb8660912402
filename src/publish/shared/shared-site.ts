import { randomUUID } from 'node:crypto'
import type { FilePlace, FileStore } from '../../files/file-store.ts'
import { openFileStore } from '../../files/open-file-store.ts'
import { machineOf } from '../publish-lock.ts'

/** Store and names of a server that shares its site. */
export interface SharedSite {
  files: FileStore
  /** Names this server's DATA_DIR. */
  server: string
  /** Names this process while it publishes. */
  owner: string
}

/** The folder of a server, and what it shares with others. */
export interface SitePlace {
  dataDir: string
  /** Undefined where one server has the site for itself. */
  shared?: SharedSite | undefined
}

/** Names all servers of a shared site in the history. */
const ALL_SERVERS = 'all servers'

/**
 * Opens what a server shares with the others of its site: undefined unless it has a database and a file store that others
 * can reach.
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

/** Returns the name under which publishes are in the history. */
export function historyOf({ dataDir, shared }: SitePlace): string {
  return shared ? ALL_SERVERS : machineOf(dataDir)
}

/** Names a server whose content files may be older than those of another one; undefined for one that decides. */
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
