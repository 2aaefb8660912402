import { test as runTest, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'

type TestBody = (t: TestContext) => void | Promise<void>
type TestOptions = { skip?: boolean | string; timeout?: number; concurrency?: number | boolean }
type TestArguments = [name: string, body: TestBody] | [name: string, options: TestOptions, body: TestBody]

// In milliseconds. A mutant can make a test hang.
const LONGEST = 20_000

interface Group {
  name: string
  before: (() => unknown)[]
  beforeEach: (() => unknown)[]
}

/** A test that can run repeatedly in the same process. */
export interface CollectedTest {
  /** Is unique among the tests of all files. */
  id: string
  file: string
  /** Returns undefined when the test passes, else its failure. */
  run(): Promise<string | undefined>
}

const collected = new Map<string, CollectedTest>()
const endings: (() => unknown)[] = []
let groups: Group[] = []

/** Imports a test file and returns its tests. It must see this module as `node:test`. */
export async function collectTests(name: string, url: string): Promise<CollectedTest[]> {
  const known = collected.size
  groups = [{ name, before: [], beforeEach: [] }]
  await import(url)
  return [...collected.values()].slice(known)
}

/** Runs the hooks that test files register to run after their last test. */
export async function endTests(): Promise<void> {
  for (const end of endings.reverse()) await end()
}

// Replacements for the functions of `node:test`, with the same names.

export function test(...given: TestArguments): void {
  const [name, body] = [given[0], given.at(-1) as TestBody]
  const options: TestOptions = given.length === 3 ? given[1] : {}
  const around = [...groups]
  const path = [...around.map((group) => group.name), name].join(' › ')
  const id = collected.has(path) ? `${path} (${collected.size})` : path
  const file = around[0]?.name ?? ''
  collected.set(id, { id, file, run: () => runOnce(around, name, options, body) })
}

export function before(prepare: () => unknown): void {
  groups.at(-1)?.before.push(prepare)
}

export function beforeEach(prepare: () => unknown): void {
  groups.at(-1)?.beforeEach.push(prepare)
}

export function after(end: () => unknown): void {
  endings.push(end)
}

export function describe(name: string, body: () => void): void {
  groups.push({ name, before: [], beforeEach: [] })
  body()
  groups.pop()
}

export { describe as suite }

async function runOnce(around: readonly Group[], name: string, options: TestOptions, body: TestBody) {
  let context: TestContext | undefined
  const { timeout = LONGEST } = options
  const ended = runTest(name, { ...options, timeout }, async (t) => {
    context = t
    // One run's changes to prepared state must not reach the next.
    for (const group of around) for (const prepare of [...group.before, ...group.beforeEach]) await prepare()
    await body(t)
  })
  const isStopped = new AbortController()
  const { signal } = isStopped
  const tooLong = setTimeout(2 * timeout, 'test timed out while it ended', { signal }).catch(() => undefined)
  const failure = await Promise.race([ended.then(() => undefined), tooLong])
  isStopped.abort()
  // A test that is skipped has no context.
  if (failure || !context || context.passed) return failure
  return String(context.error?.cause ?? context.error ?? 'failed')
}
