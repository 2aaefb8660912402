import cliProgress from 'cli-progress'

const LINE_INTERVAL_MS = 2_000

/** Shows how far long work is: a bar on a terminal, a plain line every two seconds elsewhere. */
export interface Progress {
  update(done: number, total: number): void
  finish(): void
}

export function createProgress(label: string, output: NodeJS.WriteStream = process.stderr): Progress {
  return output.isTTY ? progressBar(label, output) : progressLines(label, output)
}

/** For callers that want no output. */
export const silentProgress: Progress = { update() {}, finish() {} }

function progressBar(label: string, stream: NodeJS.WriteStream): Progress {
  const bar = new cliProgress.SingleBar({
    format: `${label} {bar} {value}/{total} ({eta_formatted} left)`,
    stream,
    hideCursor: true,
    clearOnComplete: true,
  })
  let started = false
  return {
    update(done, total) {
      if (!started) bar.start(total, 0)
      started = true
      bar.setTotal(total)
      bar.update(done)
    },
    finish() {
      if (started) bar.stop()
    },
  }
}

function progressLines(label: string, output: NodeJS.WriteStream): Progress {
  let lastLineAt: number | undefined
  return {
    update(done, total) {
      lastLineAt ??= Date.now()
      if (Date.now() - lastLineAt < LINE_INTERVAL_MS) return
      lastLineAt = Date.now()
      output.write(`${label}: ${done} of ${total}\n`)
    },
    finish() {},
  }
}
