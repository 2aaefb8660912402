import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endWithin } from '../lib/background/end-within.ts'
import { Failure } from '../lib/messages.ts'
import { hookFailures, hookTexts } from '../messages/server/hooks.ts'
import type { PublishedRelease, SiteHooks } from '../site/hooks/hooks.ts'
import type { PublishOutcome } from './record-publish.ts'
import type { Release } from './release/release.ts'

// Runs while the publish holds its turn: no other publish can start.
const DEADLINE = { withinMs: 30_000, message: hookTexts.tooLate }

export type PublishHooks = Pick<SiteHooks, 'beforePublish' | 'afterPublish'>

/**
 * Publishes between the site's two hooks. If the first one fails, nothing is published; if the second one fails,
 * that is reported among the publish's problems.
 */
export async function withPublishHooks(
  { beforePublish, afterPublish }: PublishHooks,
  publish: () => Promise<PublishOutcome>,
): Promise<PublishOutcome> {
  if (beforePublish)
    await endWithin(DEADLINE, () => beforePublish()).catch((error: unknown) => {
      throw new Failure(hookFailures, 'beforePublishFailed', reasonOf(error))
    })
  const outcome = await publish()
  if (!afterPublish || outcome.kind !== 'published') return outcome
  try {
    await endWithin(DEADLINE, () => afterPublish(toPublished(outcome.release)))
    return outcome
  } catch (error) {
    // The release is already live.
    return { ...outcome, problems: [...outcome.problems, hookTexts.afterPublishFailed(reasonOf(error))] }
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
