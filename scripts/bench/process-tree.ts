import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const SAMPLE_MS = 50
// Linux counts processor time in hundredths of a second and memory in pages of 4 KiB.
const TICK_MS = 10
const PAGE_BYTES = 4_096
// Fields of /proc/<pid>/stat, counted after the name in parentheses: user and system time, pages in memory.
const TIMES = [11, 12]
const RESIDENT = 21

export interface ProcessCost {
  wallMs: number
  /** CPU time of all processes that a sample saw. */
  cpuMs: number
  /** Time that the process which waited longest for a processor did so, because others used it. */
  waitedMs: number
  /** Maximum memory of all processes at one time. */
  peakBytes: number
}

interface Sample {
  pid: number
  cpuMs: number
  waitedMs: number
  residentBytes: number
}

/** Watches a process and its children until it ends. Throws if it fails. */
export async function measureProcess(child: ChildProcess): Promise<ProcessCost> {
  const watch = watchTree(child.pid)
  const [code] = await once(child, 'close')
  const cost = watch.end()
  if (code !== 0) throw new Error(`A measured process ended with ${code}`)
  return cost
}

/** Watches a process and its children until `end`, which returns what they used in between. */
export function watchTree(pid: number | undefined): { end(): ProcessCost } {
  const startedAt = performance.now()
  const before = new Map(sampleTree(pid).map((one) => [one.pid, one]))
  const last = new Map<number, Sample>()
  let peakBytes = 0
  const sample = () => {
    const processes = sampleTree(pid)
    for (const one of processes) last.set(one.pid, one)
    peakBytes = Math.max(
      peakBytes,
      processes.reduce((sum, one) => sum + one.residentBytes, 0),
    )
  }
  const timer = setInterval(sample, SAMPLE_MS)
  const sinceStart = (key: 'cpuMs' | 'waitedMs') =>
    [...last.values()].map((one) => one[key] - (before.get(one.pid)?.[key] ?? 0))
  return {
    end() {
      clearInterval(timer)
      sample()
      const cpuMs = sinceStart('cpuMs').reduce((sum, ms) => sum + ms, 0)
      const waitedMs = Math.max(0, ...sinceStart('waitedMs'))
      return { wallMs: performance.now() - startedAt, cpuMs, waitedMs, peakBytes }
    },
  }
}

function sampleTree(pid: number | undefined): Sample[] {
  if (pid === undefined) return []
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const cpuMs = TIMES.reduce((sum, field) => sum + Number(fields[field]) * TICK_MS, 0)
    const residentBytes = Number(fields[RESIDENT]) * PAGE_BYTES
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    const waitedMs = Number(waitedNs) / 1e6
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return [
      { pid, cpuMs, waitedMs, residentBytes },
      ...children.flatMap((child) => sampleTree(Number(child))),
    ]
  } catch {
    // It has ended, or this isn't Linux.
    return []
  }
}

/** Memory of one process now. */
export function residentBytes(pid: number | undefined): number {
  return sampleTree(pid)[0]?.residentBytes ?? 0
}
