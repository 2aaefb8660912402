import { gt, valid } from 'semver'

const TOLD = new Set(['Changed', 'Deprecated', 'Removed'])

/** Returns the items under Changed, Deprecated, and Removed of every version after `from` in a changelog. */
export function notesBetween(from: string, changelog: string): string[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .filter((release) => isLater(release, from))
    .flatMap((release) => release.split(/^### /m).slice(1))
    .filter((section) => TOLD.has(section.slice(0, section.indexOf('\n')).trim()))
    .flatMap((section) => section.slice(section.indexOf('\n')).split(/\n(?=- )/))
    .map((point) => point.trim())
    .filter((point) => point.startsWith('- '))
}

// `Unreleased`, or `[1.2.0] - 2026-11-20`.
function isLater(release: string, from: string): boolean {
  const [, version = ''] = /^\[?([^\]\s]+)/.exec(release) ?? []
  return valid(version) === null || gt(version, from)
}
