/** Difference between two times as a share of the second: 0.1 is 10 %. */
export interface Difference {
  byClock: number
  /** By this process's CPU time, so that other programs don't count. */
  byProcessor: number
}

/**
 * Compares two tasks by the medians of their differences in `rounds` pairs, run one right after the other in
 * alternating order, so that a busy machine slows both.
 */
export async function compareTimes(
  rounds: number,
  one: (round: number) => Promise<unknown>,
  other: (round: number) => Promise<unknown>,
): Promise<Difference> {
  const pairs: [Times, Times][] = []
  for (let round = 0; round < rounds; round++) {
    const first = await timesOf(() => (round % 2 ? one : other)(round))
    const second = await timesOf(() => (round % 2 ? other : one)(round))
    pairs.push(round % 2 ? [first, second] : [second, first])
  }
  return { byClock: differenceOf(pairs, 'clockMs'), byProcessor: differenceOf(pairs, 'processorMs') }
}

interface Times {
  clockMs: number
  processorMs: number
}

async function timesOf(work: () => Promise<unknown>): Promise<Times> {
  const [startedAt, usage] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(usage)
  return { clockMs: performance.now() - startedAt, processorMs: (user + system) / 1_000 }
}

function differenceOf(pairs: readonly [Times, Times][], time: keyof Times): number {
  const differences = pairs.map(([one, other]) => one[time] - other[time])
  return Math.abs(median(differences)) / median(pairs.map(([, other]) => other[time]))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
