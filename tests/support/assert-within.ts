import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'

// Measured on a quiet machine: 12 to 13.
const QUIET_UNITS_PER_MS = 12
// Assumed for common hardware. The machine above took 95 ms.
const QUIET_START_MS = 45
const WARM_UP_MS = 50
const SAMPLE_MS = 150

const WORK = Array.from({ length: 500 }, (_, id) => ({ id, text: 'Repairs on the same day. '.repeat(4) }))

/**
 * Fails if `tookMs` is over `limitMs`. On a machine that is slower than the one the limit was promised for, or that is
 * busy with other work, the limit grows as much as fixed pieces of work take longer.
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

// At least 1. Some virtual machines compute fast and start processes slowly, because each new page of memory is slow.
function slowness(): number {
  unitsPerMs(WARM_UP_MS)
  const computing = QUIET_UNITS_PER_MS / unitsPerMs(SAMPLE_MS)
  const starting = Math.min(startMs(), startMs(), startMs()) / QUIET_START_MS
  return Math.max(1, computing, starting)
}

function startMs(): number {
  const startedAt = performance.now()
  spawnSync(process.execPath, ['--eval', '0'], { env: {} })
  return performance.now() - startedAt
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
