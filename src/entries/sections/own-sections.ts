import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, relative } from 'node:path'
import { z } from 'zod'
import { isMissing } from '../../lib/is-missing.ts'
import { Failure } from '../../lib/messages.ts'
import { SITE_DIR } from '../../lib/program/folders.ts'
import { ownSectionFailures } from '../../messages/server/own-sections.ts'
import { PAGE_KINDS, PAGE_SECTIONS, type PageKind } from '../types/page-kinds.ts'
import { type SectionField, toSectionFields } from './section-fields.ts'
import { sectionName } from './section-name.ts'

/** A component of the site's own `src/components/sections`. */
export interface OwnSection {
  /** Name in settings and content files: `seasonal_offer` of `SeasonalOffer.astro`. */
  name: string
  label: string
  /** The kinds of pages that can show it. */
  pages: readonly PageKind[]
  /** Their keys start with the section's name: `seasonal_offer_heading`. */
  fields: readonly SectionField[]
  /** Props of its component, by field name. */
  schema: z.ZodObject
}

/** Default export of the file beside a component, made with `defineSection` of `signpost/sections`. */
const definition = z.strictObject({
  label: z.string().min(1).optional(),
  pages: z.array(z.enum(PAGE_KINDS)).default([...PAGE_KINDS]),
  fields: z.instanceof(z.ZodObject),
})

const COMPONENT = /^([A-Z][A-Za-z0-9]*)\.astro$/
const BUILT_IN = new Set<string>(Object.values(PAGE_SECTIONS).flat())

/** Returns this site's sections by name. They are loaded once, so changes require a restart. */
export const OWN_SECTIONS: readonly OwnSection[] = loadOwnSections(SITE_DIR)

/**
 * Loads a site's sections. A component without a file of the same name has no fields. Throws if one is invalid, or two
 * have the same name or key.
 */
export function loadOwnSections(siteDir: string): OwnSection[] {
  const folder = join(siteDir, 'src', 'components', 'sections')
  if (isMissing(folder)) return []
  const files = readdirSync(folder)
    .filter((file) => !file.startsWith('_'))
    .sort()
  const sections = files
    .filter((file) => file.endsWith('.astro'))
    .map((file): [string, OwnSection] => {
      const [, component] = COMPONENT.exec(file) ?? []
      const shown = relative(siteDir, join(folder, file))
      if (!component) throw new Failure(ownSectionFailures, 'nameInvalid', shown)
      const section = toSection(siteDir, {
        component,
        shown,
        file: files.includes(`${component}.ts`) ? join(folder, `${component}.ts`) : undefined,
      })
      return [shown, section]
    })
  refuseAlone(siteDir, folder, files)
  refuseTwice('nameTwice', { sections, keysOf: ({ name }) => [name] })
  refuseTwice('fieldTwice', { sections, keysOf: ({ fields }) => fields.map(({ key }) => key) })
  return sections.map(([, section]) => section)
}

function toSection(
  siteDir: string,
  { component, shown, file }: { component: string; shown: string; file: string | undefined },
): OwnSection {
  const name = sectionName(component)
  if (BUILT_IN.has(name) || name === 'none') throw new Failure(ownSectionFailures, 'nameTaken', shown, name)
  const { label, pages, fields } = readDefinition(siteDir, file)
  const spoken = name.replaceAll('_', ' ')
  return {
    ...{ name, pages, schema: fields },
    label: label ?? `${spoken.charAt(0).toUpperCase()}${spoken.slice(1)}`,
    fields: toSectionFields(fields, { section: name, file: shown.replace(/astro$/, 'ts') }),
  }
}

function readDefinition(siteDir: string, file: string | undefined): z.output<typeof definition> {
  if (file === undefined) return definition.parse({ fields: z.object({}) })
  const shown = relative(siteDir, file)
  let exported: { default?: unknown }
  try {
    exported = createRequire(file)(file)
  } catch (error) {
    const { message, stack = '' } = error as Error
    throw new Failure(ownSectionFailures, 'unreadable', `${shown}${lineIn(stack, file)}`, message)
  }
  const parsed = definition.safeParse(exported.default)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const [unknown] = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
  if (unknown !== undefined) throw new Failure(ownSectionFailures, 'keyUnknown', shown, unknown)
  const wrong = new Set(issues.map(({ path }) => path[0]))
  if (wrong.has('pages')) throw new Failure(ownSectionFailures, 'pagesUnknown', shown, PAGE_KINDS.join(', '))
  if (wrong.has('label')) throw new Failure(ownSectionFailures, 'labelInvalid', shown)
  throw new Failure(ownSectionFailures, 'notASection', shown)
}

// `:7`, if the error shows the line.
function lineIn(stack: string, file: string): string {
  const [, after = ''] = stack.split(`/${basename(file)}`)
  return /^:\d+/.exec(after)?.[0] ?? ''
}

// Other modules belong elsewhere: otherwise, a file whose component was renamed would silently lose its fields.
function refuseAlone(siteDir: string, folder: string, files: readonly string[]) {
  for (const file of files.filter((name) => /^[A-Z]\w*\.ts$/.test(name))) {
    const component = file.replace(/ts$/, 'astro')
    if (files.includes(component)) continue
    const shown = relative(siteDir, join(folder, file))
    throw new Failure(ownSectionFailures, 'componentMissing', shown, component)
  }
}

// Different files can have the same name, as TrustBar and TrustBAR do, or the same key: Offer with the field list_title,
// and OfferList with title.
function refuseTwice(
  code: 'nameTwice' | 'fieldTwice',
  {
    sections,
    keysOf,
  }: { sections: readonly [string, OwnSection][]; keysOf: (section: OwnSection) => string[] },
) {
  const files = new Map<string, string>()
  for (const [file, section] of sections)
    for (const key of keysOf(section)) {
      const other = files.get(key)
      if (other !== undefined) throw new Failure(ownSectionFailures, code, file, other, key)
      files.set(key, file)
    }
}
