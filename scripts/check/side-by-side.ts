// Runs npm scripts in lanes, `"lint unused" types`: the scripts of a lane one after another, the lanes in parallel.
// Prints a script's whole output when it ends, so that outputs don't mix. Runs every script; fails if any fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const FAILED = 1

async function runLane(scripts: readonly string[]): Promise<boolean[]> {
  const passed: boolean[] = []
  for (const script of scripts) passed.push(await runScript(script))
  return passed
}

async function runScript(script: string): Promise<boolean> {
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const written: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => written.push(chunk))
  const [code] = await once(child, 'close')
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  process.stdout.write(`\n${code === 0 ? '✔' : '✖'} npm run ${script} (${seconds} s)\n`)
  process.stdout.write(Buffer.concat(written))
  return code === 0
}

const lanes = process.argv.slice(2).map((lane) => lane.split(' '))
const passed = await Promise.all(lanes.map(runLane))
if (passed.flat().includes(false)) process.exitCode = FAILED
