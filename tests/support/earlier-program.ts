import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { skipWithout } from './needed-tool.ts'
import { PROJECT_DIR } from './running-site.ts'

/**
 * The first version whose database later ones may extend while it runs. After a migration that contracts, this is the
 * last commit without it.
 */
export const EXTENDED_SINCE = '6ab62bf96a0ca02ea63ff941e3a85bf0cdbd518d'

/** Why a test of an earlier version is skipped, or false. */
export const withoutHistory = skipWithout(hasHistory(), 'a shallow clone has no earlier commits')

/** Writes the program of an earlier commit into a new folder, with the packages that are installed here. */
export function unpackProgram(commit: string, programDir: string): void {
  mkdirSync(programDir)
  const archive = `${programDir}.tar`
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: PROJECT_DIR })
  execFileSync('tar', ['-xf', archive, '-C', programDir])
  symlinkSync(join(PROJECT_DIR, 'node_modules'), join(programDir, 'node_modules'))
}

/** Returns whether earlier commits are here; fetches them where the clone is shallow and its origin can be reached. */
function hasHistory(): boolean {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' }
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: PROJECT_DIR, env, encoding: 'utf8', timeout: 60_000 })
  const isShallow = () => git('rev-parse', '--is-shallow-repository').stdout.trim() !== 'false'
  if (isShallow()) git('fetch', '--quiet', '--unshallow')
  return !isShallow()
}
