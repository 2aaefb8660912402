import { normalizeFormerAddress } from '../../entries/addresses/former-address.ts'
import type { Entry, EntryStatus } from '../../entries/entry-store.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { fieldsInFiles, frontMatterSchema } from '../../entries/types/entry-schema.ts'
import { presentValues } from '../../entries/types/field-values.ts'
import { picturesInFields, withPictureNames } from '../../entries/types/picture-fields.ts'
import type { SchemaField } from '../../entries/types/schema-field.ts'
import { compareText } from '../../lib/compare-text.ts'
import { isSlug } from '../../lib/slug.ts'
import type { FileFault } from '../../messages/files/mistakes.ts'
import { pictureName } from '../../pictures/picture.ts'
import type { EntryDocument } from '../document.ts'
import { readTextPictures } from '../texts/read-text-pictures.ts'
import type { ContentFile } from './content-folder.ts'
import { splitFrontMatter } from './front-matter.ts'
import { type LocatedYaml, parseLocatedYaml } from './located-yaml.ts'
import { type ParsedFile, rawText, rawTexts, rawValue, readWith, unusable } from './parsed-file.ts'
import type { Reference } from './reference.ts'

/** Parses `<type>/<slug>.md`: front matter according to the type's fields, and Markdown (contract §3). */
export function parseEntry(file: ContentFile, type: ContentType): ParsedFile {
  const slug = file.path.slice(type.slug.length + 1, -'.md'.length)
  const fault = file.path.endsWith('.md') ? slugFault(slug, type) : ({ code: 'ending_wrong' } as const)
  if (fault) return unusable(file.path, 1, fault)
  const parts = splitFrontMatter(file.text)
  if (!parts) return unusable(file.path, 1, { code: 'front_matter_missing' })
  const read = parseLocatedYaml(parts.yaml, parts)
  if (read.kind === 'broken') {
    const mistakes = read.mistakes.map((mistake) => ({ path: file.path, ...mistake }))
    return { path: file.path, document: undefined, references: [], mistakes }
  }
  const pictures = readTextPictures(parts.body, {
    path: file.path,
    lineOf: (offset) => parts.bodyLine + parts.body.slice(0, offset).split('\n').length - 1,
  })
  const references = [
    ...referencesOfPath(slug, type),
    ...referencesOf(read.yaml, type),
    ...pictures.references,
  ]
  const { value, mistakes } = readWith(frontMatterSchema(type), read.yaml, { path: file.path })
  const document = value && toDocument(value as FrontMatter, { slug, type, body: parts.body })
  return { path: file.path, document, references, mistakes: [...mistakes, ...pictures.mistakes] }
}

interface FrontMatter extends Record<string, unknown> {
  title: string
  status: EntryStatus
  terms: Record<string, string[]>
  publish_at?: string | null
  unpublish_at?: string | null
  redirect_from?: string[] | null
}

function toDocument(
  { title, status, terms, publish_at, unpublish_at, redirect_from, ...data }: FrontMatter,
  { slug, type, body }: { slug: string; type: ContentType; body: string },
): EntryDocument {
  const kinds = fieldsInFiles(type)
  const fields = presentValues(kinds, withPictureNames(kinds, withPictureName(data)))
  const timing = timingOf({
    publishAt: publish_at ?? null,
    unpublishAt: unpublish_at ?? null,
    redirectFrom: redirect_from?.map(normalizeFormerAddress) ?? [],
  })
  return {
    kind: 'entry',
    type: type.slug,
    slug,
    title,
    status,
    ...timing,
    terms: inOrder(terms),
    fields,
    body,
  }
}

function withPictureName(data: Record<string, unknown>): Record<string, unknown> {
  return typeof data.picture === 'string' ? { ...data, picture: pictureName(data.picture) } : data
}

/** Returns an entry's schedule and redirects in document form, without empty values. */
export function timingOf({
  publishAt,
  unpublishAt,
  redirectFrom,
}: Pick<Entry, 'publishAt' | 'unpublishAt' | 'redirectFrom'>) {
  return {
    ...(publishAt === null ? {} : { publish_at: publishAt }),
    ...(unpublishAt === null ? {} : { unpublish_at: unpublishAt }),
    ...(redirectFrom.length === 0 ? {} : { redirect_from: redirectFrom }),
  }
}

/** Returns terms in document form: no duplicates, in alphabetical order, no empty lists. */
export function inOrder(terms: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const present = Object.entries(terms).filter(([, slugs]) => slugs.length > 0)
  return Object.fromEntries(
    present
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([taxonomy, slugs]) => [taxonomy, [...new Set(slugs)].sort(compareText)]),
  )
}

function slugFault(slug: string, type: ContentType): FileFault | undefined {
  const parts = slug.split('/')
  const names = (type.routePattern ?? '{slug}').match(/\{\w+\}/g) ?? []
  if (parts.length !== names.length)
    return { code: 'path_wrong', params: { path: `${type.slug}/${names.join('/')}.md` } }
  return parts.every(isSlug) ? undefined : { code: 'name_wrong' }
}

// The type may be deleted in the same sync; service and location are covered by §2.9 rules 1 and 2.
function referencesOfPath(slug: string, type: ContentType): Reference[] {
  const ofType: Reference = { line: 1, to: 'content_type', slug: type.slug }
  const { inherits } = rulesOf(type.slug)
  if (!inherits) return [ofType]
  const [service = '', location = ''] = slug.split('/')
  return [
    ofType,
    { line: 1, to: 'entry', type: inherits.of, slug: service },
    { line: 1, to: 'term', taxonomy: 'locations', slug: location },
  ]
}

function referencesOf(yaml: LocatedYaml, type: ContentType): Reference[] {
  return [
    ...termReferences(yaml, type),
    ...shownReferences(yaml, type),
    ...rawTexts(yaml.value, 'redirect_from').map(({ text, index }) => ({
      line: yaml.lineOf(['redirect_from', index]),
      to: 'here' as const,
      from: normalizeFormerAddress(text),
    })),
    ...meantReferences(yaml, type),
    ...pictureReferences(yaml, type),
  ]
}

function meantReferences(yaml: LocatedYaml, type: ContentType): Reference[] {
  return Object.entries(rulesOf(type.slug).meanings).flatMap(([key, { named, isList }]) => {
    if (!named) return []
    if (isList)
      return rawTexts(yaml.value, key).map(({ text, index }) => ({
        line: yaml.lineOf([key, index]),
        ...named(text, key),
      }))
    const text = rawText(yaml.value, key)
    return text ? [{ line: yaml.lineOf([key]), ...named(text, key) }] : []
  })
}

function pictureReferences(yaml: LocatedYaml, type: ContentType): Reference[] {
  return picturesInFields(type.fields, yaml.value).map(({ path, name }) => ({
    line: yaml.lineOf(path),
    to: 'picture' as const,
    name: pictureName(name),
  }))
}

// In a custom type these keys work as on a page. Its author may use them differently, so a problem isn't a mistake.
function shownReferences(yaml: LocatedYaml, type: ContentType): Reference[] {
  if (type.isBuiltin) return []
  return (['form', 'picture'] as const).flatMap((key) => {
    const isShown = (field: SchemaField) => field.key === key && field.type !== 'picture'
    const name = type.fields.some(isShown) && rawText(yaml.value, key)
    return name ? [{ line: yaml.lineOf([key]), to: 'shown' as const, key, name }] : []
  })
}

function termReferences(yaml: LocatedYaml, type: ContentType): Reference[] {
  const terms = rawValue(yaml.value, 'terms')
  if (typeof terms !== 'object' || terms === null) return []
  return Object.keys(terms).flatMap((taxonomy) =>
    rawTexts(terms, taxonomy).map(({ text, index }) => ({
      line: yaml.lineOf(['terms', taxonomy, index]),
      to: 'term' as const,
      taxonomy,
      slug: text,
      entryType: type.slug,
    })),
  )
}
