#!/usr/bin/env node
import { Failure } from '../src/lib/messages.ts'
import { usageTexts } from '../src/messages/command-line/usage.ts'
import { SITE_COMMANDS } from './site-commands.ts'

const WRONG_USAGE = 2

const [command = ''] = process.argv.splice(2, 1)
if (SITE_COMMANDS.includes(command)) {
  try {
    await import(import.meta.resolve(`#scripts/${command.replace(':', '-')}.ts`))
  } catch (error) {
    // Looks are read while the program is loaded.
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
} else {
  process.stderr.write(
    `${usageTexts.expectedOneOf(usageTexts.wordUnknown('command', command), SITE_COMMANDS)}\n`,
  )
  process.exitCode = WRONG_USAGE
}
