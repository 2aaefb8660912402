import type { Db } from '../db/schema.ts'
import type { PublishScopeCode, PublishStarter } from '../db/tables/publish-tables.ts'
import { joinProgress, type Progress } from '../lib/progress.ts'
import { describeCause } from '../messages/admin/history/causes.ts'
import { publishTexts } from '../messages/command-line/content.ts'
import type { SelectedChange } from './changes/change-store.ts'
import type { ReleasePlan } from './plan/plan-release.ts'
import { deleteOldPublishes, endAbandonedPublishes, endPublish, insertPublish } from './publish-store.ts'
import { findCurrentRelease, type Release } from './release/release.ts'
import type { BrokenLink } from './release/verify-release.ts'
import { createProgressFile, type ProgressFile } from './render/progress-file.ts'
import { historyOf, type SitePlace } from './shared/shared-site.ts'

const KEPT_PUBLISHES = 1_000
const KEPT_REASONS = 20
/** Number of broken links that a publish keeps, which leaves room for the reasons of its changes. */
const KEPT_LINKS = 10

/** User or process that started a publish. */
export interface Starter {
  startedBy: PublishStarter
  /** The administrator who started it. */
  userId?: number | undefined
  /** Publishes these changes and what they require; without it, everything saved. */
  only?: readonly SelectedChange[] | undefined
  /** Publishes only if the result is exactly these pages. */
  approved?: Approved | undefined
  /** The last rollback when the publish was requested, or 0. A later rollback makes the publish fail. */
  lastRollbackId?: number | undefined
}

/** An approved preview. */
export interface Approved {
  previewId: number
  /** See `hashPages`. */
  pagesHash: string
}

export interface PublishOutcome {
  kind: 'published' | 'unchanged'
  release: Release
  plan: ReleasePlan
  /** Links of the rendered pages to missing pages. */
  brokenLinks: BrokenLink[]
  /** Pages that were copied because the file system can't link. */
  copiedPages: number
  /** Why due entries were left out, and what failed afterwards. */
  problems: string[]
  /** Number of pages compared. */
  scope: PublishScopeCode
  /** The last change in the log that it includes. */
  changeId: number
}

interface RecordOptions extends SitePlace {
  starter?: Starter | undefined
  progress: Progress
  now: () => Date
}

/**
 * Runs a publish and records it in the history: first that it runs, then how it ended. Other processes can read its
 * progress meanwhile. The caller must hold the publish lock.
 */
export async function recordPublish<T extends Ended>(
  db: Db,
  options: RecordOptions,
  publish: (progress: Progress) => Promise<T>,
): Promise<T> {
  const { starter = { startedBy: 'command' }, dataDir, now } = options
  const text = () => now().toISOString()
  const machine = historyOf(options)
  await endAbandonedPublishes(db, { machine, now: text() })
  const { startedBy, userId = null } = starter
  const id = await insertPublish(db, { machine, startedBy, userId, startedAt: text() })
  const file = createProgressFile(dataDir, { publishId: id, now })
  const previousReleaseId = findCurrentRelease(dataDir)?.id ?? null
  try {
    const outcome = await publish(joinProgress(options.progress, file))
    // A publish with nothing to do has shown no step, but others are waiting to hear that it ended.
    file.finish()
    await endPublish(db, id, { ...endOf(outcome, file), previousReleaseId, finishedAt: text() })
    return outcome
  } catch (error) {
    const failureMessage = error instanceof Error ? error.message : String(error)
    const end = { status: 'failed' as const, failureMessage, log: file.phases() }
    await endPublish(db, id, { ...end, previousReleaseId, finishedAt: text() })
    throw error
  } finally {
    await deleteOldPublishes(db, { kept: KEPT_PUBLISHES })
  }
}

type Ended = Omit<PublishOutcome, 'copiedPages'>

function endOf(outcome: Ended, file: ProgressFile) {
  const { kind, release, plan, problems, brokenLinks, scope, changeId } = outcome
  const { added, changed, removed, unchanged, bytes, causes } = plan
  const links = brokenLinks
    .slice(0, KEPT_LINKS)
    .map(({ page, target }) => publishTexts.brokenLink(page, target))
  return {
    status: kind,
    scopeCode: scope,
    changeId,
    releaseId: release.id,
    pages: { added, changed, removed, unchanged },
    reasons: [...problems, ...links, ...causes.map(describeCause)].slice(0, KEPT_REASONS),
    bytes,
    log: file.phases(),
  }
}
