import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Runs a command of `scripts` in its own process, because it blocks a thread. Throws its message if it fails, and ends
 * it if the signal is aborted.
 */
export async function runScript(
  name: 'backup' | 'vacuum',
  { args = [], environment }: { args?: readonly string[]; environment: Record<string, string> },
  signal: AbortSignal,
): Promise<void> {
  const script = fileURLToPath(import.meta.resolve(`#scripts/${name}.ts`))
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  let reason = ''
  child.stderr.on('data', (chunk) => (reason += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(reason.trim())
}
