import type { Db } from '../../db/schema.ts'
import { ownValue } from '../../lib/names/own-value.ts'
import type { AdminFault, AdminProblem } from '../../messages/admin/problems.ts'
import {
  listTaxonomies,
  listTermsByTaxonomy,
  type Taxonomy,
  type Term,
} from '../../taxonomies/taxonomy-store.ts'
import type { EntryInput } from '../editing/entry-input.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import type { ContentType } from '../types/content-type-store.ts'

/**
 * Returns whether entries of this type can have terms of a taxonomy that lists no types (§2.6): all routable types,
 * and some that appear on other pages.
 */
export function mayHaveTermsOfAll({ slug, isRoutable }: Pick<ContentType, 'slug' | 'isRoutable'>): boolean {
  return isRoutable || rulesOf(slug).hasTerms === true
}

function appliesTo({ appliesToTypeIds }: Taxonomy, type: ContentType): boolean {
  return appliesToTypeIds?.includes(type.id) ?? mayHaveTermsOfAll(type)
}

/** A taxonomy that applies to a type, with its terms. */
export interface ChoosableTaxonomy {
  taxonomy: Taxonomy
  terms: Term[]
}

/** Lists the taxonomies that classify entries of this type, in order, with their terms. */
export async function listChoosableTaxonomies(db: Db, type: ContentType): Promise<ChoosableTaxonomy[]> {
  const taxonomies = (await listTaxonomies(db)).filter((taxonomy) => appliesTo(taxonomy, type))
  const terms = taxonomies.length > 0 ? await listTermsByTaxonomy(db) : new Map<number, Term[]>()
  return taxonomies.map((taxonomy) => ({ taxonomy, terms: terms.get(taxonomy.id) ?? [] }))
}

/**
 * Returns the IDs of the selected terms, ticked or typed. Terms of taxonomies that don't apply to the type (any
 * more) stay, because the form doesn't show them.
 */
export function chooseTerms(
  choosable: readonly ChoosableTaxonomy[],
  { termIds, namedTerms }: Pick<EntryInput, 'termIds' | 'namedTerms'>,
  currentIds: readonly number[],
): { termIds: number[]; problems: AdminProblem[] } {
  const known = new Set(choosable.flatMap(({ terms }) => terms.map(({ id }) => id)))
  const chosen = new Set([
    ...termIds.filter((id) => known.has(id)),
    ...currentIds.filter((id) => !known.has(id)),
  ])
  const problems: AdminProblem[] = []
  for (const { taxonomy, terms } of choosable) {
    for (const text of ownValue(namedTerms, taxonomy.slug) ?? []) {
      const found = termsNamed(text, terms)
      if (found.length === 1) chosen.add(found[0]?.id ?? 0)
      else problems.push({ path: ['named_terms', taxonomy.slug], ...faultOf(text, taxonomy, found) })
    }
  }
  return { termIds: [...chosen], problems }
}

function termsNamed(text: string, terms: readonly Term[]): Term[] {
  const bySlug = terms.filter(({ slug }) => slug === text)
  return bySlug.length > 0 ? bySlug : terms.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
}

function faultOf(text: string, { name }: Taxonomy, found: readonly Term[]): AdminFault {
  if (found.length === 0) return { code: 'term_unknown', params: { text, taxonomy: name } }
  return { code: 'term_ambiguous', params: { text, slugs: found.map(({ slug }) => slug) } }
}
