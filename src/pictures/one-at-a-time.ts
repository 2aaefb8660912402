let last: Promise<unknown> = Promise.resolve()

/** Runs work after all earlier work has finished, because a large picture takes memory and all processors. */
export function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work, work)
  last = turn.catch(() => {})
  return turn
}
