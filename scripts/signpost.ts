#!/usr/bin/env node
import { Failure } from '../src/lib/messages.ts'
import { usageTexts } from '../src/messages/command-line/usage.ts'

// The same commands as `npm run` in the program's repository, under the same names.
const COMMANDS = new Set([
  'start',
  'dev',
  'build',
  'rollback',
  'migrate',
  'content:sync',
  'content:export',
  'webhooks',
  'admin:create',
  'audit:verify',
  'key:rotate',
  'privacy',
  'retention',
  'vacuum',
  'doctor',
  'backup',
  'restore',
  'new',
  'upgrade',
])
const WRONG_USAGE = 2

const [command = ''] = process.argv.splice(2, 1)
if (COMMANDS.has(command)) {
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
    `${usageTexts.expectedOneOf(usageTexts.wordUnknown('command', command), [...COMMANDS])}\n`,
  )
  process.exitCode = WRONG_USAGE
}
