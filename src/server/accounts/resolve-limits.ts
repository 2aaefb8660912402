import type { Limits } from '../../auth/roles/role.ts'
import type { Db } from '../../db/schema.ts'
import { listForms } from '../../forms/form-store.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import { findTaxonomy, listTerms } from '../../taxonomies/taxonomy-store.ts'
import { buildTermTree, pathOf, type TermTree } from '../../taxonomies/term-tree.ts'

/** Every place of the site as a tree; empty without the taxonomy. */
export async function loadPlaceTree(db: Db): Promise<TermTree> {
  const taxonomy = await findTaxonomy(db, LOCATIONS)
  return buildTermTree(taxonomy ? await listTerms(db, taxonomy.id) : [])
}

/**
 * Looks up the places and forms that an account is limited to: places by path (`texas/austin`) or slug, forms by slug. None
 * means all.
 */
export async function resolveLimits(
  db: Db,
  named: { places: readonly string[]; forms: readonly string[] },
): Promise<{ kind: 'resolved'; limits: Limits } | { kind: 'invalid'; problems: AdminProblem[] }> {
  const problems: AdminProblem[] = []
  const { byId, bySlug } = await loadPlaceTree(db)
  const byPath = new Map([...byId.values()].map((node) => [pathOf(node), node]))
  const places = named.places.flatMap((place) => {
    const found = byPath.get(place.replace(/^\/|\/$/g, '')) ?? bySlug.get(place)
    if (!found) problems.push({ path: ['places'], code: 'limit_place_unknown', params: { place } })
    return found?.id ?? []
  })
  const known = new Map((await listForms(db)).map(({ slug, id }) => [slug, id]))
  const forms = named.forms.flatMap((form) => {
    const id = known.get(form)
    if (id === undefined) problems.push({ path: ['forms'], code: 'limit_form_unknown', params: { form } })
    return id ?? []
  })
  if (problems.length > 0) return { kind: 'invalid', problems }
  return { kind: 'resolved', limits: { places: orAll(places), forms: orAll(forms) } }
}

function orAll(ids: readonly number[]): number[] | null {
  return ids.length === 0 ? null : [...new Set(ids)]
}
