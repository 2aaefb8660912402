import type { Limits, Role } from './roles/role.ts'

/** Someone who may sign in to the admin. What is secret about them never leaves the store. */
export interface Administrator {
  id: number
  /** Lower case; what they sign in with. */
  email: string
  name: string | null
  role: Role
  limits: Limits
  createdAt: string
  lastSignedInAt: string | null
  /** When the account was turned off; it cannot sign in until it is turned on again. */
  disabledAt: string | null
  /** True if they have not chosen a password yet. */
  isInvited: boolean
  /** True if two-step sign-in with an authenticator app is on. */
  hasTwoFactors: boolean
  hasPasskeys: boolean
}
