import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../lib/messages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import type { SiteNotice } from '../notices/find-notices.ts'
import type { PageChange, ReleasePlan } from './plan-release.ts'

const SCRIPT = fileURLToPath(new URL('./plan-process.ts', import.meta.url))

/** What a publish would change, and the first of the pages that differ. */
export interface PlannedChanges {
  plan: ReleasePlan
  changes: PageChange[]
  /** What visitors or search engines would miss. */
  notices: SiteNotice[]
}

export interface PlanQuestion {
  projectDir: string
  dataDir: string
  siteUrl: string
  databaseUrl: string
}

export type PlanAnswer = PlannedChanges | { failure: string }

/** Asks a process of its own what a publish would change. Throws when it cannot say. */
export async function planInProcess(question: PlanQuestion, signal: AbortSignal): Promise<PlannedChanges> {
  const child = fork(SCRIPT, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    signal,
  })
  const closed = once(child, 'close')
  const answered = once(child, 'message')
  child.send(question)
  const [answer] = (await Promise.race([answered, closed.then(() => [])])) as [PlanAnswer?]
  if (!answer) throw new Failure(publishFailures, 'plannerEnded')
  if ('failure' in answer) throw new Error(answer.failure)
  return answer
}
