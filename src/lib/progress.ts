import cliProgress from 'cli-progress'

const LINE_INTERVAL_MS = 2_000

/** Shows how far long work is: a bar on a terminal, a plain line every two seconds elsewhere. */
export interface Progress {
  /** A step of the work begins; what it does, such as `Rendering pages`. */
  phase(name: string): void
  update(done: number, total: number): void
  finish(): void
}

export function createProgress(label: string, output: NodeJS.WriteStream = process.stderr): Progress {
  return output.isTTY ? progressBar(label, output) : progressLines(label, output)
}

/** For callers that want no output. */
export const silentProgress: Progress = { phase() {}, update() {}, finish() {} }

/** Tells two. */
export function joinProgress(first: Progress, second: Progress): Progress {
  return {
    phase(name) {
      first.phase(name)
      second.phase(name)
    },
    update(done, total) {
      first.update(done, total)
      second.update(done, total)
    },
    finish() {
      first.finish()
      second.finish()
    },
  }
}

function progressBar(label: string, stream: NodeJS.WriteStream): Progress {
  const bar = new cliProgress.SingleBar({
    format: '{label} {bar} {value}/{total} ({eta_formatted} left)',
    stream,
    hideCursor: true,
    clearOnComplete: true,
  })
  let started = false
  let current = label
  return {
    phase(name) {
      if (started) bar.stop()
      started = false
      current = name
    },
    update(done, total) {
      if (!started) bar.start(total, 0, { label: current })
      started = true
      bar.setTotal(total)
      bar.update(done)
    },
    finish() {
      if (started) bar.stop()
      started = false
    },
  }
}

function progressLines(label: string, output: NodeJS.WriteStream): Progress {
  let lastLineAt: number | undefined
  let current = label
  return {
    phase(name) {
      current = name
    },
    update(done, total) {
      lastLineAt ??= Date.now()
      if (Date.now() - lastLineAt < LINE_INTERVAL_MS) return
      lastLineAt = Date.now()
      output.write(`${current}: ${done} of ${total}\n`)
    },
    finish() {},
  }
}
