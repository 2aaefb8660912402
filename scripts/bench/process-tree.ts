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
  /** Maximum memory of all processes at one time. */
  peakBytes: number
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
  const before = sampleTree(pid).reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  const cpu = new Map<number, number>()
  let peakBytes = 0
  const sample = () => {
    const processes = sampleTree(pid)
    for (const { pid: one, cpuMs } of processes) cpu.set(one, cpuMs)
    peakBytes = Math.max(
      peakBytes,
      processes.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    )
  }
  const timer = setInterval(sample, SAMPLE_MS)
  return {
    end() {
      clearInterval(timer)
      sample()
      const cpuMs = [...cpu.values()].reduce((sum, ms) => sum + ms, 0) - before
      return { wallMs: performance.now() - startedAt, cpuMs, peakBytes }
    },
  }
}

function sampleTree(pid: number | undefined): { pid: number; cpuMs: number; residentBytes: number }[] {
  if (pid === undefined) return []
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const cpuMs = TIMES.reduce((sum, field) => sum + Number(fields[field]) * TICK_MS, 0)
    const residentBytes = Number(fields[RESIDENT]) * PAGE_BYTES
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return [{ pid, cpuMs, residentBytes }, ...children.flatMap((child) => sampleTree(Number(child)))]
  } catch {
    // It has ended, or this isn't Linux.
    return []
  }
}

/** Memory of one process now. */
export function residentBytes(pid: number | undefined): number {
  return sampleTree(pid)[0]?.residentBytes ?? 0
}

/** Time that a process has waited for a processor, because others used it; 0 if it isn't known. */
export function waitedMs(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
