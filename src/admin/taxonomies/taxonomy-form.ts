import { z } from 'zod'
import { taxonomyMistakes } from '../../messages/admin/taxonomies.ts'
import { isTaxonomySlug } from '../../taxonomies/change-taxonomy.ts'
import type { Taxonomy, TaxonomyValues } from '../../taxonomies/taxonomy-store.ts'
import { checkbox, optionalText, requiredText } from '../kit/form-values.ts'

const FIELDS = z.object({
  name: requiredText(taxonomyMistakes.name),
  description: optionalText(1_000),
  is_hierarchical: checkbox,
  applies: z.enum(['all', 'these']),
  types: z.array(z.coerce.number().int()).default([]),
  sort_order: z.coerce
    .number({ error: taxonomyMistakes.sortOrder })
    .pipe(z.int32(taxonomyMistakes.sortOrderLong)),
  archive: checkbox,
})

const SLUG = z.string().trim().refine(isTaxonomySlug, taxonomyMistakes.taxonomySlug)

const namesTypes = ({ applies, types }: z.output<typeof FIELDS>) => applies === 'all' || types.length > 0
const NO_TYPES = { path: ['applies'], error: taxonomyMistakes.types }

/** The fields of the taxonomy form. */
export const TAXONOMY_FORM = FIELDS.refine(namesTypes, NO_TYPES)
export const NEW_TAXONOMY_FORM = FIELDS.extend({ slug: SLUG }).refine(namesTypes, NO_TYPES)

export function toTaxonomyValues(input: z.output<typeof TAXONOMY_FORM>): TaxonomyValues {
  return {
    name: input.name,
    description: input.description,
    isHierarchical: input.is_hierarchical,
    appliesToTypeIds: input.applies === 'all' ? null : input.types,
    sortOrder: input.sort_order,
    hasArchive: input.archive,
  }
}

/** Returns the initial values of the form. */
export function toFormValues(taxonomy: Omit<Taxonomy, 'id' | 'slug' | 'isBuiltin'>) {
  return {
    name: taxonomy.name,
    description: taxonomy.description ?? '',
    is_hierarchical: taxonomy.isHierarchical ? 'on' : '',
    applies: taxonomy.appliesToTypeIds === null ? 'all' : 'these',
    types: (taxonomy.appliesToTypeIds ?? []).map(String),
    sort_order: String(taxonomy.sortOrder),
    archive: taxonomy.hasArchive ? 'on' : '',
  }
}

export const NEW_TAXONOMY = toFormValues({
  name: '',
  description: null,
  isHierarchical: true,
  appliesToTypeIds: null,
  sortOrder: 100,
  hasArchive: false,
})
