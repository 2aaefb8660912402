import { formerAddressKey } from '../../entries/addresses/former-address.ts'
import { isKnown, type KnownNames } from '../../entries/meanings/is-known.ts'
import type { Named } from '../../entries/meanings/meaning.ts'
import { locationOfPattern } from '../../entries/offers/offered-in.ts'
import { mayHaveTermsOfAll } from '../../entries/terms/entry-terms.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { compareText } from '../../lib/compare-text.ts'
import { byNearness } from '../../lib/names/near-names.ts'
import type { FileFault } from '../../messages/files/mistakes.ts'
import type { Choices } from '../../messages/files/reading.ts'
import type { TaxonomyDefinition } from '../../taxonomies/taxonomy-definition.ts'
import { walkTerms } from '../../taxonomies/taxonomy-definition.ts'
import { type ContentDocument, type EntryDocument, pathOfDocument } from '../document.ts'
import type { Mistake } from './mistake.ts'
import { type ParsedFile, stemOf } from './parsed-file.ts'
import type { Reference } from './reference.ts'

const LISTED = 12

/** Names that exist after a sync: everything that a file may refer to. */
interface World extends KnownNames<boolean> {
  paths: Set<string>
  /** Unreadable files, without extensions. It is unknown what they define. */
  mistaken: ReadonlySet<string>
  /** Names of the files of `pictures/`, and of pictures that the admin has. */
  pictures: Set<string>
  taxonomies: Map<string, { definition: TaxonomyDefinition; slugs: Set<string> }>
  notRoutable: Set<string>
  /** Redirects to entries, by the key of the former address, with the paths of their files. */
  ledTo: Map<string, { from: string; path: string }[]>
}

/** Names that are known from other sources than documents. */
type Known = { mistaken: ReadonlySet<string>; pictures: ReadonlySet<string> }

/**
 * Finds names in these files that don't exist among `documents`, or that two files claim. `mistaken` are the paths
 * of unreadable files, without extensions: their definitions are unknown, so references to them aren't reported.
 */
export function checkReferences(
  files: readonly ParsedFile[],
  documents: Iterable<ContentDocument>,
  { mistaken, pictures }: Known,
): Mistake[] {
  const world = describeWorld(documents, { mistaken, pictures })
  return files.flatMap(({ path, references }) =>
    references.flatMap((reference) => {
      const fault = faultOf(path, reference, world)
      return fault ? [{ path, line: reference.line, fault }] : []
    }),
  )
}

function describeWorld(documents: Iterable<ContentDocument>, known: Known): World {
  const world: World = {
    paths: new Set(),
    mistaken: known.mistaken,
    pictures: new Set(known.pictures),
    taxonomies: new Map(),
    notRoutable: new Set(),
    ledTo: new Map(),
    has(type, slug) {
      const [, taxonomy] = type.split('/')
      if (taxonomy !== undefined)
        return known.mistaken.has(type) || (world.taxonomies.get(taxonomy)?.slugs.has(slug) ?? false)
      if (type === 'pictures') return world.pictures.has(slug)
      const stem = `${type}/${slug}`
      return known.mistaken.has(stem) || world.paths.has(`${stem}.md`) || world.paths.has(`${stem}.yaml`)
    },
  }
  for (const document of documents) {
    world.paths.add(pathOfDocument(document))
    if (document.kind === 'picture') world.pictures.add(document.name)
    if (document.kind === 'content_type' && !document.definition.is_routable)
      world.notRoutable.add(document.slug)
    if (document.kind === 'entry') noteFormerAddresses(document, world)
    if (document.kind !== 'taxonomy') continue
    const slugs = new Set([...walkTerms(document.definition.terms)].map(({ term }) => term.slug))
    world.taxonomies.set(document.slug, { definition: document.definition, slugs })
  }
  return world
}

function noteFormerAddresses(document: EntryDocument, { ledTo }: World) {
  for (const from of new Set(document.redirect_from)) {
    const key = formerAddressKey(from)
    ledTo.set(key, [...(ledTo.get(key) ?? []), { from, path: pathOfDocument(document) }])
  }
}

function faultOf(path: string, reference: Reference, world: World): FileFault | undefined {
  switch (reference.to) {
    case 'content_type':
      return world.has('content_types', reference.slug)
        ? undefined
        : unknownFile('content type', 'content_types', reference.slug, world)
    case 'term':
      return unknownTerm(reference.taxonomy, reference.slug, world) ?? outOfPlace(reference, world)
    case 'here':
      return sharedAddress(reference.from, path, world)
    case 'page':
    case 'partial':
    case 'shown':
      // They don't stop a sync: see findWarnings.
      return undefined
    case 'faulty_part':
    case 'stored_header':
    case 'stored_secret':
      // Stored rows are not documents: see checkFaultyParts and checkStoredSecrets.
      return undefined
    default:
      return isKnown(reference, world) ? undefined : missing(reference, world)
  }
}

function missing(named: Named, world: World): FileFault | undefined {
  switch (named.to) {
    case 'form':
      return unknownFile('form', 'forms', named.slug, world)
    case 'entry':
      return unknownFile(rulesOf(named.type).noun, named.type, named.slug, world)
    case 'one_of':
      return unknown(named.noun, named.name, named.names)
    case 'picture':
      return {
        code: 'picture_unknown',
        params: { name: named.name, choices: choicesFor(named.name, [...world.pictures]) },
      }
    case 'locations':
      return unknownLocations(named.pattern, world)
    case 'phone':
      // A phone number synced earlier may stay: see checkPhones.
      return undefined
  }
}

function unknownFile(kind: string, folder: string, slug: string, { paths }: World): FileFault {
  const inFolder = [...paths].filter((path) => path.startsWith(`${folder}/`))
  return unknown(
    kind,
    slug,
    inFolder.map((path) => stemOf(path.slice(folder.length + 1))),
  )
}

function unknown(kind: string, slug: string, known: readonly string[]): FileFault {
  return { code: 'file_unknown', params: { kind, slug, choices: choicesFor(slug, known) } }
}

function unknownTerm(taxonomy: string, slug: string, world: World): FileFault | undefined {
  if (world.has(`taxonomies/${taxonomy}`, slug)) return undefined
  const known = world.taxonomies.get(taxonomy)
  if (known) return { code: 'term_unknown', params: { slug, taxonomy } }
  const choices = choicesFor(taxonomy, [...world.taxonomies.keys()])
  return { code: 'taxonomy_unknown', params: { slug: taxonomy, choices } }
}

function outOfPlace(
  { taxonomy, entryType: type }: Extract<Reference, { to: 'term' }>,
  world: World,
): FileFault | undefined {
  const types = world.taxonomies.get(taxonomy)?.definition.applies_to
  if (types === undefined || !type || types?.includes(type)) return undefined
  if (types === null) {
    if (mayHaveTermsOfAll({ slug: type, isRoutable: !world.notRoutable.has(type) })) return undefined
    return { code: 'taxonomy_of_pages', params: { taxonomy, type } }
  }
  return { code: 'taxonomy_of_others', params: { taxonomy, type, types } }
}

function sharedAddress(from: string, path: string, { ledTo }: World): FileFault | undefined {
  const leading = ledTo.get(formerAddressKey(from))?.filter((other) => other.path !== path) ?? []
  if (leading.length === 0) return undefined
  const others = leading.map((other) =>
    other.from === from ? other.path : `${other.path} (as ${other.from})`,
  )
  return { code: 'former_address_shared', params: { from, others } }
}

function unknownLocations(pattern: string, world: World): FileFault | undefined {
  const slug = locationOfPattern(pattern)
  if (slug !== undefined) return unknownTerm('locations', slug, world)
  return { code: 'places_unknown', params: { pattern } }
}

// If there are too many, lists those that resemble the text.
function choicesFor(written: string, names: readonly string[]): Choices {
  const isCut = names.length > LISTED
  const listed = isCut ? byNearness(written, names).slice(0, LISTED) : names.toSorted(compareText)
  return { names: listed, isCut }
}
