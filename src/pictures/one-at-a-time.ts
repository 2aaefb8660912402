let last: Promise<unknown> = Promise.resolve()

/** Does work after all work that was handed in before: a large picture takes memory, and all processors. */
export function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work, work)
  last = turn.catch(() => {})
  return turn
}
