import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const PROJECT_DIR = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** A server in its own process, and the URL to request. */
export interface Target {
  server: string
  path: string
  port: number
  process: ChildProcess
  /** Body of its posts, if not the default. */
  body?: string
}

/** Starts it and waits until it prints that it is ready. */
export function startServer(
  server: string,
  path: string,
  port: number,
  command: string[],
  env: object = {},
): Promise<Target> {
  const child = spawn(process.execPath, command, {
    cwd: PROJECT_DIR,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.on('close', () => reject(new Error(`${server} did not start`)))
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('ready')) resolve({ server, path, port, process: child })
    })
  })
}
