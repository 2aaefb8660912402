import type { Db } from '../../db/schema.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import type { Progress } from '../../lib/progress.ts'
import { logTexts } from '../../messages/server/log.ts'
import { watchSyncs } from '../../publish/plan/unpublished-sync.ts'
import type { PreviewRequest, StagedPreview } from '../../publish/previews/stage-preview.ts'
import type { PublishProgress } from '../../publish/publish-progress.ts'
import type { Starter } from '../../publish/record-publish.ts'
import { findCurrentRelease } from '../../publish/release/release.ts'
import { type RollBackOutcome, rollBack } from '../../publish/release/roll-back.ts'
import { findLastPublishId, readPublishProgress } from '../../publish/render/progress-file.ts'
import { listenForCommands } from '../../publish/warm/command-socket.ts'
import { openWarmProcess, type WarmProcess } from '../../publish/warm/open-warm-process.ts'
import type { PublishRequest, WarmSite } from '../../publish/warm/warm-calls.ts'
import { createPlanner, type Planner } from './planner.ts'
import { createPublishSchedule } from './publish-schedule.ts'
import { type BuildConfig, buildAtStart, createPublisher, type Publisher } from './publisher.ts'
import { createSiteCheck } from './site-check.ts'

/** All that a running server does about publishing; `start` starts its schedule. */
export interface Publishing extends Worker {
  publisher: Publisher
  planner: Planner
  /** Publishes without waiting for it; what goes wrong stands in the history and the log. */
  request(starter: Starter): void
  /** Makes the pages of a preview. */
  preview(request: PreviewRequest): Promise<StagedPreview>
  /** Returns true if a publish runs, of this server or of a command. */
  isRunning(): boolean
  /** Progress; undefined without a publish, or when one has just begun. */
  progress(): PublishProgress | undefined
  rollBack(options: { to: string; starter: Starter }): Promise<RollBackOutcome>
}

interface PublishingOptions {
  db: Db
  projectDir: string
  now: () => Date
  log: Pick<Log, 'error'>
}

export function openPublishing(config: BuildConfig, options: PublishingOptions): Publishing {
  const { db, now, log } = options
  const { dataDir } = config
  const { siteUrl, port, databaseUrl, contentDir } = config
  const site = { siteUrl, port, dataDir, databaseUrl, contentDir, projectDir: options.projectDir }
  const { warm, nightly, siteCheck, publisher, progress, isRunning } = openProcesses(site, options)
  const schedule = createPublishSchedule({ db, dataDir, publisher, now, log })
  const planner = createPlanner({
    plan: (signal) => warm.plan(signal),
    // One that changed nothing makes no release.
    lastPublish: () => `${findCurrentRelease(dataDir)?.id} ${findLastPublishId(dataDir)}`,
    isPublishing: isRunning,
    isSynced: watchSyncs(dataDir),
    now,
  })
  async function publish(request: PublishRequest, shown?: Progress) {
    planner.notePublish()
    try {
      return await publisher.publish(request, shown)
    } catch (error) {
      planner.noteChange()
      throw error
    }
  }
  let stopListening = () => {}
  const stopping = new AbortController()
  return {
    preview: (request) => warm.preview(request, stopping.signal),
    ...{ publisher, planner, progress, isRunning },
    start() {
      stopListening = listenForCommands(siteOf(site), publish)
      schedule.start()
      siteCheck.start()
    },
    request(starter) {
      publish(starter).catch((err: unknown) => log.error({ err }, logTexts.siteNotPublished))
    },
    rollBack({ to, starter }) {
      planner.noteChange()
      return rollBack(db, { dataDir, to, starter, now: now() })
    },
    async stop() {
      stopListening()
      stopping.abort()
      await Promise.all([publisher.stop(), planner.stop(), schedule.stop(), siteCheck.stop()])
      await Promise.all([warm.end(), nightly.end()])
    },
  }
}

// Opens the process that publishes, and the one that checks at night.
function openProcesses(config: BuildConfig & WarmSite, { db, now, log }: PublishingOptions) {
  const { dataDir } = config
  const warm = openWarmProcess(siteOf(config))
  const nightly = openWarmProcess(siteOf(config), { mostBytes: 0 })
  const run = publishIn(warm, config)
  const publisher = createPublisher((request, options) => {
    siteCheck.giveWay()
    return run(request, options)
  })
  const progress = () => readPublishProgress(dataDir)
  const isRunning = () => publisher.isRunning() || progress() !== undefined
  const check = (signal: AbortSignal) => nightly.check(signal)
  const siteCheck = createSiteCheck({ db, dataDir, check, isPublishing: isRunning, now, log })
  return { warm, nightly, siteCheck, publisher, progress, isRunning }
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
      // It was ended with the server.
      if (signal.aborted) return undefined
      throw error
    }
  }
}
