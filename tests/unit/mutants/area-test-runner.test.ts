import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as collector from '#scripts/mutants/collected-tests.ts'
import { ownEnvironment } from '../../support/own-environment.ts'

const PROJECT = join(import.meta.dirname, '../../..')
const FOLDER = join(import.meta.dirname, '../../fixtures/mutants')

test('mutants run in one process with each test that passes twice', () => {
  const { leftOut, tests, outcomes, reached } = runMutants(
    'killed',
    'harmless',
    'killed in a part',
    'in a program',
  )
  assert.deepEqual(tests, [
    'noticed.ts › engine › is ready',
    'noticed.ts › notices it in a part',
    'noticed.ts › notices the mutant "killed"',
    'noticed.ts › reaches mutants elsewhere',
    'noticed.ts › still fails after the mutant "trace"',
    'noticed.ts › waits for ever at its end with the mutant "hung at its end"',
    'noticed.ts › waits for ever with the mutant "hung"',
  ])
  assert.match(leftOut[0], /^Left out, fails when it runs again .*: noticed.ts › passes once$/s)
  assert.match(leftOut[1], /^Left out, fails with counters in the code .*: noticed.ts › never passes$/s)
  assert.equal(leftOut.length, 2)
  const elsewhere = ['in a process', 'in a thread', 'in a bare thread']
  assert.deepEqual(
    reached,
    elsewhere.map((mutant) => `noticed.ts › reaches mutants elsewhere: ${mutant}`),
  )
  assert.deepEqual(outcomes, {
    killed: ['noticed.ts › notices the mutant "killed"'],
    harmless: 'survived',
    'killed in a part': ['noticed.ts › notices it in a part'],
    'in a program': ['noticed.ts › engine › is ready'],
  })
})

test('a process with traces of a mutant runs no other', () => {
  const traced = ['noticed.ts › still fails after the mutant "trace"']
  const refused = 'Error: A mutant left traces in this process'
  assert.deepEqual(runMutants('trace', 'harmless').outcomes, { trace: traced, harmless: refused })
  for (const mutant of ['hung', 'hung at its end'])
    assert.deepEqual(runMutants(mutant, 'harmless').outcomes, { [mutant]: 'timeout', harmless: refused })
  assert.deepEqual(runMutants('harmless', 'trace', 'killed').outcomes, {
    harmless: 'survived',
    trace: `Error: ${traced[0]} fails without a mutant`,
    killed: refused,
  })
})

test('the runner knows every function of node:test that tests import', () => {
  const imported = globSync('tests/**/*.ts', { cwd: PROJECT })
    .map((file) => /^import \{([^}]+)\} from 'node:test'$/m.exec(readFileSync(join(PROJECT, file), 'utf8')))
    .flatMap((found) => found?.[1]?.split(',') ?? [])
    .map((name) => name.trim())
    .filter((name) => !name.startsWith('type ') && name !== 'TestContext')
  assert.ok(imported.length > 100)
  assert.deepEqual(
    [...new Set(imported)].filter((name) => !Object.hasOwn(collector, name)),
    [],
  )
})

test('tests in a copy of the project load the code of that copy', (t) => {
  const reports = join(PROJECT, 'reports')
  mkdirSync(reports, { recursive: true })
  const copy = mkdtempSync(join(reports, 'copy-'))
  t.after(() => rmSync(copy, { recursive: true }))
  mkdirSync(join(copy, 'src'))
  const imports = { '#src/*': './src/*' }
  for (const [file, text] of [
    ['package.json', JSON.stringify({ type: 'module', imports })],
    ['src/app.ts', 'export const own: string = "the copy"'],
    ['own.test.ts', "import { own } from '#src/app.ts'\nconsole.log(own)"],
  ] as const)
    writeFileSync(join(copy, file), text)
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', join(PROJECT, 'tests/support/compile-cache.ts'), join(copy, 'own.test.ts')],
    { encoding: 'utf8', env: ownEnvironment({}) },
  )
  assert.equal(stdout.trim(), 'the copy', stderr)
})

function runMutants(...mutants: string[]) {
  const reaching = ['--import', join(PROJECT, 'scripts/mutants/reached-elsewhere.ts')]
  const program = ['--test-reporter=tap', '--test-reporter-destination=stderr', 'run-mutants.ts']
  const { stdout } = spawnSync(process.execPath, [...reaching, ...program, ...mutants], {
    cwd: FOLDER,
    encoding: 'utf8',
    env: ownEnvironment({}),
  })
  assert.match(stdout, /^ended\{/)
  return JSON.parse(stdout.slice('ended'.length))
}
