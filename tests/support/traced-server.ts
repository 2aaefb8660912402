import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './database.ts'
import { skipWithout } from './needed-tool.ts'
import { ownEnvironment } from './own-environment.ts'
import { freePort, PROJECT_DIR, waitFor } from './running-site.ts'

const CALLS =
  'pwrite64,write,writev,sendto,sendmsg,copy_file_range,sendfile,fsync,fdatasync,rename,link,mkdir,execve'

const hasStrace = spawnSync('strace', ['-V']).status === 0

/** Reason for skipping tests that watch system calls on this machine, or false. */
export const withoutStrace = skipWithout(hasStrace, 'strace is not installed; .ci/run installs it')

/**
 * Runs `post` against tests/fixtures/submission-server.ts under strace; returns its system calls in order of
 * completion.
 */
export async function traceServer(
  t: TestContext,
  { serverArguments = [], post }: { serverArguments?: string[]; post: (url: string) => Promise<unknown> },
): Promise<string[]> {
  const dataDir = temporaryFolder(t)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const log = join(dataDir, 'strace.log')
  const server = [process.execPath, join(PROJECT_DIR, 'tests/fixtures/submission-server.ts')]
  const settings = { DATA_DIR: dataDir, PORT: String(port), SITE_URL: url, LOG_LEVEL: 'silent' }
  const child = spawn('strace', [...tracingTo(log), ...server, ...serverArguments], {
    cwd: PROJECT_DIR,
    env: ownEnvironment({ ...settings, RATE_LIMIT: 'off' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(t, () => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await waitFor(() => /pid \d+/.test(output), 60_000)
  await post(url)
  const closed = once(child, 'close')
  process.kill(Number(/pid (\d+)/.exec(output)?.[1]), 'SIGKILL')
  await closed
  return readCalls(log)
}

/** Arguments of strace before the command. */
export function tracingTo(log: string): string[] {
  return ['-f', '-y', '-s', '24', '-o', log, '-e', `trace=${CALLS}`]
}

/** Parses its system calls, in order of completion. */
export async function readCalls(log: string): Promise<string[]> {
  return completedCalls(await readFile(log, 'utf8'))
}

// Another thread's call may interrupt a line; the call counts when it completes.
function completedCalls(trace: string): string[] {
  const begun = new Map<string, string>()
  return trace.split('\n').flatMap((line) => {
    const [, thread = '', call = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (!call.endsWith('<unfinished ...>'))
      return call.startsWith('<... ') ? (begun.get(thread) ?? []) : [call]
    begun.set(thread, call)
    return []
  })
}
