import { automaticKind, placeKindLabels } from '../../messages/admin/terms.ts'
import { kindOfPlace } from '../../taxonomies/kind-of-place.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'

/** The choices for a place's kind; the first derives it from the place's depth in the tree. */
export function placeKindOptions(term: TermNode, siteCountry: string): { value: string; label: string }[] {
  const usual = placeKindLabels[kindOfPlace({ ...term, kind: null }, siteCountry)]
  const kinds = Object.entries(placeKindLabels).map(([value, label]) => ({ value, label }))
  return [{ value: '', label: automaticKind(usual) }, ...kinds]
}
