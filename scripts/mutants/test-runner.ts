import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import {
  INSTRUMENTER_CONSTANTS,
  type InstrumenterContext,
  type StrykerOptions,
} from '@stryker-mutator/api/core'
import type { Logger } from '@stryker-mutator/api/logging'
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin'
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner'
import { type CollectedTest, collectTests, endTests } from './collected-tests.ts'
import { isInSample, NOT_IN_SAMPLE } from './sample.ts'

const { ACTIVE_MUTANT_ENV_VARIABLE, NAMESPACE } = INSTRUMENTER_CONSTANTS
const LIKELIEST = 2
// The same tests run on SQLite too, ten times as fast.
const ON_PGLITE = /\bPGlite\b/
// Milliseconds of processor time, which don't depend on other work.
const SLOW = 2000
const LONGEST_FOR_MUTANT = 3000
// Milliseconds of the clock.
const LONGEST_WAIT_FOR_MUTANT = 12_000

const instrumented: InstrumenterContext = {}
Object.assign(globalThis, { [NAMESPACE]: instrumented })

/**
 * Runs an area's tests in one process, one mutant after another. Loading the modules takes a hundred times as long
 * as most tests, and Stryker's TAP runner loads them for every mutant and file.
 */
class AreaTestRunner implements TestRunner {
  static inject = tokens(commonTokens.options, commonTokens.logger)
  readonly #files: string[]
  readonly #isOnPGliteToo: boolean
  readonly #samplePercent: number
  readonly #log: Logger
  readonly #folder = mkdtempSync(join(tmpdir(), 'signpost-mutants-'))
  #tests = new Map<string, CollectedTest>()
  #lastNoticing: string[] = []
  #mutantsRun = 0
  #isSpoiled = false

  constructor(options: StrykerOptions, log: Logger) {
    this.#files = options.areaTests as string[]
    this.#isOnPGliteToo = options.areaOnPGlite === true
    this.#samplePercent = options.samplePercent as number
    this.#log = log
  }

  // Mutants of code that runs while modules load are ignored, so nothing is ever reloaded.
  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    registerHooks({ resolve: giveStandIn })
    // Handles that tests leave open would keep the process alive after Stryker has ended.
    process.once('disconnect', () => process.exit(1))
    for (const file of this.#files) {
      const tests = await collectTests(file, pathToFileURL(join(process.cwd(), file)).href)
      for (const test of tests)
        if (this.#isOnPGliteToo || !ON_PGLITE.test(test.id)) this.#tests.set(test.id, test)
    }
  }

  /** Finds the tests that pass twice in this process. Mutants are tried with these, fastest first. */
  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = []
    for (const test of this.#tests.values()) {
      const tried = await this.#try(test)
      if (typeof tried === 'string') this.#log.warn(`Left out, ${tried}: ${test.id}`)
      else tests.push(tried)
    }
    tests.sort((a, b) => a.timeSpentMs - b.timeSpentMs)
    const { static: atLoad = {}, perTest = {} } = instrumented.mutantCoverage ?? {}
    const ordered = Object.fromEntries(tests.map(({ id }) => [id, perTest[id] ?? {}]))
    return { status: DryRunStatus.Complete, tests, mutantCoverage: { static: atLoad, perTest: ordered } }
  }

  async mutantRun({ activeMutant, hitLimit, testFilter = [] }: MutantRunOptions): Promise<MutantRunResult> {
    if (!isInSample(activeMutant, this.#samplePercent))
      return { status: MutantRunStatus.Error, errorMessage: NOT_IN_SAMPLE }
    if (this.#isSpoiled) throw new Error('A mutant left traces in this process')
    this.#mutantsRun++
    const time = startTimer()
    let nrOfTests = 0
    for (const id of this.#likeliestFirst(testFilter)) {
      // Running all tests that reach a mutant may take minutes.
      const { workedMs, passedMs } = time()
      if (workedMs > LONGEST_FOR_MUTANT || passedMs > LONGEST_WAIT_FOR_MUTANT) break
      nrOfTests++
      activate(activeMutant.id, hitLimit)
      const failure = await this.#tests.get(id)?.run()
      const isEndless = determineHitLimitReached(instrumented.hitCount, hitLimit) !== undefined
      activate(undefined, undefined)
      if (failure === undefined && !isEndless) continue
      this.#lastNoticing = [...new Set([id, ...this.#lastNoticing])].slice(0, LIKELIEST)
      return this.#judge(id, { failure, isEndless, nrOfTests })
    }
    return { status: MutantRunStatus.Survived, nrOfTests }
  }

  // The next mutant is close to the last one.
  #likeliestFirst(ids: readonly string[]): Set<string> {
    return new Set([...this.#lastNoticing.filter((id) => ids.includes(id)), ...ids])
  }

  async dispose() {
    await endTests()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  // Returns why a test isn't used for mutants, or undefined.
  async #try(test: CollectedTest): Promise<TestResult | string> {
    instrumented.currentTestId = test.id
    const first = await notingElsewhere(test.id, this.#folder, () => test.run())
    delete instrumented.currentTestId
    if (first !== undefined) return `fails with counters in the code (${first})`
    const time = startTimer()
    const again = await test.run()
    if (again !== undefined) return `fails when it runs again (${again})`
    const { workedMs, passedMs } = time()
    const { id, file: fileName } = test
    if (workedMs > SLOW) return 'slow'
    return { id, name: id, fileName, timeSpentMs: passedMs, status: TestStatus.Success }
  }

  // A test that still fails without the mutant may have failed because of an earlier one: then the mutant is tried
  // again in a new process, which Stryker starts when this one throws.
  async #judge(
    id: string,
    {
      failure = '',
      isEndless,
      nrOfTests,
    }: { failure?: string | undefined; isEndless: boolean; nrOfTests: number },
  ): Promise<MutantRunResult> {
    if (isEndless || failure.includes('test timed out')) {
      // Something may still be waiting or looping.
      this.#isSpoiled = true
      return { status: MutantRunStatus.Timeout, reason: failure }
    }
    if ((await this.#tests.get(id)?.run()) !== undefined) {
      this.#isSpoiled = true
      if (this.#mutantsRun > 1) throw new Error(`${id} fails without a mutant`)
    }
    return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage: failure, nrOfTests }
  }
}

// Notes the mutants that a test reaches in threads and processes of its own, too. What they reach after the test has
// ended is lost.
async function notingElsewhere<T>(testId: string, folder: string, run: () => Promise<T>): Promise<T> {
  const file = join(folder, randomUUID())
  const { NODE_OPTIONS = '' } = process.env
  process.env.REACHED_MUTANTS = file
  // For threads with arguments of their own; others have this process's.
  process.env.NODE_OPTIONS = `${NODE_OPTIONS} --import=${new URL('reached-elsewhere.ts', import.meta.url).href}`
  try {
    return await run()
  } finally {
    delete process.env.REACHED_MUTANTS
    process.env.NODE_OPTIONS = NODE_OPTIONS
    const ids = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
    instrumented.mutantCoverage ??= { static: {}, perTest: {} }
    const { perTest, static: atLoad } = instrumented.mutantCoverage
    // Other processes load the modules during the test.
    const reached = ids.filter((id) => !Object.hasOwn(atLoad, id))
    perTest[testId] = { ...Object.fromEntries(reached.map((id) => [id, 1])), ...perTest[testId] }
  }
}

function startTimer() {
  const [worked, begun] = [process.cpuUsage(), performance.now()]
  return () => {
    const { user, system } = process.cpuUsage(worked)
    return { workedMs: (user + system) / 1000, passedMs: performance.now() - begun }
  }
}

// Programs started by a test run with the mutant too.
function activate(mutant: string | undefined, hitLimit: number | undefined) {
  Object.assign(instrumented, { activeMutant: mutant, hitCount: hitLimit && 0, hitLimit })
  if (mutant === undefined) delete process.env[ACTIVE_MUTANT_ENV_VARIABLE]
  else process.env[ACTIVE_MUTANT_ENV_VARIABLE] = mutant
}

function giveStandIn(
  ...[specifier, context, next]: Parameters<Parameters<typeof registerHooks>[0]['resolve'] & {}>
) {
  const isTest = specifier === 'node:test' && context.parentURL?.startsWith(urlOf('.'))
  if (isTest) return { url: new URL('collected-tests.ts', import.meta.url).href, shortCircuit: true }
  const found = next(specifier, context)
  const fresh = urlOf('scripts/mutants/fresh-queries.ts')
  const isPrepared = found.url === urlOf('src/db/statements/prepared-query.ts') && context.parentURL !== fresh
  return isPrepared ? { url: fresh, shortCircuit: true } : found
}

// Of the copy that has the mutants.
function urlOf(file: string): string {
  return pathToFileURL(join(process.cwd(), file)).href
}

export const strykerValidationSchema = {
  properties: {
    areaTests: { items: { type: 'string' } },
    areaOnPGlite: { type: 'boolean' },
    samplePercent: { type: 'number' },
  },
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'area', AreaTestRunner)]
