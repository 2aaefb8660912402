import { availableParallelism } from 'node:os'
import type { Db } from '../../db/schema.ts'
import { openSharedSnapshot } from '../../db/snapshot.ts'
import { hasShownEntries } from '../../entries/entry-schedule-store.ts'
import { loadSiteContent, type NearContent, type SiteContent } from '../../site/content/site-content.ts'
import { findLogEnd } from '../changes/change-store.ts'
import type { Ledger } from '../ledger/ledger-store.ts'
import { type Bundle, loadTemplates } from './bundle.ts'
import { limitHeapGrowth } from './heap-growth.ts'
import { LocalShare } from './page-share.ts'
import { keepSpareShare, type RemoteShare, startRemoteShare } from './remote-share.ts'
import type { PageShare, RangeOutcome, ShareOptions, WorkRange } from './share-work.ts'

// With fewer pages, a second process takes longer to start than it saves.
const PAGES_PER_PROCESS = 2_000
// Enough that a process never waits for the one handing out work.
const RANGES_AHEAD = 2

/** Returns the number of processes worth starting for these pages, unless it is given. */
export function countJobs(pages: number, jobs?: number): number {
  return jobs ?? Math.max(1, Math.min(availableParallelism(), Math.floor(pages / PAGES_PER_PROCESS)))
}

/** Keeps a process ready for the next team, if the site has enough pages for two. */
export async function keepHelper(db: Db, { folder }: Pick<Bundle, 'folder'>): Promise<void> {
  const isForTwo =
    availableParallelism() > 1 && (await hasShownEntries(db, new Date(), 2 * PAGES_PER_PROCESS))
  if (isForTwo) keepSpareShare(folder)
}

/** The content at one time, and the processes that see it: this one and perhaps others. */
export interface Team extends AsyncDisposable {
  db: Db
  content: SiteContent
  /** Shares out the work; call it once. */
  start(options: ShareOptions, ledger: Ledger, bundleFolder: string): Promise<PageShare[]>
  /** Ends the other processes and releases the snapshot. */
  [Symbol.asyncDispose](): Promise<void>
}

interface TeamOptions {
  siteUrl: string
  now: Date
  /** True if other connections can see the content; otherwise there is only this process and no snapshot. */
  databaseUrl: string | undefined
  jobs: number
}

/** Opens the same view of the database in this many processes, each with the whole content. */
export async function openTeam(db: Db, { databaseUrl, jobs, siteUrl, now }: TeamOptions): Promise<Team> {
  const remotes = Array.from({ length: databaseUrl ? jobs - 1 : 0 }, startRemoteShare)
  try {
    // Nobody else can write while they join, so this must not take as long as starting them.
    await Promise.all(remotes.map((remote) => remote.ready()))
    const snapshot = databaseUrl
      ? await openSharedSnapshot(databaseUrl, (token) =>
          Promise.all(remotes.map((remote) => remote.join(databaseUrl, token))),
        )
      : { db, async [Symbol.asyncDispose]() {} }
    limitHeapGrowth()
    const loading = Promise.all(remotes.map((remote) => remote.load({ siteUrl, now })))
    // Awaited when they start. If this process fails first, that is the error.
    loading.catch(() => {})
    const content = await loadSiteContent(snapshot.db, { siteUrl, now })
    const shares: PageShare[] = []
    return {
      db: snapshot.db,
      content,
      async start(options, ledger, bundleFolder) {
        await loading
        const reading = { db: snapshot.db, content, ledger }
        shares.push(...(await startShares(remotes, reading, options, bundleFolder)))
        return shares
      },
      async [Symbol.asyncDispose]() {
        for (const remote of remotes) remote.kill()
        await snapshot[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    for (const remote of remotes) remote.kill()
    throw error
  }
}

/** Content of some pages, loaded from a snapshot. */
interface LoadedPart extends Pick<Team, 'db' | 'content'> {
  /** Pages that it was loaded for. */
  near: NearContent | undefined
  /** Lets other processes read the same snapshot. */
  token: string
}

/**
 * Opens a team for content already loaded. This process starts at once; others help as soon as they have read the same
 * content, and not at all if something was saved meanwhile.
 */
export async function openTeamFor(
  { db, content, near, token }: LoadedPart,
  { databaseUrl, jobs, siteUrl, now }: TeamOptions,
): Promise<Team> {
  const { id: position } = await findLogEnd(db)
  const remotes = Array.from({ length: databaseUrl ? jobs - 1 : 0 }, startRemoteShare)
  async function join(remote: RemoteShare): Promise<boolean> {
    await remote.ready()
    if ((await remote.join(databaseUrl ?? '', token)) !== position) return false
    await remote.load({ siteUrl, now, near, ownTexts: content.ownTexts })
    return true
  }
  const joining = remotes.map(join)
  for (const joined of joining) joined.catch(() => {})
  return {
    db,
    content,
    async start(options, ledger, bundleFolder) {
      const late = remotes.map((remote, index) =>
        joinLate(remote, async () => {
          const isJoined = await joining[index]
          if (isJoined) await remote.start(options, bundleFolder)
          return isJoined === true
        }),
      )
      return [...(await startShares([], { db, content, ledger }, options, bundleFolder)), ...late]
    },
    async [Symbol.asyncDispose]() {
      for (const remote of remotes) remote.kill()
    },
  }
}

function joinLate(remote: RemoteShare, join: () => Promise<boolean>): PageShare {
  const joined = join()
  joined.catch(() => {})
  return {
    joins: () => joined,
    range: (range) => remote.range(range),
    async finish() {
      if (await joined) await remote.finish()
    },
  }
}

async function startShares(
  remotes: readonly RemoteShare[],
  reading: { db: Db; content: SiteContent; ledger: Ledger },
  options: ShareOptions,
  bundleFolder: string,
): Promise<PageShare[]> {
  const starting = remotes.map((remote) => remote.start(options, bundleFolder))
  const renderer = () => loadTemplates({ folder: bundleFolder })
  const local = new LocalShare(reading, options, renderer)
  await Promise.all(starting)
  return [local, ...remotes]
}

/**
 * Has the pages of all ranges compared and rendered; each free process takes the next range. `add` receives the
 * results as they arrive.
 */
export async function runShares(
  shares: readonly PageShare[],
  ranges: readonly WorkRange[],
  add: (outcome: RangeOutcome) => void,
): Promise<void> {
  const waiting = ranges.values()

  async function work(share: PageShare) {
    if ((await share.joins?.()) === false) return
    for (const range of waiting) add(await share.range(range))
  }

  const lanes = shares.flatMap((share) => Array(share instanceof LocalShare ? 1 : RANGES_AHEAD).fill(share))
  await Promise.all(lanes.map(work))
}
