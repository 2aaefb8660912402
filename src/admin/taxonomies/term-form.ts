import { z } from 'zod'
import { type TermEdit, termVersion } from '../../entries/terms/change-terms.ts'
import type { TermUse } from '../../entries/terms/term-use.ts'
import { isSlug, MAX_SLUG_LENGTH } from '../../lib/slug.ts'
import { FAULTS_OF_TAXONOMIES, taxonomyMistakes } from '../../messages/admin/taxonomies.ts'
import { PLACE_KINDS } from '../../taxonomies/place-kind.ts'
import type { TermNode, TermTree } from '../../taxonomies/term-tree.ts'
import type { AdminForm } from '../kit/admin-form.ts'
import { checkbox, optionalText, requiredText } from '../kit/form-values.ts'

/** The fields of the term form. */
export const TERM_FORM = z.object({
  name: requiredText(taxonomyMistakes.name),
  slug: z.string().trim().refine(isSlug, taxonomyMistakes.slug(MAX_SLUG_LENGTH)),
  description: optionalText(5_000),
  /** Slug of its parent. */
  parent: z.string().trim().default(''),
  kind: z.enum(['', ...PLACE_KINDS]).default(''),
  moves_addresses: checkbox,
})

type Input = z.output<typeof TERM_FORM>

export function toTermValues(term: TermNode) {
  const { name, slug, description, parent, kind } = term
  const texts = { name, slug, description: description ?? '', parent: parent?.slug ?? '', kind: kind ?? '' }
  return { ...texts, based_on: termVersion(term) }
}

/** Reads the edit from the form; undefined, with messages in the form, if a value is invalid. */
export function readTermEdit(
  form: AdminForm<Input>,
  { tree, term, use }: { tree: TermTree; term: TermNode; use: TermUse },
): TermEdit | undefined {
  if (!form.input) return undefined
  const { name, slug, description, parent: parentSlug, kind, moves_addresses } = form.input
  const parent = parentSlug === '' ? null : tree.bySlug.get(parentSlug)
  if (parent === undefined) {
    form.fail('parent', FAULTS_OF_TAXONOMIES.parent_unknown({ slug: parentSlug }))
    return undefined
  }
  if (slug !== term.slug && use.addresses > 0 && !moves_addresses) {
    form.fail('moves_addresses', taxonomyMistakes.confirmSlug)
    return undefined
  }
  return { name, slug, description, parentId: parent?.id ?? null, kind: kind || null }
}
