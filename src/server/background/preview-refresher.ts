import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import type { Preview } from '../../publish/previews/preview-store.ts'
import { type KnownSaves, listRefreshable, refreshPreview } from '../../publish/previews/refresh-preview.ts'
import type { PreviewRequest, StagedPreview } from '../../publish/previews/stage-preview.ts'
import { findCurrentRelease } from '../../publish/release/release.ts'
import type { SitePlace } from '../../publish/shared/shared-site.ts'

/** Maximum number of pages of a preview that a screen refreshes. Larger ones wait for a reader. */
const FEW_PAGES = 500

// Small sites are ready by then.
const MOMENT_MS = 1_000

/** Makes the pages of preview links again after another release went live, once per release. */
export interface PreviewRefresher {
  /** Returns the previews, refreshed if that was possible within a short wait. */
  refresh(previews: readonly Preview[], options?: KnownSaves & { isSmall?: boolean }): Promise<Preview[]>
  /** Returns whether a preview's pages are being made again. */
  isRefreshing(id: number): boolean
}

interface RefresherOptions {
  db: Db
  stage: (request: PreviewRequest) => Promise<StagedPreview>
  place: SitePlace
  now: () => Date
  /** Runs work whose failure is only logged. */
  inBackground: (work: Promise<void>) => Promise<void>
}

export function createPreviewRefresher({ db, inBackground, ...options }: RefresherOptions): PreviewRefresher {
  const { now, place } = options
  const { dataDir } = place
  const running = new Map<number, Promise<void>>()
  /** The release that each preview was last refreshed for, by ID. */
  const tried = new Map<number, string>()
  let queue = Promise.resolve()

  function begin(preview: Preview, releaseId: string, done: Map<number, Preview>): Promise<void> {
    const { id } = preview
    tried.set(id, releaseId)
    const turn = queue.then(async () => {
      const refreshed = await refreshPreview(db, preview, options)
      if (refreshed) done.set(id, refreshed)
    })
    queue = inBackground(turn).finally(() => running.delete(id))
    running.set(id, queue)
    return queue
  }

  return {
    isRefreshing: (id) => running.has(id),
    async refresh(previews, { isSmall = false, ...known } = {}) {
      const releaseId = findCurrentRelease(dataDir)?.id ?? ''
      const isDue = ({ id, pageCount }: Preview) =>
        tried.get(id) !== releaseId && !(isSmall && pageCount > FEW_PAGES)
      const due = await listRefreshable(db, previews.filter(isDue), { dataDir, now: now(), ...known })
      const done = new Map<number, Preview>()
      const begun = due.filter(isDue).map((preview) => begin(preview, releaseId, done))
      if (begun.length > 0) await Promise.race([Promise.all(begun), delay(MOMENT_MS)])
      return previews.map((preview) => done.get(preview.id) ?? preview)
    },
  }
}
