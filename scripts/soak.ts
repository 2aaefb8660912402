import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Failure } from '../src/lib/messages.ts'
import { soakTexts } from '../src/messages/command-line/soak.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { PROMISES, type PromiseTest } from './soak/promises.ts'

/** A test that takes longer has hung. The longest one sends 100,000 requests: 35 minutes, and hours on a busy machine. */
const LONGEST_MS = 4 * 60 * 60_000

interface Result {
  promise: string
  outcome: 'passed' | 'failed' | 'not tested'
  figures: string[]
  seconds: number
}

await runCommand(
  {
    usage: usages.soak,
    options: { only: { type: 'string' }, short: { type: 'boolean', default: false } },
  },
  async ({ only = '', short }) => {
    const chosen = PROMISES.filter(({ promise, file }) => `${promise} ${file}`.includes(only))
    if (chosen.length === 0) throw new WrongUsage(usageTexts.promiseUnknown(only))
    const results: Result[] = []
    for (const [index, one] of chosen.entries()) {
      process.stderr.write(`${soakTexts.trying(index + 1, chosen.length, one.promise)}\n`)
      results.push(await tryPromise(one, { short }))
    }
    printTable(results)
    const count = (wanted: Result['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
    const [broken, untried] = [count('failed'), count('not tested')]
    if (broken > 0) throw new Failure(soakTexts, 'broken', broken, results.length)
    if (untried > 0) throw new Failure(soakTexts, 'untried', untried, results.length)
  },
)

async function tryPromise(
  { promise, file, name }: PromiseTest,
  { short }: { short: boolean },
): Promise<Result> {
  const startedAt = performance.now()
  const chosen = name === undefined ? [] : [`--test-name-pattern=${name}`]
  const options = [`--test-timeout=${LONGEST_MS}`, '--test-reporter=spec', ...chosen]
  // Servers that a test kills and starts again load their modules faster.
  const cached = ['--import', './tests/support/compile-cache.ts']
  const child = spawn(process.execPath, [...cached, '--test', ...options, file], {
    env: { ...process.env, SOAK: short ? '' : '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) process.stderr.write(output)
  return {
    promise,
    outcome: code === 0 ? outcomeOf(output) : 'failed',
    figures: figuresOf(output),
    seconds: Math.round((performance.now() - startedAt) / 1_000),
  }
}

// A table of cases has no figure except its number of cases.
function figuresOf(output: string): string[] {
  const figures = [...output.matchAll(/figure: (.*)$/gm)].map(([, figure = '']) => figure)
  return figures.length > 0 ? figures : [soakTexts.cases(countOf('pass', output), countOf('tests', output))]
}

// Not tested: what this machine can't run, and tests that no longer exist.
function outcomeOf(output: string): Result['outcome'] {
  return countOf('pass', output) > 0 && countOf('skipped', output) === 0 ? 'passed' : 'not tested'
}

function countOf(what: 'tests' | 'pass' | 'skipped', output: string): number {
  return Number(new RegExp(`^ℹ ${what} (\\d+)`, 'm').exec(output)?.[1] ?? 0)
}

function printTable(results: readonly Result[]) {
  console.log('| promise | figure | outcome | seconds |')
  console.log('| --- | --- | --- | --- |')
  for (const { promise, outcome, figures, seconds } of results) {
    console.log(`| ${promise} | ${figures.join('; ')} | ${outcome} | ${seconds} |`)
  }
}
