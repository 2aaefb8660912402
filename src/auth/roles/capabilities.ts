import { isAbove, isLimited, type Limits, type Role } from './role.ts'

interface Rule {
  roles: readonly Role[]
  /**
   * True if accounts limited to places or forms have it too, within their limits. `places`: only accounts
   * limited to places alone.
   */
  limited: boolean | 'places'
}

const EVERYONE: readonly Role[] = ['owner', 'manager', 'editor', 'office', 'viewer']
const MANAGERS: readonly Role[] = ['owner', 'manager']
const EDITORS: readonly Role[] = ['owner', 'manager', 'editor']

/** Capabilities and the roles that have them. docs/team.md has the same table. */
const RULES = {
  use_account: { roles: EVERYONE, limited: true },

  read_leads: { roles: ['owner', 'manager', 'office', 'viewer'], limited: true },
  work_leads: { roles: ['owner', 'manager', 'office'], limited: true },
  export_leads: { roles: MANAGERS, limited: true },
  delete_leads: { roles: MANAGERS, limited: true },
  resend_leads: { roles: MANAGERS, limited: true },
  // A person may have submitted leads for any place.
  erase_people: { roles: MANAGERS, limited: false },
  // Views and leads are summed by place, not by form.
  read_results: { roles: ['owner', 'manager', 'office', 'viewer'], limited: 'places' },

  read_content: { roles: ['owner', 'manager', 'editor', 'viewer'], limited: true },
  edit_content: { roles: EDITORS, limited: false },
  publish: { roles: EDITORS, limited: false },
  edit_structure: { roles: MANAGERS, limited: false },

  // Editing a form or webhook decides where its leads go.
  edit_forms: { roles: MANAGERS, limited: false },
  edit_webhooks: { roles: MANAGERS, limited: false },

  edit_settings: { roles: MANAGERS, limited: false },
  manage_team: { roles: MANAGERS, limited: true },
  read_activity: { roles: MANAGERS, limited: false },
  // Affects owners too: everyone's sign-in rules, and code on every page.
  rule_site: { roles: ['owner'], limited: false },
} as const satisfies Record<string, Rule>

export type Capability = keyof typeof RULES

/** The account whose role and limits decide. */
export interface Holder {
  role: Role
  limits: Limits
}

/** Returns true if the account may do this. */
export function can({ role, limits }: Holder, capability: Capability): boolean {
  const { roles, limited }: Rule = RULES[capability]
  const isWithin = limited === 'places' ? limits.forms === null : limited
  return roles.includes(role) && (isWithin || !isLimited(limits))
}

/** Returns true if the account may assign this role. Nobody can assign more than they have. */
export function mayGiveRole(giver: Holder, role: Role): boolean {
  return can(giver, 'manage_team') && !isAbove(role, giver.role)
}
