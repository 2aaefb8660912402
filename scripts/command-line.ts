import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

const FAILED = 1
const WRONG_USAGE = 2

/** Thrown by a command that was called in a way it does not understand. */
export class WrongUsage extends Error {}

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: boolean }>
>['values']

/**
 * Runs one command of contract §1: parses the arguments, calls `run`, and sets the exit status:
 * 0, 1 with one sentence on stderr when it throws, 2 with the usage when it was called wrongly.
 */
export async function runCommand<const Options extends ParseArgsOptionsConfig>(
  { usage, options }: { usage: string; options: Options },
  run: (values: Values<Options>) => Promise<void> | void,
): Promise<void> {
  try {
    if (process.argv.includes('--help')) return console.log(`Usage: ${usage}`)
    await run(readValues(options))
  } catch (error) {
    const isUsage = error instanceof WrongUsage
    process.stderr.write(isUsage ? `${error.message}\nUsage: ${usage}\n` : `${messageOf(error)}\n`)
    process.exitCode = isUsage ? WRONG_USAGE : FAILED
  }
}

function readValues<const Options extends ParseArgsOptionsConfig>(options: Options): Values<Options> {
  try {
    return parseArgs({ options, allowPositionals: false }).values as Values<Options>
  } catch (error) {
    throw new WrongUsage(messageOf(error))
  }
}

// A server that cannot be reached under any of its addresses is an error of errors, without a text of its own.
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
