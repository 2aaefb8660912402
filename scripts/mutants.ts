import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PartialStrykerOptions } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { nearestTests } from './mutants/nearest-tests.ts'
import { scoreOf } from './mutants/report.ts'

const PROJECT = join(import.meta.dirname, '..')
const REPORTS = 'reports/mutants'
const EVERY = 100

const command = {
  usage: usages.mutants,
  options: { force: { type: 'boolean' }, sample: { type: 'string' } },
} as const

await runCommand({ ...command, positionals: 1 }, async ({ force = false, sample }, [given = '']) => {
  const percent = Number(sample ?? EVERY)
  if (!(percent >= 1 && percent <= EVERY)) throw new WrongUsage(usageTexts.notPercent(sample ?? ''))
  const path = given.replace(/\/$/, '')
  if (!/^src\/./.test(path) || !existsSync(join(PROJECT, path)))
    throw new WrongUsage(usageTexts.notInSource(given))
  const tests = nearestTests(path)
  if (tests.length === 0) throw new WrongUsage(usageTexts.noTests(path))
  process.chdir(PROJECT)
  const results = await new Stryker({ ...optionsFor(path, tests, percent), force }).runMutationTest()
  console.table({ [path]: scoreOf(results) })
})

// Timing tests fail beside a second process that works as hard.
function optionsFor(
  path: string,
  areaTests: readonly string[],
  samplePercent: number,
): PartialStrykerOptions {
  const report = `${REPORTS}/${path.replaceAll('/', '-')}`
  return {
    // Browser scripts run only in end-to-end tests.
    mutate: path.endsWith('.ts') ? [path] : [`${path}/**/*.ts`, '!**/*.client.ts'],
    plugins: ['./scripts/mutants/test-runner.ts', './scripts/mutants/ignored-texts.ts'],
    testRunner: 'area',
    testRunnerNodeArgs: [
      '--import',
      './tests/support/compile-cache.ts',
      '--import',
      './scripts/mutants/reached-elsewhere.ts',
      '--test-reporter=tap',
      '--test-reporter-destination=/dev/null',
    ],
    areaTests,
    samplePercent,
    areaOnPGlite: path.startsWith('src/db'),
    ignorers: ['texts'],
    ignoreStatic: true,
    coverageAnalysis: 'perTest',
    concurrency: 1,
    dryRunTimeoutMinutes: 30,
    // A sample would be mistaken for the results of a whole run.
    incremental: samplePercent === EVERY,
    incrementalFile: `${report}.json`,
    htmlReporter: { fileName: `${report}.html` },
    reporters: ['clear-text', 'progress-append-only', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    tempDirName: `${REPORTS}/sandbox`,
    ignorePatterns: ['/reports', '/data', '/dist', '/.git'],
    disableTypeChecks: false,
  }
}
