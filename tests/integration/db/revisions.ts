import { readdirSync } from 'node:fs'

/** Every revision of the program by name, oldest first. */
export const REVISIONS: readonly string[] = readdirSync(new URL('../../../migrations', import.meta.url))
  .map((file) => file.replace('.ts', ''))
  .sort()
