import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { runCommand, WrongUsage } from './command-line.ts'
import { PROMISES, type PromiseTest } from './soak/promises.ts'

interface Result {
  promise: string
  passed: boolean
  figures: string[]
  seconds: number
}

await runCommand(
  {
    usage:
      'npm run soak [-- --only WORD]   the promises at their full length; --only takes those that name the word',
    options: { only: { type: 'string' } },
  },
  async ({ only = '' }) => {
    const chosen = PROMISES.filter(({ promise, file }) => `${promise} ${file}`.includes(only))
    if (chosen.length === 0) throw new WrongUsage(`No promise names "${only}"`)
    const results: Result[] = []
    for (const [index, one] of chosen.entries()) {
      process.stderr.write(`${index + 1} of ${chosen.length}: ${one.promise}\n`)
      results.push(await keep(one))
    }
    printTable(results)
    const broken = results.filter(({ passed }) => !passed)
    if (broken.length > 0) throw new Error(`${broken.length} of ${results.length} promises were not kept`)
  },
)

async function keep({ promise, file, name }: PromiseTest): Promise<Result> {
  const startedAt = performance.now()
  const chosen = name === undefined ? [] : [`--test-name-pattern=${name}`]
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', ...chosen, file], {
    env: { ...process.env, SOAK: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) process.stderr.write(output)
  return {
    promise,
    passed: code === 0 && !/^ℹ skipped [1-9]/m.test(output),
    figures: [...output.matchAll(/figure: (.*)$/gm)].map(([, figure = '']) => figure),
    seconds: Math.round((performance.now() - startedAt) / 1_000),
  }
}

function printTable(results: readonly Result[]) {
  console.log('| promise | measured | time |')
  console.log('| --- | --- | --- |')
  for (const { promise, passed, figures, seconds } of results) {
    console.log(`| ${promise} | ${passed ? figures.join('; ') || 'kept' : '**not kept**'} | ${seconds} s |`)
  }
}
