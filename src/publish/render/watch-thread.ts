import { Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'

/** Shared with the thread that renders: see `RenderWatch`. */
export interface WatchedWork {
  /** Odd while it works; changes when it begins and ends. */
  turns: Int32Array
  withinMs: number
}

/** Stack of work that was ended, in the form of `Error.stack`; empty if it waits for something. */
export interface LateWork {
  turn: number
  stack: string
}

// Counted instead of timed, so that a suspended computer is not late.
const LOOKS = 30
const PAUSED_WITHIN_MS = 1_000

const { turns, withinMs }: WatchedWork = workerData
let seen = 0
let looks = 0

setInterval(look, withinMs / LOOKS)

function look() {
  const turn = Atomics.load(turns, 0)
  looks = turn === seen ? looks + 1 : 0
  seen = turn
  if (turn % 2 === 0 || looks < LOOKS) return
  looks = Number.NEGATIVE_INFINITY
  end(turn)
}

// A thread that calculates is paused, which shows where, and then ended up to its event loop. One that waits answers, but
// isn't paused. One that does neither is in native code or on a busy machine: disconnecting then would leave it unable to
// be paused again.
function end(turn: number) {
  const session = new Session()
  const urls = new Map<string, string>()
  const tell = (stack: string) => {
    session.disconnect()
    looks = 0
    parentPort?.postMessage({ turn, stack } satisfies LateWork)
  }
  let waiting: NodeJS.Timeout | undefined
  session.connectToMainThread()
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  session.once('Debugger.paused', ({ params }) => {
    clearTimeout(waiting)
    if (Atomics.load(turns, 0) !== turn) return session.disconnect()
    const frames = params.callFrames.map(
      ({ location: { scriptId, lineNumber, columnNumber = 0 } }) =>
        `at ${urls.get(scriptId)}:${lineNumber + 1}:${columnNumber + 1}`,
    )
    session.post('Debugger.resume', { terminateOnResume: true }, () => tell(frames.join('\n')))
  })
  session.post('Debugger.enable', () =>
    session.post('Debugger.pause', () => {
      waiting = setTimeout(() => tell(''), PAUSED_WITHIN_MS)
    }),
  )
}
