import type { Log } from '../../lib/log.ts'
import { describeReason } from '../reasons/describe-reason.ts'
import { logAttempt } from '../sending/log-attempt.ts'
import type { FinishedAttempt } from './record-attempts.ts'
import type { Turn } from './take-turn.ts'

/** Says in the log what a turn wrote down, and which webhooks cannot be sent. */
export function logTurn(
  logger: Log,
  { states, blocked }: Pick<Turn, 'states' | 'blocked'>,
  finished: readonly FinishedAttempt[],
): void {
  for (const [index, one] of finished.entries()) {
    const state = states[index]
    if (state) logAttempt(logger, one, state)
  }
  for (const [webhookId, reason] of blocked)
    logger.error(
      { webhookId, problem: describeReason(reason) },
      'webhook deliveries wait: they cannot be sent',
    )
}
