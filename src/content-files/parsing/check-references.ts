import { formerAddressKey } from '../../entries/addresses/former-address.ts'
import { locationOfPattern } from '../../entries/offers/offered-in.ts'
import { mayHaveTermsOfAll } from '../../entries/terms/entry-terms.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { compareText } from '../../lib/compare-text.ts'
import { byNearness } from '../../lib/picture-address.ts'
import type { TaxonomyDefinition } from '../../taxonomies/taxonomy-definition.ts'
import { walkTerms } from '../../taxonomies/taxonomy-definition.ts'
import { type ContentDocument, type EntryDocument, pathOfDocument } from '../document.ts'
import type { Mistake } from './mistake.ts'
import { type ParsedFile, stemOf } from './parsed-file.ts'
import type { Reference } from './reference.ts'

const LISTED = 12

/** What a sync leaves in the database: all that a file may name. */
interface World {
  paths: Set<string>
  /** Files that cannot be read, without the endings of their names: what they define is not known. */
  mistaken: ReadonlySet<string>
  /** Names of the files of `pictures/`. */
  pictures: ReadonlySet<string>
  taxonomies: Map<string, { definition: TaxonomyDefinition; slugs: Set<string> }>
  notRoutable: Set<string>
  /** What leads to entries, by the key of the former address, with the paths of their files. */
  ledTo: Map<string, { from: string; path: string }[]>
}

/**
 * What these files name although it does not exist among `documents`, or another of these has it too. `mistaken` are
 * the paths of files that cannot be read, without their endings: what they define is not known, so nothing that names it
 * counts as wrong.
 */
export function checkReferences(
  files: readonly ParsedFile[],
  documents: Iterable<ContentDocument>,
  { mistaken, pictures }: Pick<World, 'mistaken' | 'pictures'>,
): Mistake[] {
  const world = describeWorld(documents, { mistaken, pictures })
  return files.flatMap(({ path, references }) =>
    references.flatMap((reference) => {
      const message = describeProblem(path, reference, world)
      return message === undefined ? [] : [{ path, line: reference.line, message }]
    }),
  )
}

function describeWorld(
  documents: Iterable<ContentDocument>,
  known: Pick<World, 'mistaken' | 'pictures'>,
): World {
  const world: World = {
    paths: new Set(),
    ...known,
    taxonomies: new Map(),
    notRoutable: new Set(),
    ledTo: new Map(),
  }
  for (const document of documents) {
    world.paths.add(pathOfDocument(document))
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

function describeProblem(path: string, reference: Reference, world: World): string | undefined {
  switch (reference.to) {
    case 'form':
      return unknownFile('form', 'forms/', reference.slug, '.yaml', world)
    case 'content_type':
      return unknownFile('content type', 'content_types/', reference.slug, '.yaml', world)
    case 'entry':
      return unknownFile(rulesOf(reference.type).noun, `${reference.type}/`, reference.slug, '.md', world)
    case 'term':
      return unknownTerm(reference.taxonomy, reference.slug, world) ?? outOfPlace(reference, world)
    case 'one_of':
      return reference.names.includes(reference.name)
        ? undefined
        : `unknown ${reference.noun} "${reference.name}", ${expectedOneOf(reference.name, reference.names)}`
    case 'picture':
      return world.pictures.has(reference.name)
        ? undefined
        : `unknown picture "${reference.name}", ${expectedOneOf(reference.name, [...world.pictures])} in pictures/`
    case 'here':
      return sharedAddress(reference.from, path, world)
    case 'locations':
      return unknownLocations(reference.pattern, world)
    case 'page':
    case 'partial':
    case 'shown':
      // They stop nothing: see findWarnings.
      return undefined
    case 'phone':
      // What was synced before may stay: see checkPhones.
      return undefined
    case 'stored_header':
    case 'stored_secret':
      // What is stored is no document: see checkStoredSecrets.
      return undefined
  }
}

function unknownFile(name: string, folder: string, slug: string, ending: string, world: World) {
  const path = `${folder}${slug}${ending}`
  if (world.paths.has(path) || world.mistaken.has(stemOf(path))) return undefined
  const known = [...world.paths]
    .filter((path) => path.startsWith(folder) && path.endsWith(ending))
    .map((path) => path.slice(folder.length, -ending.length))
  return `unknown ${name} "${slug}", ${expectedOneOf(slug, known)}`
}

function unknownTerm(taxonomy: string, slug: string, world: World): string | undefined {
  const path = `taxonomies/${taxonomy}.yaml`
  const known = world.taxonomies.get(taxonomy)
  if (known?.slugs.has(slug) || world.mistaken.has(stemOf(path))) return undefined
  if (known) return `unknown term "${slug}" in ${taxonomy}, expected a slug from ${path}`
  return `unknown taxonomy "${taxonomy}", ${expectedOneOf(taxonomy, [...world.taxonomies.keys()])}`
}

function outOfPlace({ taxonomy, entryType }: Extract<Reference, { to: 'term' }>, world: World) {
  const types = world.taxonomies.get(taxonomy)?.definition.applies_to
  if (types === undefined || !entryType || types?.includes(entryType)) return undefined
  if (types === null) {
    if (mayHaveTermsOfAll({ slug: entryType, isRoutable: !world.notRoutable.has(entryType) }))
      return undefined
    return `${taxonomy} applies to all types with pages, which ${entryType} have none of, expected ${entryType} in its applies_to`
  }
  return `${taxonomy} does not apply to ${entryType}, expected only: ${types.join(', ')}`
}

function sharedAddress(from: string, path: string, { ledTo }: World): string | undefined {
  const others = ledTo.get(formerAddressKey(from))?.filter((other) => other.path !== path) ?? []
  if (others.length === 0) return undefined
  const named = others.map((other) => (other.from === from ? other.path : `${other.path} (as ${other.from})`))
  return `${from} leads to ${named.join(', ')} as well, expected it in one place only`
}

function unknownLocations(pattern: string, world: World): string | undefined {
  const slug = locationOfPattern(pattern)
  if (slug !== undefined) return unknownTerm('locations', slug, world)
  return `"${pattern}" is no pattern, expected one such as austin, texas/*, texas/** or except austin`
}

// Of too many those that resemble what was written.
function expectedOneOf(written: string, names: readonly string[]): string {
  if (names.length === 0) return 'expected none, there are none yet'
  const isLong = names.length > LISTED
  const listed = isLong ? byNearness(written, names).slice(0, LISTED) : names.toSorted(compareText)
  return `expected one of: ${listed.join(', ')}${isLong ? ', …' : ''}`
}
