import { existsSync } from 'node:fs'
import type { Db } from '../../db/schema.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import type { Progress } from '../../lib/progress.ts'
import { logTexts } from '../../messages/server/log.ts'
import { watchSyncs } from '../../publish/plan/unpublished-sync.ts'
import { type PreviewFiles, previewFolder, previewPlace } from '../../publish/previews/preview-folder.ts'
import type { PreviewRequest } from '../../publish/previews/stage-preview.ts'
import type { PublishProgress } from '../../publish/publish-progress.ts'
import type { Starter } from '../../publish/record-publish.ts'
import { findCurrentRelease } from '../../publish/release/release.ts'
import { findLastRollbackId, type RollBackOutcome, rollBack } from '../../publish/release/roll-back.ts'
import { findLastPublishId, readPublishProgress } from '../../publish/render/progress-file.ts'
import { followSite, type SiteFollower } from '../../publish/shared/follow-site.ts'
import { openSharedSite, type SitePlace } from '../../publish/shared/shared-site.ts'
import { listenForCommands } from '../../publish/warm/command-socket.ts'
import { openWarmProcess, type WarmProcess } from '../../publish/warm/open-warm-process.ts'
import type { PublishRequest, WarmPlace, WarmSite } from '../../publish/warm/warm-calls.ts'
import { createPlanner, type Planner } from './planner.ts'
import { createPreviewMaker, type PreviewMaker } from './preview-maker.ts'
import { createPublishSchedule } from './publish-schedule.ts'
import { type BuildConfig, buildAtStart, createPublisher, type Publisher } from './publisher.ts'
import { createSiteCheck } from './site-check.ts'

/** Everything a running server does for publishing; `start` starts its schedule. */
export interface Publishing extends Worker {
  publisher: Publisher
  planner: Planner
  /** Names the folder of this server, and what it shares. */
  place: SitePlace
  /** Follows the release of the site's other servers; resolves at once if there are none. */
  join(): Promise<void>
  /** Returns whether this server shows the live release, or has since it started. */
  hasJoined(): boolean
  /** Resolves once this server shows the live release; undefined for a single server. */
  settle: (() => Promise<void>) | undefined
  /** Fetches the files of a preview made by another server. */
  bringPreview(files: PreviewFiles): Promise<void>
  /** Names the server that publishes, where several share the site. */
  publisherName(): string | undefined
  /** Starts a publish; failures are in the history and the log. */
  request(starter: Starter): Promise<void>
  previews: PreviewMaker
  /** Returns true if a publish runs, of this server or of a command. */
  isRunning(): boolean
  /** Progress; undefined without a publish, or when one has just begun. */
  progress(): PublishProgress | undefined
  rollBack(options: { to: string; starter: Starter }): Promise<RollBackOutcome>
}

interface PublishingOptions {
  db: Db
  /** A server that responds soon. */
  promptDb: Db
  projectDir: string
  now: () => Date
  log: Pick<Log, 'error'>
}

export function openPublishing(config: BuildConfig, options: PublishingOptions): Publishing {
  const { db, now, log } = options
  const { siteUrl, port, dataDir, databaseUrl, contentDir, filePlace } = config
  const site = { siteUrl, port, dataDir, databaseUrl, contentDir, filePlace, projectDir: options.projectDir }
  const processes = openProcesses(site, options)
  const { place, follower, warm, nightly, siteCheck, publisher, progress, isRunning } = processes
  const schedule = createPublishSchedule({ db, place, publisher, now, log })
  const planner = openPlanner(processes, now)
  const { publish, request } = takeRequests(processes, { db, planner, log })
  let stopListening = () => {}
  const stopping = new AbortController()
  const stage = (request: PreviewRequest) => warm.preview(request, stopping.signal)
  const previews = createPreviewMaker({ db, stage, place, now, log })
  return {
    ...{ publisher, planner, previews, progress, isRunning, place },
    join: async () => follower?.join(),
    hasJoined: () => follower?.hasJoined() ?? true,
    settle: follower?.settle,
    bringPreview: (files) => bringPreview(processes, files),
    publisherName: () => follower?.state()?.publisher,
    start() {
      follower?.start()
      stopListening = listenForCommands(siteOf(site), publish)
      for (const worker of [schedule, siteCheck, previews]) worker.start()
    },
    request,
    rollBack({ to, starter }) {
      planner.noteChange()
      return rollBack(db, { ...place, to, starter, now: now() })
    },
    async stop() {
      stopListening()
      stopping.abort()
      const workers = [publisher, planner, schedule, siteCheck, previews]
      await Promise.all(workers.map((worker) => worker.stop()))
      await follower?.stop()
      await Promise.all([warm.end(), nightly.end()])
    },
  }
}

// Publishes on request. A publish may begin much later, so each request records the rollbacks before it.
function takeRequests(
  { publisher, place }: ReturnType<typeof openProcesses>,
  { db, planner, log }: Pick<PublishingOptions, 'db' | 'log'> & { planner: Planner },
) {
  const note = async (request: PublishRequest) => ({
    ...request,
    lastRollbackId: await findLastRollbackId(db, place),
  })
  async function publish(request: PublishRequest, shown?: Progress) {
    planner.notePublish({ isPart: request.only !== undefined })
    return publisher.publish(request, shown).catch((error: unknown) => {
      planner.noteChange()
      throw error
    })
  }
  return {
    publish: async (request: PublishRequest, shown?: Progress) => publish(await note(request), shown),
    async request(starter: Starter) {
      const noted = await note(starter)
      publish(noted).catch((err: unknown) => log.error({ err }, logTexts.siteNotPublished))
    },
  }
}

function openPlanner(
  { warm, isRunning, place: { dataDir } }: ReturnType<typeof openProcesses>,
  now: () => Date,
): Planner {
  return createPlanner({
    plan: (signal) => warm.plan(signal),
    // One that changed nothing makes no release.
    lastPublish: () => `${findCurrentRelease(dataDir)?.id} ${findLastPublishId(dataDir)}`,
    isPublishing: isRunning,
    isSynced: watchSyncs(dataDir),
    now,
  })
}

// Opens the process that publishes, and the one that checks at night.
function openProcesses(config: BuildConfig & WarmPlace, { db, promptDb, now, log }: PublishingOptions) {
  const { dataDir, filePlace, databaseUrl } = config
  const shared = openSharedSite(config)
  const site = { ...siteOf(config), filePlace }
  const warm = openWarmProcess(site)
  const nightly = openWarmProcess(site, { isForOneCall: true })
  const run = publishIn(warm, config)
  const publisher = createPublisher((request, options) => {
    siteCheck.giveWay()
    return run(request, options)
  })
  const onNext = () => siteCheck.giveWay()
  const follower =
    shared && followSite({ db: promptDb, databaseUrl, dataDir, filePlace, shared, log, onNext })
  const progress = () =>
    (publisher.isRunning() ? undefined : follower?.state()?.progress) ?? readPublishProgress(dataDir)
  const isRunning = () => publisher.isRunning() || isElsewhere(follower) || progress() !== undefined
  const check = (signal: AbortSignal) => nightly.check(signal)
  const siteCheck = createSiteCheck({ db, dataDir, check, isPublishing: isRunning, now, log })
  return { place: { dataDir, shared }, follower, warm, nightly, siteCheck, publisher, progress, isRunning }
}

async function bringPreview(
  { follower, place: { dataDir } }: ReturnType<typeof openProcesses>,
  files: PreviewFiles,
): Promise<void> {
  const folder = previewFolder(dataDir, files)
  if (existsSync(folder)) return
  await follower?.bring(previewPlace(files), folder)
}

function isElsewhere(follower: SiteFollower | undefined): boolean {
  return follower?.state()?.publisher !== undefined
}

function siteOf({ projectDir, dataDir, siteUrl, databaseUrl }: WarmSite): WarmSite {
  return { projectDir, dataDir, siteUrl, databaseUrl }
}

// A start syncs the content files first, which only its own process does.
function publishIn(warm: WarmProcess, config: BuildConfig): Parameters<typeof createPublisher>[0] {
  return async (request, { signal, progress }) => {
    if (request.startedBy === 'start') return void (await buildAtStart(config, signal))
    try {
      return await warm.publish(request, { signal, progress })
    } catch (error) {
      // It was stopped with the server.
      if (signal.aborted) return undefined
      throw error
    }
  }
}
