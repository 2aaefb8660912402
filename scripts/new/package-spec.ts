import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import packageFile from '#package.json' with { type: 'json' }
import { usageTexts } from '../../src/messages/command-line/usage.ts'
import { WrongUsage } from '../command-line.ts'

const TARBALL = /\.tgz$/
// A folder may have the name of a version.
const NO_PATH = /^(?:https?:|\d[^/\\]*(?<!\.tgz)$)/
const PATH = /^(?:file:|link:|\.{1,2}(?:[\\/]|$)|~?[\\/]|[a-z]:[\\/])/i

/**
 * Returns what a site in a folder depends on: a version, a URL, or a tarball by its path from there. Throws `WrongUsage`
 * for a folder, because npm would link it and components could not be replaced.
 */
export function packageSpec(folder: string, spec: string = packageFile.version): string {
  if (NO_PATH.test(spec)) return spec
  const path = resolve(spec.replace(/^file:/, ''))
  const isTarball = TARBALL.test(spec)
  if (isFolder(path) || (PATH.test(spec) && !isTarball))
    throw new WrongUsage(usageTexts.packageInvalid(spec, packageFile.version))
  return isTarball ? `file:${relative(folder, path).replaceAll('\\', '/')}` : spec
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
