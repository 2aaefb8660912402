// Runs the given test files, or all of them.
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { listTestFiles } from './test-files.ts'

// One more than there are processors, because most files spend time waiting. Each may open connections to the same
// PostgreSQL server.
const AT_ONCE = Math.min(availableParallelism() + 1, 8)
const LONGEST_MS = 600_000
const FAILED = 1

const named = process.argv.slice(2)
const files = (named.length > 0 ? named : listTestFiles()).map((file) => resolve(file))
// On busy processors, the helpers of the garbage collector take longer to meet than they save.
const execArgv = ['--no-parallel-scavenge']
const results = run({ files, concurrency: AT_ONCE, timeout: LONGEST_MS, execArgv })
results.on('test:fail', () => {
  process.exitCode = FAILED
})
results.compose(new spec()).pipe(process.stdout)
