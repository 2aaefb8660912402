import { z } from 'zod'
import type { Administrator } from '../../auth/administrator.ts'
import { mayGiveRole } from '../../auth/roles/capabilities.ts'
import type { Access } from '../../auth/roles/change-access.ts'
import { ROLES } from '../../auth/roles/role.ts'
import type { Db } from '../../db/schema.ts'
import { listFormNames } from '../../forms/form-list-store.ts'
import { accessTexts, roleHints, roleLabels } from '../../messages/admin/team.ts'
import { loadPlaceTree } from '../../server/accounts/resolve-limits.ts'
import { ancestorsOf, descendantsOf, type TermNode } from '../../taxonomies/term-tree.ts'

// A menu of 5,000 places is 300 KB, so a long list offers only the upper levels and the selected ones.
const MOST_PLACES = 300

const ids = z
  .array(
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  )
  .max(MOST_PLACES)
  .default([])

/** The fields of AccessFields.astro. */
export const ACCESS_FIELDS = { role: z.enum(ROLES), places: ids, forms: ids }

type Posted = z.output<z.ZodObject<typeof ACCESS_FIELDS>>

/** Reads the posted access; an empty selection means everything. */
export function toAccess({ role, places, forms }: Posted): Access {
  return { role, limits: { places: orAll(places), forms: orAll(forms) } }
}

function orAll(chosen: readonly number[]): readonly number[] | null {
  return chosen.length === 0 ? null : chosen
}

/** Returns the initial values of the fields. */
export function accessValues({ role, limits: { places, forms } }: Access) {
  return { role, places: (places ?? []).map(String), forms: (forms ?? []).map(String) }
}

/** The access that a user can assign to others. */
export interface AccessChoices {
  roles: { value: string; label: string; hint: string }[]
  /** In tree order, with their depth. */
  places: { id: number; name: string; depth: number }[]
  forms: { id: number; name: string }[]
}

/** Loads what a user may assign: no role above their own, and no place or form beyond their limits. */
export async function loadAccessChoices(
  db: Db,
  giver: Administrator,
  chosen: { places: readonly string[]; forms: readonly string[] },
): Promise<AccessChoices> {
  const { limits } = giver
  const { roots, byId } = await loadPlaceTree(db)
  const tops = limits.places === null ? roots : limits.places.flatMap((id) => byId.get(id) ?? [])
  const all = [...new Set(tops.flatMap((top) => [top, ...descendantsOf(top)]))]
  const offered = offeredAmong(all, new Set(chosen.places.map(Number)))
  const names = [...(await listFormNames(db))].map(([id, name]) => ({ id, name }))
  return {
    roles: ROLES.filter((role) => mayGiveRole(giver, role)).map((value) => ({
      value,
      label: roleLabels[value],
      hint: roleHints[value],
    })),
    places: [
      ...offered.map((node) => ({ id: node.id, name: node.name, depth: ancestorsOf(node).length })),
      ...goneOf(chosen.places, new Set(byId.keys())).map((one) => ({ ...one, depth: 0 })),
    ],
    forms: [
      ...names.filter(({ id }) => limits.forms === null || limits.forms.includes(id)),
      ...goneOf(chosen.forms, new Set(names.map(({ id }) => id))),
    ],
  }
}

// Selected places come first, because only listed places are posted again.
function offeredAmong(all: readonly TermNode[], chosen: ReadonlySet<number>): readonly TermNode[] {
  if (all.length <= MOST_PLACES) return all
  const [own, others] = [all.filter(({ id }) => chosen.has(id)), all.filter(({ id }) => !chosen.has(id))]
  const upper = others.filter(({ children }) => children.length > 0)
  const offered = new Set([...own, ...upper].slice(0, MOST_PLACES))
  return all.filter((node) => offered.has(node))
}

// Stay selected, because without its last place a user would see every place.
function goneOf(chosen: readonly string[], known: ReadonlySet<number>): { id: number; name: string }[] {
  const gone = chosen.map(Number).filter((id) => id > 0 && !known.has(id))
  return gone.map((id) => ({ id, name: accessTexts.gone }))
}

/** Returns the selected places and forms. */
export function chosenOf(values: Readonly<Record<string, string | readonly string[]>>) {
  return { places: [values.places ?? []].flat(), forms: [values.forms ?? []].flat() }
}

/** The names of a role and its limits. */
export interface NamedAccess {
  role: string
  places: string[]
  forms: string[]
}

/** Returns a function that describes users' access. */
export async function createAccessNames(db: Db): Promise<(access: Access) => NamedAccess> {
  const { byId } = await loadPlaceTree(db)
  const forms = await listFormNames(db)
  return ({ role, limits }) => ({
    role: roleLabels[role],
    places: (limits.places ?? []).map((id) => byId.get(id)?.name ?? accessTexts.gone),
    forms: (limits.forms ?? []).map((id) => forms.get(id) ?? accessTexts.gone),
  })
}
