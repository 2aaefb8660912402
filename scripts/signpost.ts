#!/usr/bin/env node
import { satisfies } from 'semver'
import packageFile from '#package.json' with { type: 'json' }
import { checkConfigurationFile } from '../src/integration/configuration-file.ts'
import { Failure } from '../src/lib/messages.ts'
import { SITE_DIR } from '../src/lib/program/folders.ts'
import { integrationTexts } from '../src/messages/command-line/integration.ts'
import { usageTexts } from '../src/messages/command-line/usage.ts'
import { SITE_COMMANDS } from './site-commands.ts'

const WRONG_USAGE = 2

const [command = ''] = process.argv.splice(2, 1)
if (SITE_COMMANDS.includes(command)) {
  try {
    if (command !== 'new' && !process.argv.includes('--help')) checkPlace()
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

// npx runs the Node of the site, which has its own. Native modules crash in an older one.
function checkPlace() {
  const { node } = packageFile.engines
  if (!satisfies(process.version, node)) throw new Failure(integrationTexts, 'oldNode', node, process.version)
  checkConfigurationFile(SITE_DIR)
}
