import { readConfig } from '../src/config.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand } from './command-line.ts'

await runCommand({ usage: usages.dev, options: {} }, async () => {
  // Wrong variables are reported before Astro is loaded, which takes most of a second.
  readConfig()
  const { dev } = await import('astro')
  await dev({})
})
