import type { Db } from '../db/schema.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { AdminProblem } from '../messages/admin/problems.ts'
import { insertAdministrator } from './administrator-store.ts'
import { hashPassword } from './password-hash.ts'
import { findPasswordMistake } from './passwords/password-rules.ts'
import type { Limits, Role } from './roles/role.ts'

export interface NewAdministrator {
  /** Lower case. */
  email: string
  name: string | null
  password: string
  /** Defaults to an owner without limits. */
  role?: Role | undefined
  limits?: Limits | undefined
}

export type CreateOutcome = Outcome<number, AdminProblem>

/** Creates an account that can sign in. Returns its ID. */
export async function createAdministrator(
  db: Db,
  { email, name, password, ...access }: NewAdministrator,
  { now }: { now: Date },
): Promise<CreateOutcome> {
  const problem = await findPasswordMistake(password, [email, name ?? ''])
  if (problem) return { kind: 'invalid', problems: [problem] }
  const passwordHash = await hashPassword(password)
  const id = await insertAdministrator(db, { email, name, passwordHash, ...access, now })
  return id === undefined
    ? { kind: 'invalid', problems: [{ path: ['email'], code: 'email_taken' }] }
    : { kind: 'saved', value: id }
}
