import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/** What a quiet processor of the machine in docs/performance.md does in a millisecond. */
const QUIET_UNITS_PER_MS = 12
const WARM_UP_MS = 50
const SAMPLE_MS = 150

const WORK = Array.from({ length: 500 }, (_, id) => ({ id, text: 'Repairs on the same day. '.repeat(4) }))

/**
 * Fails if `tookMs` is over `limitMs`. On a machine that is slower than the one the limit was promised for, or that is
 * busy with other work, the limit grows by what a fixed piece of work takes longer there.
 */
export function assertWithin(tookMs: number, limitMs: number, what = 'It'): void {
  if (tookMs <= limitMs) return
  const times = slowness()
  const least = `${what} took ${tookMs.toFixed(0)} ms; expected at most ${limitMs} ms`
  assert.ok(
    tookMs <= limitMs * times,
    `${least}, or ${times.toFixed(1)} times that on a machine as slow as now`,
  )
}

/** How many times longer work takes now than on a quiet machine; at least 1. Measures for a fifth of a second. */
export function slowness(): number {
  unitsPerMs(WARM_UP_MS)
  return Math.max(1, QUIET_UNITS_PER_MS / unitsPerMs(SAMPLE_MS))
}

function unitsPerMs(forMs: number): number {
  const startedAt = performance.now()
  let units = 0
  let tookMs = 0
  while (tookMs < forMs) {
    createHash('sha256').update(JSON.stringify(WORK)).digest()
    units += 1
    tookMs = performance.now() - startedAt
  }
  return units / tookMs
}
