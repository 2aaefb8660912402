import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'
import { ownEnvironment } from './own-environment.ts'
import { freePort, PROJECT_DIR, waitFor } from './running-site.ts'
import { wasNewConnection } from './unaccepted-connections.ts'

const START_DEADLINE_MS = 120_000

export const VALID_ANSWERS = {
  full_name: 'Ann',
  email: 'ann@example.com',
  phone: '+1 512 555 0100',
  role: 'owner',
}

export interface SubmissionServer {
  process: ChildProcess
  port: number
  url: string
  /** Everything it logged. */
  output(): string
}

/**
 * The program without pages, in a process that tests may kill. Killed when the test ends. `fixture` names another file
 * that starts it, `programDir` the folder of another version.
 */
export async function startSubmissionServer(
  t: TestContext,
  dataDir: string,
  {
    port,
    fixture = 'submission-server.ts',
    programDir = PROJECT_DIR,
    ...environment
  }: { port?: number; fixture?: string; programDir?: string } & Record<string, string | number> = {},
): Promise<SubmissionServer> {
  port ??= await freePort()
  const url = `http://127.0.0.1:${port}`
  const own = {
    DATA_DIR: dataDir,
    PORT: port,
    SITE_URL: url,
    WEBHOOK_ALLOW: '127.0.0.0/8',
    RATE_LIMIT: 'off',
  }
  const variables = Object.entries({ ...own, LOG_LEVEL: 'silent', ...environment })
  const child = spawn(process.execPath, [join(programDir, 'tests/fixtures', fixture)], {
    cwd: programDir,
    env: ownEnvironment(Object.fromEntries(variables.map(([name, value]) => [name, String(value)]))),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(t, () => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  await waitFor(() => output.includes('listening') || hasEnded(), START_DEADLINE_MS)
  if (!output.includes('listening')) throw new Error('The server did not start')
  return { process: child, port, url, output: () => output }
}

/**
 * Posts to the waitlist, once per ID, until a post fails. Reports each acknowledged one and returns the error code,
 * such as `ECONNREFUSED`; undefined if the IDs run out.
 */
export async function postUntilGone(
  { url }: { url: string },
  { ids, onAccepted }: { ids: Iterator<string>; onAccepted: (id: string) => void },
): Promise<string | undefined> {
  for (let next = ids.next(); !next.done; next = ids.next()) {
    const response = await fetch(`${url}/api/forms/waitlist/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...VALID_ANSWERS, _id: next.value }),
    }).catch((error: Error) => error.cause as NodeJS.ErrnoException)
    if (!(response instanceof Response))
      return response.code === 'ECONNRESET' && wasNewConnection(response) ? 'ECONNREFUSED' : response.code
    if (response.status === 201) onAccepted(next.value)
    await response.arrayBuffer().catch(() => {})
    if (response.status === 500) return `HTTP ${response.status}`
  }
  return undefined
}
