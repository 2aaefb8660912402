import type { MutantResult, MutantStatus } from '@stryker-mutator/api/core'

/** Returns one row of the table: how many mutants of an area the tests noticed. */
export function scoreOf(results: readonly Pick<MutantResult, 'status'>[]) {
  const count = (status: MutantStatus) => results.filter((result) => result.status === status).length
  const [killed, timeouts] = [count('Killed'), count('Timeout')]
  const [survived, untested] = [count('Survived'), count('NoCoverage')]
  const detected = killed + timeouts
  const share = (100 * detected) / (detected + survived + untested)
  return {
    killed,
    timeouts,
    survived,
    'no coverage': untested,
    errors: count('RuntimeError') + count('CompileError'),
    ignored: count('Ignored'),
    score: Number.isNaN(share) ? 'none' : `${share.toFixed(1)} %`,
  }
}
