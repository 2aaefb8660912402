import type { Limits, Role } from './roles/role.ts'

/** A user of the admin. Their secrets never leave the store. */
export interface Administrator {
  id: number
  /** Lower case; used to sign in. */
  email: string
  name: string | null
  role: Role
  limits: Limits
  createdAt: string
  lastSignedInAt: string | null
  /** When the account was disabled; null while it can sign in. */
  disabledAt: string | null
  /** True if they have not chosen a password yet. */
  isInvited: boolean
  /** True if two-step sign-in with an authenticator app is on. */
  hasTwoFactors: boolean
  hasPasskeys: boolean
}
