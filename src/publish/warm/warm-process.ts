import module from 'node:module'
import { constants, setPriority } from 'node:os'
import { connectDatabase } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import { silentProgress } from '../../lib/progress.ts'
import { keepTrees } from '../changes/kept-trees.ts'
import { saveCheckReport } from '../check-report.ts'
import { findNotices } from '../notices/find-notices.ts'
import { findNewestChanges } from '../pending/pending-changes.ts'
import { listFirstChanges } from '../plan/list-first-changes.ts'
import { bundleFingerprint } from '../plan/template-fingerprint.ts'
import { stagePreview } from '../previews/stage-preview.ts'
import { checkSite, planSite, publishSite, publishUnlessHeldBack } from '../publish-site.ts'
import { ensureBundle, loadRenderer } from '../render/bundle.ts'
import { keepHelper } from '../render/run-shares.ts'
import { openSharedSite } from '../shared/shared-site.ts'
import {
  type PlannedChanges,
  type PublishRequest,
  progressOf,
  type WarmAnswer,
  type WarmCall,
  type WarmPlace,
  type WarmResult,
} from './warm-calls.ts'

// Started by `openWarmProcess`: comparing and rendering would hold up a server, and starting takes longer than a
// small publish.
/** Unpublished changes that the Publish screen names. */
const NAMED_CHANGES = 10

const { filePlace, ...site }: WarmPlace = JSON.parse(process.env.WARM_PLACE ?? '{}')
const shared = openSharedSite({ ...site, filePlace })
const trees = keepTrees()
const program = bundleFingerprint(site.projectDir)
// The first call that needs them reports a failure.
prepare().catch(() => {})

process.on('message', (call: WarmCall) => {
  answer(call).then(send, (error: Error) => send({ kind: 'failed', message: error.message }))
})
// The server is gone.
process.on('disconnect', () => process.exit(1))

async function prepare() {
  const bundle = await ensureBundle(site.projectDir)
  await loadRenderer(bundle)
  const db = connectDatabase(site.databaseUrl)
  await keepHelper(db, bundle).finally(() => db.destroy())
  // The server ends this process with a signal, which would lose the compile cache.
  module.flushCompileCache()
}

async function answer(call: WarmCall): Promise<WarmAnswer> {
  if ((await bundleFingerprint(site.projectDir)) !== (await program)) return { kind: 'outdated' }
  const db = connectDatabase(site.databaseUrl)
  try {
    const result = await run(db, call)
    // The helper of this call has ended.
    if (call.call !== 'check') prepare().catch(() => {})
    return { kind: 'done', result, bytes: process.memoryUsage.rss() }
  } finally {
    const closed = db.destroy()
    // An interrupted call is still running, and its process ends with the answer.
    if (call.call !== 'check') await closed
  }
}

function run(db: Db, call: WarmCall): Promise<WarmResult> {
  if (call.call === 'publish') return publish(db, call.request)
  if (call.call === 'preview')
    return stagePreview(db, { ...site, shared, ...call.request, now: () => new Date() })
  return call.call === 'plan' ? plan(db) : check(db)
}

// At night, with the lowest priority: visitors and deliveries go on.
async function check(db: Db): Promise<undefined> {
  setPriority(constants.priority.PRIORITY_LOW)
  const now = () => new Date()
  const found = await checkSite(db, { ...site, shared, now, progress: silentProgress })
  if (found) saveCheckReport(site.dataDir, found, now())
}

function publish(db: Db, { full, jobs, ...starter }: PublishRequest) {
  const start = starter.startedBy === 'schedule' ? publishUnlessHeldBack : publishSite
  const progress = progressOf((step) => send({ kind: 'step', step }))
  return start(db, { ...site, shared, trees, full, jobs, starter, now: () => new Date(), progress })
}

// With one process, because nobody waits for it.
async function plan(db: Db): Promise<PlannedChanges> {
  const { changes, onChange } = listFirstChanges()
  const found = await planSite(db, { ...site, jobs: 1, onChange })
  const saved = await findNewestChanges(db, { dataDir: site.dataDir, now: new Date(), limit: NAMED_CHANGES })
  return { plan: found, changes, notices: await findNotices(db), saved }
}

function send(message: WarmAnswer) {
  process.send?.(message)
}
