import type { Db } from '../../db/schema.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { planInProcess } from '../../publish/plan/planned-changes.ts'
import { watchSyncs } from '../../publish/plan/unpublished-sync.ts'
import type { PublishProgress } from '../../publish/publish-progress.ts'
import type { Starter } from '../../publish/record-publish.ts'
import { findCurrentRelease } from '../../publish/release/release.ts'
import { type RollBackOutcome, rollBack } from '../../publish/release/roll-back.ts'
import { findLastPublishId, readPublishProgress } from '../../publish/render/progress-file.ts'
import { createPlanner, type Planner } from './planner.ts'
import { createPublishSchedule } from './publish-schedule.ts'
import { type BuildConfig, buildProcess, createPublisher, type Publisher } from './publisher.ts'

/** All that a running server does about publishing; `start` starts its schedule. */
export interface Publishing extends Worker {
  publisher: Publisher
  planner: Planner
  /** Publishes without waiting for it; what goes wrong stands in the history and the log. */
  request(starter: Starter): void
  /** Whether a publish runs, of this server or of a command. */
  isRunning(): boolean
  /** How far it is; undefined when none runs, or it has just begun. */
  progress(): PublishProgress | undefined
  rollBack(options: { to: string; starter: Starter }): Promise<RollBackOutcome>
}

interface PublishingOptions {
  db: Db
  projectDir: string
  now: () => Date
  log: Pick<Log, 'error'>
}

export function openPublishing(
  config: BuildConfig,
  { db, projectDir, now, log }: PublishingOptions,
): Publishing {
  const { dataDir, siteUrl, databaseUrl } = config
  const publisher = createPublisher(buildProcess(config))
  const schedule = createPublishSchedule({ db, dataDir, publisher, now, log })
  const question = { projectDir, dataDir, siteUrl, databaseUrl }
  const progress = () => readPublishProgress(dataDir)
  const isRunning = () => publisher.isRunning() || progress() !== undefined
  const planner = createPlanner({
    plan: (signal) => planInProcess(question, signal),
    // One that changed nothing makes no release.
    lastPublish: () => `${findCurrentRelease(dataDir)?.id} ${findLastPublishId(dataDir)}`,
    isPublishing: isRunning,
    isSynced: watchSyncs(dataDir),
    now,
  })
  return {
    publisher,
    planner,
    progress,
    isRunning,
    start: schedule.start,
    request(starter) {
      planner.notePublish()
      publisher.publish(starter).catch((err: unknown) => {
        planner.noteChange()
        log.error({ err }, logTexts.siteNotPublished)
      })
    },
    rollBack({ to, starter }) {
      planner.noteChange()
      return rollBack(db, { dataDir, to, starter, now: now() })
    },
    async stop() {
      await Promise.all([publisher.stop(), planner.stop(), schedule.stop()])
    },
  }
}
