import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import {
  type BegunPreview,
  beginPreview,
  failLostPreviews,
  finishPreview,
  type WantedPreview,
} from '../../publish/previews/make-preview.ts'
import type { PreviewRequest, StagedPreview } from '../../publish/previews/stage-preview.ts'
import type { SitePlace } from '../../publish/shared/shared-site.ts'
import { createPreviewRefresher, type PreviewRefresher } from './preview-refresher.ts'

// Small sites are ready by then, and the response shows it.
const MOMENT_MS = 1_000

/** Makes preview links. Their pages are made in the background. */
export interface PreviewMaker extends Worker, PreviewRefresher {
  /** Makes a link; returns once its pages are made, or after a short wait. */
  make(wanted: WantedPreview): Promise<Pick<BegunPreview, 'id' | 'token'>>
}

interface MakerOptions {
  db: Db
  stage: (request: PreviewRequest) => Promise<StagedPreview>
  place: SitePlace
  now: () => Date
  log: Pick<Log, 'error'>
}

export function createPreviewMaker({ db, log, ...options }: MakerOptions): PreviewMaker {
  const { place, now } = options
  const open = new Set<Promise<void>>()

  function inBackground(work: Promise<void>): Promise<void> {
    const done = work
      .catch((err: unknown) => log.error({ err }, logTexts.previewFailed))
      .finally(() => open.delete(done))
    open.add(done)
    return done
  }

  return {
    ...createPreviewRefresher({ db, inBackground, ...options }),
    async make(wanted) {
      const begun = await beginPreview(db, { ...wanted, now: now() })
      await Promise.race([inBackground(finishPreview(db, begun, options)), delay(MOMENT_MS)])
      return begun
    },
    start() {
      inBackground(failLostPreviews(db, { ...place, now: now() }))
    },
    async stop() {
      await Promise.all(open)
    },
  }
}
