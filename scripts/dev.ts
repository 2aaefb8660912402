import { dev } from 'astro'
import { readConfig } from '../src/config.ts'
import { runCommand } from './command-line.ts'

await runCommand({ usage: 'npm run dev', options: {} }, async () => {
  // Wrong variables are told before Astro starts.
  readConfig()
  await dev({})
})
