/** The roles of users, most powerful first. */
export const ROLES = ['owner', 'manager', 'editor', 'office', 'viewer'] as const

export type Role = (typeof ROLES)[number]

// Editor and office have different tasks; neither is above the other.
const RANKS: Readonly<Record<Role, number>> = { owner: 4, manager: 3, editor: 2, office: 2, viewer: 1 }

/** Returns whether one role is above another. */
export function isAbove(role: Role, other: Role): boolean {
  return RANKS[role] > RANKS[other]
}

/** The limits of an account; null means no limit. */
export interface Limits {
  /** IDs of `locations` terms; each includes everything below it. */
  places: readonly number[] | null
  /** IDs of forms. */
  forms: readonly number[] | null
}

export const NO_LIMITS: Limits = { places: null, forms: null }

/** Returns whether an account is limited in any way. */
export function isLimited({ places, forms }: Limits): boolean {
  return places !== null || forms !== null
}
