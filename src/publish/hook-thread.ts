import { parentPort, workerData } from 'node:worker_threads'
import type { PublishedRelease } from '../site/hooks/hooks.ts'
import { loadHooks } from '../site/hooks/load-hooks.ts'

/** A hook to run; `release` is for `afterPublish`. */
export type HookCall = { siteDir: string } & (
  | { hook: 'beforePublish' }
  | { hook: 'afterPublish'; release: PublishedRelease }
)

const call: HookCall = workerData
const hooks = loadHooks(call.siteDir)
await (call.hook === 'beforePublish' ? hooks.beforePublish?.() : hooks.afterPublish?.(call.release))
parentPort?.postMessage('done')
