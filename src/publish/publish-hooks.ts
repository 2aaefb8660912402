import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { SITE_DIR } from '../lib/program/folders.ts'
import { hookTexts } from '../messages/server/hooks.ts'
import { hookFailure } from '../site/hooks/hook-failure.ts'
import type { PublishedRelease } from '../site/hooks/hooks.ts'
import { loadHooks, siteHooks } from '../site/hooks/load-hooks.ts'
import type { HookCall } from './hook-thread.ts'
import type { PublishOutcome } from './record-publish.ts'
import type { Release } from './release/release.ts'

// They run while the publish holds its turn: no other publish can start.
const WITHIN_MS = 30_000

/** A site's hooks around a publish; absent ones take no time. Both throw with the hook and its file. */
export interface PublishHooks {
  before?(): Promise<void>
  after?(release: PublishedRelease): Promise<void>
}

/** Returns the hooks of this site. */
export function ownPublishHooks(): PublishHooks {
  return publishHooksOf(SITE_DIR, { hooks: siteHooks() })
}

/** Returns the hooks of a site. Each runs in a thread, which this one can end even in an endless loop. */
export function publishHooksOf(
  siteDir: string,
  { hooks = loadHooks(siteDir), withinMs = WITHIN_MS } = {},
): PublishHooks {
  return {
    ...(hooks.beforePublish && { before: () => runHook({ siteDir, hook: 'beforePublish' }, withinMs) }),
    ...(hooks.afterPublish && {
      after: (release) => runHook({ siteDir, hook: 'afterPublish', release }, withinMs),
    }),
  }
}

async function runHook(call: HookCall, withinMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const thread = new Worker(new URL('./hook-thread.ts', import.meta.url), { workerData: call })
  const timer = setTimeout(() => {
    reject(new Error(hookTexts.tooLate(withinMs / 1_000)))
    thread.terminate()
  }, withinMs)
  thread.once('message', () => resolve()).on('error', reject)
  thread.once('exit', () => reject(new Error(hookTexts.endedEarly)))
  try {
    await promise
  } catch (error) {
    throw hookFailure(call.hook, error)
  } finally {
    // Work that the hook doesn't wait for may go on until then.
    timer.unref()
    thread.unref()
  }
}

/**
 * Publishes between the site's two hooks. If the first one fails, nothing is published; if the second one fails,
 * that is reported among the publish's problems.
 */
export async function withPublishHooks(
  { before, after }: PublishHooks,
  publish: () => Promise<PublishOutcome>,
): Promise<PublishOutcome> {
  await before?.()
  const outcome = await publish()
  if (!after || outcome.kind !== 'published') return outcome
  try {
    await after(toPublished(outcome.release))
    return outcome
  } catch (error) {
    // The release is already live.
    return { ...outcome, problems: [...outcome.problems, (error as Error).message] }
  }
}

// See `formatChange`.
function toPublished({ id, dir }: Release): PublishedRelease {
  const lines = readFileSync(join(dir, 'changes.tsv'), 'utf8').split('\n')
  const changes = lines.flatMap((line) => {
    const [change, path] = line.split('\t')
    if (path === undefined || !(change === 'added' || change === 'changed' || change === 'removed')) return []
    return [{ change, path } as const]
  })
  return { releaseId: id, changes }
}
