import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isMissing } from '../../lib/is-missing.ts'
import { Failure } from '../../lib/messages.ts'
import { PROGRAM_DIR, SITE_DIR } from '../../lib/program/folders.ts'
import { lookFailures } from '../../messages/server/looks.ts'
import { contrastOf, HEX_COLOR } from './color.ts'
import type { FontPair } from './fonts.ts'
import { COLOR_ROLES, type ColorRole, LEGIBLE_PAIRS, PALETTES, type Preset } from './presets.ts'
import { completeTheme, type ThemeChanges } from './theme.ts'

/** A folder with `look.json` and its stylesheets, `picture.webp`, and a component for each role it replaces. */
export interface Look extends Preset {
  /** Name of its folder, used as `theme.preset`. */
  name: string
  label: string
  folder: string
  /** Files of its components, by the name of the component each replaces. */
  components: ReadonlyMap<string, string>
  /** Its own fonts; null if it uses others. */
  pair: FontPair | null
  /** The `sizes` attribute of a page's main picture; null for the default. */
  heroSizes: string | null
}

const LOOK_FILE = 'look.json'
const PACKAGE = /^(?:@[^/]+\/)?signpost-look-([a-z][a-z0-9-]*)$/
const NAME = /^[a-z][a-z0-9-]*$/
const COMPONENT = /^([A-Z][A-Za-z0-9]*)\.astro$/

const color = z.string().regex(HEX_COLOR)
const colors = z.strictObject(
  Object.fromEntries(COLOR_ROLES.map((role) => [role, color])) as Record<ColorRole, typeof color>,
)
const font = z.strictObject({
  name: z.string().min(1),
  file: z.string().regex(/\.woff2$/),
  weight: z.string().regex(/^\d{3}( \d{3})?$/),
  fallback: z.enum(['sans-serif', 'serif']),
})
const lookFile = z.strictObject({
  $schema: z.string().optional(),
  label: z.string().min(1),
  fonts: z.union([z.enum(['grotesque', 'slab', 'system']), z.strictObject({ heading: font, text: font })]),
  radius: z.int().min(0).max(32),
  hero_sizes: z.string().optional(),
  light: colors,
  dark: colors,
})

/** The site's looks: the program's own, those in the site's `looks/`, and packages. Read once. */
export const LOOKS: readonly Look[] = findLooks(SITE_DIR)

/** The defaults of each theme, by name. */
export const PRESETS: ReadonlyMap<string, Preset> = new Map<string, Preset>([
  ...Object.entries(PALETTES),
  ...LOOKS.map((look) => [look.name, look] as const),
])

/** Returns the look of a preset; undefined for a palette of the default components. */
export function lookOf(preset: string): Look | undefined {
  return LOOKS.find(({ name }) => name === preset)
}

/** Returns the full preset of these settings, with their overrides. */
export function resolveTheme(settings: ThemeChanges & { preset: string }): Preset {
  return completeTheme(PRESETS.get(settings.preset) ?? PALETTES.bluebonnet, settings)
}

/** Finds a site's looks. Throws if one is invalid. */
export function findLooks(siteDir: string): Look[] {
  const looks = [
    ...foldersBelow(join(PROGRAM_DIR, 'src', 'components', 'looks')),
    ...foldersBelow(join(siteDir, 'looks')),
    ...packagesOf(siteDir),
  ].map(([name, folder]) => readLook(name, folder))
  const names = [...Object.keys(PALETTES), ...looks.map(({ name }) => name)]
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Failure(lookFailures, 'nameTaken', twice)
  return looks
}

function foldersBelow(folder: string): [string, string][] {
  if (isMissing(folder)) return []
  return readdirSync(folder)
    .filter((name) => NAME.test(name) && !isMissing(join(folder, name, LOOK_FILE)))
    .sort()
    .map((name) => [name, join(folder, name)])
}

// The package `signpost-look-photographic` is the look `photographic`.
function packagesOf(siteDir: string): [string, string][] {
  const file = join(siteDir, 'package.json')
  if (isMissing(file)) return []
  const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: object }
  return Object.keys(dependencies).flatMap((specifier): [string, string][] => {
    const [, name] = PACKAGE.exec(specifier) ?? []
    return name ? [[name, folderOfPackage(file, specifier)]] : []
  })
}

function folderOfPackage(file: string, specifier: string): string {
  const { resolve } = createRequire(file)
  try {
    return dirname(resolve(`${specifier}/${LOOK_FILE}`))
  } catch (error) {
    const isThere = resolve.paths(specifier)?.some((folder) => !isMissing(join(folder, specifier)))
    if (!isThere) throw new Failure(lookFailures, 'notInstalled', specifier)
    throw new Failure(lookFailures, 'unreadable', `${specifier}/${LOOK_FILE}`, (error as Error).message)
  }
}

function readLook(name: string, folder: string): Look {
  const file = join(folder, LOOK_FILE)
  let parsed: z.output<typeof lookFile>
  try {
    parsed = lookFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message
    throw new Failure(lookFailures, 'unreadable', file, reason)
  }
  const { label, fonts, radius, hero_sizes, light, dark } = parsed
  for (const colors of [light, dark])
    for (const [role, on, least] of LEGIBLE_PAIRS)
      if (contrastOf(colors[role], colors[on]) < least)
        throw new Failure(lookFailures, 'illegible', file, colors[role], colors[on], least)
  return {
    ...{ name, label, folder, radius, light, dark },
    fonts: typeof fonts === 'string' ? fonts : name,
    pair: pairOf(file, fonts),
    heroSizes: hero_sizes ?? null,
    components: componentsIn(folder),
  }
}

function pairOf(from: string, fonts: z.output<typeof lookFile>['fonts']): FontPair | null {
  if (typeof fonts === 'string') return null
  for (const { name, file } of [fonts.heading, fonts.text]) {
    try {
      createRequire(from).resolve(file)
    } catch {
      throw new Failure(lookFailures, 'fontMissing', from, file, name)
    }
  }
  return { from, ...fonts }
}

function componentsIn(folder: string): Map<string, string> {
  const names = readdirSync(folder).flatMap((file) => COMPONENT.exec(file)?.[1] ?? [])
  return new Map(names.map((name) => [name, join(folder, `${name}.astro`)]))
}
