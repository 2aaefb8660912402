import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import type { Progress } from '../../lib/progress.ts'
import type { PublishOutcome } from '../record-publish.ts'
import { type ProgressStep, type PublishRequest, progressOf, showStep, type WarmSite } from './warm-calls.ts'

const OWNER_ONLY = 0o700
// macOS allows 104 bytes, Linux 108.
const LONGEST_PATH = 100

/** A command's request to the server that runs on its folder. */
interface Question {
  site: WarmSite
  request: PublishRequest
}

/** Lines of JSON; all but the last are steps. */
type Answer =
  | { kind: 'step'; step: ProgressStep }
  | { kind: 'done'; outcome: PublishOutcome }
  | { kind: 'failed'; message: string }
  /** The server publishes another site, such as one with another `SITE_URL`, or is shutting down. */
  | { kind: 'declined' }

/** Publishes for a command. */
type Publish = (request: PublishRequest, progress: Progress) => Promise<PublishOutcome | undefined>

/**
 * Listens in `DATA_DIR/run` for commands that want to publish. Only the owner of that folder can connect. Where
 * sockets are impossible, such as on some shared folders, commands work alone. Returns a function that stops it.
 */
export function listenForCommands(site: WarmSite, publish: Publish): () => void {
  const folder = folderOf(site)
  const path = shortest(join(folder, `publish-${process.pid}.sock`))
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}))
    answerCommand(socket, site, publish)
  })
  server.on('error', () => {})
  if (path.length <= LONGEST_PATH) {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
    rmSync(path, { force: true })
    server.listen(path).unref()
  }
  return () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

function answerCommand(socket: Socket, site: WarmSite, publish: Publish) {
  const send = (answer: Answer) => socket.writable && socket.write(`${JSON.stringify(answer)}\n`)
  onLines(socket, ({ site: wanted, request }: Question) => {
    answer(wanted, request).then((last) => {
      send(last)
      socket.end()
    })
  })

  async function answer(wanted: WarmSite, request: PublishRequest): Promise<Answer> {
    if (!isSameSite(wanted, site)) return { kind: 'declined' }
    try {
      const outcome = await publish(
        request,
        progressOf((step) => send({ kind: 'step', step })),
      )
      return outcome ? { kind: 'done', outcome } : { kind: 'declined' }
    } catch (error) {
      return { kind: 'failed', message: (error as Error).message }
    }
  }
}

// A line that isn't JSON ends the connection.
function onLines<Line>(socket: Socket, take: (line: Line) => void) {
  let rest = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    const lines = (rest + part).split('\n')
    rest = lines.pop() ?? ''
    try {
      for (const line of lines) take(JSON.parse(line))
    } catch {
      socket.destroy()
    }
  })
}

function isSameSite(one: WarmSite, other: WarmSite): boolean {
  return (['projectDir', 'dataDir', 'siteUrl', 'databaseUrl'] as const).every(
    (key) => one[key] === other[key],
  )
}

/**
 * Has the server that runs on a site's folder publish. Undefined if there is none or it shuts down meanwhile; throws
 * if the publish fails.
 */
export async function askServer(
  site: WarmSite,
  request: PublishRequest,
  progress: Progress,
): Promise<PublishOutcome | undefined> {
  for (const path of listSockets(site)) {
    const answer = await askAt(path, { site, request }, progress)
    if (answer?.kind === 'failed') throw new Error(answer.message)
    if (answer?.kind === 'done') return answer.outcome
  }
  return undefined
}

function askAt(path: string, question: Question, progress: Progress): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
  const socket = createConnection(path)
  socket.on('connect', () => socket.write(`${JSON.stringify(question)}\n`))
  // A socket left behind by a killed server refuses connections.
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ECONNREFUSED') rmSync(path, { force: true })
  })
  // Without a response if the server ends.
  socket.on('close', () => resolve(undefined))
  onLines(socket, (answer: Answer) =>
    answer.kind === 'step' ? showStep(progress, answer.step) : resolve(answer),
  )
  return promise.finally(() => socket.destroy())
}

function listSockets(site: WarmSite): string[] {
  try {
    const names = readdirSync(folderOf(site)).filter((name) => /^publish-\d+\.sock$/.test(name))
    return names.map((name) => shortest(join(folderOf(site), name)))
  } catch {
    return []
  }
}

function folderOf({ dataDir }: WarmSite): string {
  return join(dataDir, 'run')
}

function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path)
  return fromHere.length < path.length ? fromHere : path
}
