import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atEnd } from './at-end.ts'
import { keepPictures, lendPictures } from './drawn-pictures.ts'
import { ownEnvironment } from './own-environment.ts'

export const PROJECT_DIR = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
export const EXAMPLE_CONTENT = fileURLToPath(new URL('../../content', import.meta.url))

const READY = /Signpost is ready: (\S+)/
// The first start of a site builds its templates: a minute or more on a busy machine.
const START_DEADLINE_MS = 300_000
const SHORTEST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 100
const SCRIPT_DEADLINE_MS = 120_000
/** The program promises 10 s after SIGTERM; a process that takes longer hangs, or has left one behind. */
const END_DEADLINE_MS = 15_000

export interface RunningSite {
  url: string
  process: ChildProcess
  /** Everything it printed, for messages of failing tests. */
  output(): string
  /** The part of it on stdout. */
  log(): string
  /** Sends this signal and waits for the end; throws if it, or a process it started, is still alive after 15 s. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

interface SiteOptions {
  dataDir: string
  contentDir?: string
  port?: number
  /** A site with the program as a package. Default: the program's own repository. */
  siteDir?: string
  /** The repository of another version. */
  programDir?: string
  environment?: Record<string, string>
}

/** Path of the `signpost` command in a site with the program as a package. */
export const INSTALLED_PROGRAM = 'node_modules/signpost/package/scripts/signpost.js'

/** Runs `scripts/start.ts` like `npm start` and waits until it serves. Stopped when the test ends. */
export async function startSite(t: TestContext, options: SiteOptions): Promise<RunningSite> {
  const port = options.port ?? (await freePort())
  lendPictures(options.dataDir)
  const { siteDir, programDir = PROJECT_DIR } = options
  const child = spawn(process.execPath, siteDir ? [INSTALLED_PROGRAM, 'start'] : ['scripts/start.ts'], {
    cwd: siteDir ?? programDir,
    env: scriptEnvironment({ ...options, port }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(child.stdout, child.stderr)
  const site: RunningSite = {
    url: `http://127.0.0.1:${port}`,
    process: child,
    output,
    log: collectOutput(child.stdout),
    end: (signal) => endProcess(child, signal, output),
  }
  atEnd(t, () => site.end('SIGTERM'))
  await waitFor(() => READY.test(output()) || child.exitCode !== null, START_DEADLINE_MS)
  if (!READY.test(output())) throw new Error(`The site did not start:\n${output()}`)
  keepPictures(options.dataDir)
  return site
}

// `close` fires once nobody holds its pipes, so that a process left behind is noticed too.
async function endProcess(child: ChildProcess, signal: NodeJS.Signals, output: () => string) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const closed = once(child, 'close')
  child.kill(signal)
  const isClosed = await Promise.race([closed.then(() => true), wait(END_DEADLINE_MS, false, { ref: false })])
  if (isClosed) return child.exitCode
  const left = child.exitCode === null && child.signalCode === null ? 'It' : 'A process that it started'
  child.kill('SIGKILL')
  for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  throw new Error(`${left} was there ${END_DEADLINE_MS} ms after ${signal}:\n${output()}`)
}

/** Runs one of the scripts, such as `build.ts`, to its end; it is killed after two minutes. */
export async function runScript(script: string, options: SiteOptions & { arguments?: string[] }) {
  lendPictures(options.dataDir)
  const child = spawn(process.execPath, [`scripts/${script}`, ...(options.arguments ?? [])], {
    cwd: PROJECT_DIR,
    env: scriptEnvironment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SCRIPT_DEADLINE_MS,
    killSignal: 'SIGKILL',
  })
  const output = collectOutput(child.stdout, child.stderr)
  const [code] = await once(child, 'close')
  return { code: code as number | null, output: output() }
}

/** Waits until the condition holds; throws after the deadline. Checks less often the longer it takes. */
export async function waitFor(condition: () => unknown, deadlineMs = 30_000): Promise<void> {
  const startedAt = performance.now()
  while (!(await condition())) {
    const waitedMs = performance.now() - startedAt
    if (waitedMs > deadlineMs) throw new Error(`Waited ${deadlineMs} ms for: ${condition}`)
    // Checks that render a page would take processor time from what they wait for.
    await wait(Math.min(Math.max(waitedMs / 10, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS))
  }
}

// Below the ports that systems give to connections and to listeners on port 0, and above those that fetch refuses, of
// which 10080 is the last.
const OWN_PORTS = { from: 10_100, to: 32_000 }

/** Finds a free port, which no connection of another test takes before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(OWN_PORTS.from, OWN_PORTS.to)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** The environment of a script that a test starts: its own folders, and none of the machine's settings. */
export function scriptEnvironment({
  dataDir,
  contentDir = EXAMPLE_CONTENT,
  port = 4321,
  environment,
}: SiteOptions) {
  return ownEnvironment({
    HOST: '127.0.0.1',
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    CONTENT_DIR: contentDir,
    WEBHOOK_ALLOW: '127.0.0.0/8',
    RATE_LIMIT: 'off',
    ...environment,
  })
}

/** Collects the output of these streams; call the result to read it. */
export function collectOutput(...streams: Readable[]): () => string {
  let output = ''
  for (const stream of streams) stream.on('data', (chunk) => (output += chunk))
  return () => output
}
