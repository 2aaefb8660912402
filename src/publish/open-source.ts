import type { Db } from '../db/schema.ts'
import type { LogPosition } from './changes/change-store.ts'
import type { ReleaseFacts } from './ledger/ledger-store.ts'
import { openScheduledContent } from './live/scheduled-content.ts'
import type { Starter } from './record-publish.ts'
import type { Bundle } from './render/bundle.ts'
import type { SitePlace } from './shared/shared-site.ts'

/** Sources of pages. */
export interface Source {
  db: Db
  databaseUrl: string | undefined
  bundle: Bundle
  problems: string[]
  /** The time whose content is published. */
  now: Date
  /** True for the live site with changes from a schedule or a person's selection. */
  partial?: 'schedule' | 'selected' | undefined
  /** Position in the log of `db` up to which all is live, where that is not known from the live release. */
  since?: LogPosition | undefined
  ahead?: ReleaseFacts['ahead']
  close(): Promise<void>
}

interface SourceOptions extends SitePlace {
  projectDir: string
  databaseUrl?: string | undefined
  starter?: Starter | undefined
  now: () => Date
}

/** Opens the saved content with these templates, or else the live content with what a schedule or a person adds. */
export async function openSource(
  db: Db,
  { databaseUrl, projectDir, dataDir, shared, starter, ...options }: SourceOptions,
  { bundle, facts }: { bundle: Bundle | undefined; facts: ReleaseFacts | undefined },
): Promise<Source> {
  const now = options.now()
  if (bundle) return { db, databaseUrl, bundle, problems: [], now, async close() {} }
  const wanted = { projectDir, dataDir, shared, now, selected: starter?.only, position: facts?.position }
  return { ...(await openScheduledContent(db, wanted)), now, partial: partOf(starter) }
}

/** Returns the part of the saved content to publish; undefined for all of it. */
export function partOf(starter: Starter | undefined): 'schedule' | 'selected' | undefined {
  if (starter?.only) return 'selected'
  return starter?.startedBy === 'schedule' ? 'schedule' : undefined
}
