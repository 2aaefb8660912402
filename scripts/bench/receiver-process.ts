import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

const NANOSECONDS_PER_MS = 1e6

/** Receivers in their own process. */
export interface ReceiverProcess {
  /** URLs that answer 200; a request to their path `/report` is reported. */
  origins: string[]
  /** URLs that accept a request and never answer. */
  tarPits: string[]
  /** Resolves with the times of the next reported requests, in milliseconds of `monotonicMs`. */
  nextArrivals(count: number): Promise<number[]>
  stop(): void
}

/** Milliseconds of a clock shared by all processes of the machine. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / NANOSECONDS_PER_MS
}

export async function startReceiverProcess(): Promise<ReceiverProcess> {
  const receiver = fork(new URL('./loopback-receiver.ts', import.meta.url))
  const [{ answering, tarPits }] = await once(receiver, 'message')
  return {
    origins: answering,
    tarPits,
    nextArrivals: (count) => collectArrivals(receiver, count),
    stop: () => receiver.disconnect(),
  }
}

function collectArrivals(receiver: ChildProcess, count: number): Promise<number[]> {
  return new Promise((resolve) => {
    const arrivals: number[] = []
    const onReport = (report: unknown) => {
      const { at } = report as { at: string }
      arrivals.push(Number(BigInt(at)) / NANOSECONDS_PER_MS)
      if (arrivals.length < count) return
      receiver.off('message', onReport)
      resolve(arrivals)
    }
    receiver.on('message', onReport)
  })
}
