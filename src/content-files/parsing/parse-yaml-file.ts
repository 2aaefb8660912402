import {
  contentTypeDefinition,
  isTakenTypeSlug,
  isTypeSlug,
} from '../../entries/types/content-type-definition.ts'
import { isCountry } from '../../lib/locale/countries.ts'
import { DEFAULT_COUNTRY } from '../../lib/locale/locale.ts'
import { picturesInSettings, withPictureNames } from '../../site/settings/setting-pictures.ts'
import { siteSettings } from '../../site/settings/site-settings.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import { type TermDefinition, taxonomyDefinition, walkTerms } from '../../taxonomies/taxonomy-definition.ts'
import { checkBuiltinType, withFieldsOf } from './builtin-types.ts'
import type { ContentFile } from './content-folder.ts'
import { type LocatedYaml, parseLocatedYaml, type YamlPath } from './located-yaml.ts'
import type { Mistake } from './mistake.ts'
import { parseForm } from './parse-form.ts'
import {
  type ParsedFile,
  rawText,
  rawTexts,
  rawValue,
  readWith,
  unusable,
  type YamlFile,
} from './parsed-file.ts'
import type { Reference } from './reference.ts'

const NAME_PATTERN = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/

/** Folders of YAML files, each with its parser. */
export const YAML_FOLDERS = {
  taxonomies: parseTaxonomy,
  content_types: parseContentType,
  forms: parseForm,
} satisfies Record<string, (file: YamlFile) => ParsedFile>

/** Parses `<folder>/<slug>.yaml` (contract §3). */
export function parseYamlFile(
  file: ContentFile,
  folder: keyof typeof YAML_FOLDERS,
  known: Pick<YamlFile, 'environment' | 'stored'>,
): ParsedFile {
  const slug = /^[^/]+\/(?<slug>[^/]+)\.yaml$/.exec(file.path)?.groups?.slug
  if (slug === undefined)
    return unusable(file.path, 1, { code: 'path_expected', params: { path: `${folder}/<slug>.yaml` } })
  if (!NAME_PATTERN.test(slug)) return unusable(file.path, 1, { code: 'slug_invalid', params: { slug } })
  return withYaml(file, (yaml) => YAML_FOLDERS[folder]({ path: file.path, slug, yaml, ...known }))
}

/** Parses `site.yaml`. */
export function parseSite(file: ContentFile): ParsedFile {
  return withYaml(file, (yaml) => {
    const { value, mistakes } = readWith(siteSettings, yaml, { path: file.path })
    const form = rawText(yaml.value, 'default_form')
    const references: Reference[] = navigationReferences(yaml)
    if (form) references.push({ line: yaml.lineOf(['default_form']), to: 'form', slug: form })
    references.push(...phoneReferences(yaml))
    for (const { path, name } of picturesInSettings(yaml.value))
      references.push({ line: yaml.lineOf(path), to: 'picture', name })
    const settings = value && withPictureNames(value)
    return { path: file.path, document: settings && { kind: 'site', settings }, references, mistakes }
  })
}

// An unknown country is reported separately.
function phoneReferences(yaml: LocatedYaml): Reference[] {
  const country = (rawText(yaml.value, 'country') ?? DEFAULT_COUNTRY).toUpperCase()
  if (!isCountry(country)) return []
  const phone = (path: YamlPath, name: string, value: unknown): Reference[] =>
    typeof value === 'string' && value.trim() !== ''
      ? [{ line: yaml.lineOf(path), to: 'phone', name, number: value, country }]
      : []
  const further = rawValue(yaml.value, 'phones')
  const rows = Array.isArray(further) ? further : []
  return [
    ...phone(['phone'], 'phone', rawValue(yaml.value, 'phone')),
    ...rows.flatMap((row, index) =>
      phone(['phones', index, 'number'], `phones[${index + 1}].number`, rawValue(row, 'number')),
    ),
  ]
}

function navigationReferences(yaml: LocatedYaml): Reference[] {
  const links = rawValue(yaml.value, 'navigation')
  if (!Array.isArray(links)) return []
  return links.flatMap((link, index) => {
    const path = rawText(link, 'path')
    if (!path?.startsWith('/')) return []
    return [{ line: yaml.lineOf(['navigation', index, 'path']), to: 'page' as const, path }]
  })
}

function withYaml(file: ContentFile, parse: (yaml: LocatedYaml) => ParsedFile): ParsedFile {
  const read = parseLocatedYaml(file.text, { firstLine: 1 })
  if (read.kind === 'parsed') return parse(read.yaml)
  const mistakes = read.mistakes.map((mistake) => ({ path: file.path, ...mistake }))
  return { path: file.path, document: undefined, references: [], mistakes }
}

function parseTaxonomy({ path, slug, yaml }: YamlFile): ParsedFile {
  const { value, mistakes } = readWith(taxonomyDefinition, yaml, { path })
  const references = rawTexts(yaml.value, 'applies_to').map(({ text, index }) => ({
    line: yaml.lineOf(['applies_to', index]),
    to: 'content_type' as const,
    slug: text,
  }))
  const misplaced = slug === LOCATIONS ? [] : kindsWithoutPlaces(yaml, path)
  const document =
    value && misplaced.length === 0 ? { kind: 'taxonomy' as const, slug, definition: value } : undefined
  return { path, document, references, mistakes: [...mistakes, ...misplaced] }
}

function kindsWithoutPlaces(yaml: LocatedYaml, path: string): Mistake[] {
  const terms = rawValue(yaml.value, 'terms') as TermDefinition[] | undefined
  return [...walkTerms(terms)].flatMap(({ term, path: at }) =>
    term.kind === undefined
      ? []
      : [
          {
            path,
            line: yaml.lineOf([...at, 'kind']),
            fault: { code: 'place_kind_elsewhere', params: { file: `taxonomies/${LOCATIONS}.yaml` } },
          },
        ],
  )
}

function parseContentType({ path, slug, yaml, stored }: YamlFile): ParsedFile {
  if (!isTypeSlug(slug)) return unusable(path, 1, { code: 'type_slug_invalid', params: { slug } })
  if (isTakenTypeSlug(slug)) return unusable(path, 1, { code: 'type_slug_taken', params: { slug } })
  const type = stored.find((one) => one.slug === slug)
  const builtin = type?.isBuiltin ? type : undefined
  const read = readWith(contentTypeDefinition(slug, type?.fields), yaml, { path })
  const left = builtin && read.value ? checkBuiltinType(builtin, read.value, { path, yaml }) : []
  const mistakes = [...read.mistakes, ...left]
  const value =
    mistakes.length > 0
      ? undefined
      : builtin && read.value
        ? withFieldsOf(builtin, read.value, yaml)
        : read.value
  const partial = rawText(yaml.value, 'detail_partial')
  return {
    path,
    document: value && { kind: 'content_type', slug, definition: value },
    references: partial ? [{ line: yaml.lineOf(['detail_partial']), to: 'partial', name: partial }] : [],
    mistakes,
  }
}
