import type { MutantResult, MutantStatus } from '@stryker-mutator/api/core'
import { NOT_IN_SAMPLE } from './sample.ts'

/**
 * Returns one row of the table: how many mutants of an area the tests noticed. In a sample, the mutants that were
 * tried stand for all that tests reach; all others are known to be unreached.
 */
export function scoreOf(results: readonly Pick<MutantResult, 'status' | 'statusReason'>[]) {
  const untried = results.filter(({ statusReason }) => statusReason?.includes(NOT_IN_SAMPLE)).length
  const count = (status: MutantStatus) => results.filter((result) => result.status === status).length
  const [killed, timeouts] = [count('Killed'), count('Timeout')]
  const [survived, untested] = [count('Survived'), count('NoCoverage')]
  const tried = killed + timeouts + survived
  const reached = tried + untried
  const share = tried > 0 ? ((killed + timeouts) / tried) * (reached / (reached + untested)) : 0
  return {
    killed,
    timeouts,
    survived,
    'no coverage': untested,
    errors: count('RuntimeError') + count('CompileError') - untried,
    'not tried': untried,
    ignored: count('Ignored'),
    score: tried + untested > 0 ? `${(100 * share).toFixed(1)} %` : 'none',
  }
}
