import { sessionTexts } from '../../messages/admin/accounts.ts'

const BROWSERS: readonly [string, RegExp][] = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
]

const SYSTEMS: readonly [string, RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
]

/** `Firefox on Windows`, as far as the user agent says. */
export function describeBrowser(userAgent: string): string {
  const find = (names: readonly [string, RegExp][]) =>
    names.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = find(SYSTEMS)
  const browser = find(BROWSERS) ?? sessionTexts.otherProgram
  return system ? sessionTexts.browserOn(browser, system) : browser
}
