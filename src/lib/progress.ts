import cliProgress from 'cli-progress'

const LINE_INTERVAL_MS = 2_000

/** A step of long work: what records store, and what a terminal shows, such as `Rendering pages`. */
export interface Step {
  code: string
  text: string
}

/** Shows the progress of long work: a bar on a terminal, otherwise a line every two seconds. */
export interface Progress {
  /** Starts a step. */
  phase(step: Step): void
  update(done: number, total: number): void
  finish(): void
}

export function createProgress(label: string, output: NodeJS.WriteStream = process.stderr): Progress {
  return output.isTTY ? progressBar(label, output) : progressLines(label, output)
}

/** For callers that want no output. */
export const silentProgress: Progress = { phase() {}, update() {}, finish() {} }

/** Reports to both. */
export function joinProgress(first: Progress, second: Progress): Progress {
  return {
    phase(step) {
      first.phase(step)
      second.phase(step)
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
    phase({ text }) {
      if (started) bar.stop()
      started = false
      current = text
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
    phase({ text }) {
      current = text
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
