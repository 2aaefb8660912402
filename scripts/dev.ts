import { readConfig } from '../src/config.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand } from './command-line.ts'

await runCommand({ usage: usages.dev, options: {} }, async () => {
  // Checks variables before loading Astro, which takes most of a second.
  readConfig()
  const { dev } = await import('astro')
  await dev({})
})
// Astro's watchers keep running after a failed start.
if (process.exitCode) process.exit()
