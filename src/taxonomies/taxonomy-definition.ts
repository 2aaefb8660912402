import { z } from 'zod'
import { filledTextUpTo } from '../lib/filled-text.ts'
import { isSlug, MAX_SLUG_LENGTH, SLUG_PATTERN } from '../lib/slug.ts'
import { addProblem, rule } from '../messages/files/rules/schema-rule.ts'
import { PLACE_KINDS, type PlaceKind } from './place-kind.ts'
import type { Taxonomy } from './taxonomy-store.ts'
import type { TermNode, TermTree } from './term-tree.ts'

export interface TermDefinition {
  slug: string
  name: string
  description: string | null
  /** Former slugs; missing if there are none. */
  former_slugs?: string[] | undefined
  /** Kind of a place; missing if its depth in the tree determines it (§2.6). */
  kind?: PlaceKind | undefined
  /** The terms below it, in order. */
  terms: TermDefinition[]
}

const MAX_NAME_LENGTH = 200
const MAX_DESCRIPTION_LENGTH = 5_000

const slug = z
  .string()
  .refine(isSlug, rule('slug'))
  .meta({ pattern: SLUG_PATTERN.source, maxLength: MAX_SLUG_LENGTH })

const termDefinition: z.ZodType<TermDefinition> = z.strictObject({
  slug,
  name: filledTextUpTo(MAX_NAME_LENGTH),
  description: filledTextUpTo(MAX_DESCRIPTION_LENGTH).nullable().default(null),
  former_slugs: z
    .array(slug)
    .optional()
    .transform((slugs) => (slugs?.length ? slugs : undefined)),
  kind: z.enum(PLACE_KINDS).optional(),
  get terms() {
    return z.array(termDefinition).default([])
  },
})

/** `taxonomies/<slug>.yaml` (contract §3). */
export const taxonomyDefinition = z
  .strictObject({
    name: filledTextUpTo(MAX_NAME_LENGTH),
    description: filledTextUpTo(MAX_DESCRIPTION_LENGTH).nullable().default(null),
    is_hierarchical: z.boolean().default(false),
    /** Content type slugs; null means all routable types (§2.6). */
    applies_to: z.array(z.string()).nullable().default(null),
    sort_order: z.int32().default(100),
    /** Opts in to public archive pages (§1.7). */
    archive: z.boolean().default(false),
    terms: z.array(termDefinition).default([]),
  })
  // Checked even if a key is invalid, so that one run reports every mistake.
  .superRefine(checkTerms, { when: ({ value }) => typeof value === 'object' && value !== null })

export type TaxonomyDefinition = z.output<typeof taxonomyDefinition>

/** Converts a taxonomy and its terms to the form of a file. */
export function toTaxonomyDefinition(
  taxonomy: Taxonomy,
  tree: TermTree,
  { typeSlugs }: { typeSlugs: ReadonlyMap<number, string> },
): TaxonomyDefinition {
  return {
    name: taxonomy.name,
    description: taxonomy.description,
    is_hierarchical: taxonomy.isHierarchical,
    applies_to: taxonomy.appliesToTypeIds?.flatMap((id) => typeSlugs.get(id) ?? []) ?? null,
    sort_order: taxonomy.sortOrder,
    archive: taxonomy.hasArchive,
    terms: tree.roots.map(toTermDefinition),
  }
}

function toTermDefinition(term: TermNode): TermDefinition {
  const { slug, name, description, formerSlugs, kind, children } = term
  const former = formerSlugs.length === 0 ? {} : { former_slugs: formerSlugs }
  return { slug, name, description, ...former, ...(kind && { kind }), terms: children.map(toTermDefinition) }
}

/** Lists every term of a definition, parents before children, with its position in the file. */
export function* walkTerms(
  terms: readonly TermDefinition[] | undefined,
  path: readonly (string | number)[] = ['terms'],
): Generator<{ term: TermDefinition; path: (string | number)[] }> {
  if (!Array.isArray(terms)) return
  for (const [index, term] of terms.entries()) {
    if (typeof term !== 'object' || term === null) continue
    yield { term, path: [...path, index] }
    yield* walkTerms(term.terms, [...path, index, 'terms'])
  }
}

function checkTerms({ is_hierarchical, terms }: TaxonomyDefinition, context: z.RefinementCtx) {
  const seen = new Set<string>()
  for (const { term, path } of walkTerms(terms)) {
    const { slug } = term
    if (slug && seen.has(slug))
      addProblem(context, { path: [...path, 'slug'], code: 'term_repeated', params: { slug } })
    seen.add(term.slug)
    if (Array.isArray(term.terms) && term.terms.length > 0 && is_hierarchical !== true)
      addProblem(context, { path: [...path, 'terms'], code: 'terms_below' })
  }
}
