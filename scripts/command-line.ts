import { fileURLToPath } from 'node:url'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { IS_INSTALLED } from '../src/lib/program/folders.ts'
import { describeFileProblem, usageInSite, usageTexts } from '../src/messages/command-line/usage.ts'

const FAILED = 1
const WRONG_USAGE = 2

// For processes that commands start: reading compiled modules takes half the time of compiling them.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../dist/modules', import.meta.url))

process.stdout.on('error', allowClosedPipe)
// Failing to print progress must not stop anything, even on a full disk.
process.stderr.on('error', () => {})

/** Removes and returns the word before the options; empty if there is none. */
export function takeWord(): string {
  const [word = ''] = process.argv[2]?.startsWith('-') ? [] : process.argv.splice(2, 1)
  return word
}

/** Returns an action's handler by its word. Throws `WrongUsage` if it is unknown. */
export function chooseByWord<T>(word: string, known: Readonly<Record<string, T>>, what: string): T {
  const chosen = Object.hasOwn(known, word) ? known[word] : undefined
  if (chosen !== undefined) return chosen
  const problem = word === '' ? usageTexts.wordMissing(what) : usageTexts.wordUnknown(what, word)
  throw new WrongUsage(usageTexts.expectedOneOf(problem, Object.keys(known)))
}

/** Thrown when a command is called with wrong arguments. */
export class WrongUsage extends Error {}

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: boolean }>
>['values']

interface Command<Options extends ParseArgsOptionsConfig> {
  usage: string
  options: Options
  /** Maximum number of positional arguments. Default: none. */
  positionals?: number
}

/**
 * Runs a command of contract §1: parses the arguments, calls `run`, and sets the exit status: 0, or 1 with one
 * sentence on stderr if it throws, or 2 with the usage if it was called incorrectly.
 */
export async function runCommand<const Options extends ParseArgsOptionsConfig>(
  { usage, options, positionals = 0 }: Command<Options>,
  run: (values: Values<Options>, positionals: string[]) => Promise<void> | void,
): Promise<void> {
  const usageLine = usageTexts.usage(IS_INSTALLED ? usageInSite(usage) : usage)
  try {
    if (process.argv.includes('--help')) return console.log(usageLine)
    const given = readArguments(options, positionals)
    await run(given.values, given.positionals)
  } catch (error) {
    const isUsage = error instanceof WrongUsage
    process.stderr.write(isUsage ? `${error.message}\n${usageLine}\n` : `${messageOf(error)}\n`)
    process.exitCode = isUsage ? WRONG_USAGE : FAILED
  }
}

// The reader may stop early (`| head`), but work that has started must finish.
function allowClosedPipe(error: NodeJS.ErrnoException) {
  if (error.code !== 'EPIPE') throw error
}

function readArguments<const Options extends ParseArgsOptionsConfig>(options: Options, expected: number) {
  const { values, positionals } = parse(options, expected > 0)
  refuseEmpty(values, positionals)
  if (positionals.length === expected) return { values: values as Values<Options>, positionals }
  throw new WrongUsage(usageTexts.argumentCount(expected, positionals.length))
}

// An empty value is usually an unset shell variable: `--out "$DIR"` would mean this folder, and `--to ""` no
// revision at all.
function refuseEmpty(values: Record<string, unknown>, positionals: readonly string[]) {
  const [name] = Object.entries(values).find(([, value]) => [value].flat().includes('')) ?? []
  if (name !== undefined) throw new WrongUsage(usageTexts.optionEmpty(name))
  if (positionals.includes('')) throw new WrongUsage(usageTexts.argumentEmpty)
}

function parse<const Options extends ParseArgsOptionsConfig>(options: Options, allowPositionals: boolean) {
  try {
    return parseArgs({ options, allowPositionals })
  } catch (error) {
    throw new WrongUsage(messageOf(error))
  }
}

// If a server can't be reached at any of its addresses, the error is a list of errors without a message of its own.
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return messageOf(error.errors[0])
  const message = error instanceof Error ? error.message : String(error)
  // The message of an error with a cause is already meant for people.
  const isBare = error instanceof Error && 'code' in error && error.cause === undefined
  // A system error about a file says what failed, but not what to do.
  return (isBare && describeFileProblem(String(error.code), message)) || message
}
