import { readdirSync } from 'node:fs'
import { Failure } from '../lib/messages.ts'
import { integrationTexts } from '../messages/command-line/integration.ts'

/** Astro's configuration, of which Signpost reads the text too. */
const CONFIGURATION_FILE = 'astro.config.mjs'

/** Throws if a folder isn't that of a site: without `astro.config.mjs`, or with one of another extension. */
export function checkConfigurationFile(siteDir: string): void {
  const names = readdirSync(siteDir)
  if (names.includes(CONFIGURATION_FILE)) return
  const other = names.find((name) => /^astro\.config\.[cm]?[jt]s$/.test(name))
  if (other !== undefined) throw new Failure(integrationTexts, 'otherExtension', other)
  throw new Failure(integrationTexts, 'notASite')
}
