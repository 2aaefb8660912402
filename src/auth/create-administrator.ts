import type { Db } from '../db/schema.ts'
import { insertAdministrator } from './administrator-store.ts'
import { hashPassword } from './password-hash.ts'
import { findPasswordMistake } from './passwords/password-rules.ts'

export interface NewAdministrator {
  /** Lower case. */
  email: string
  name: string | null
  password: string
}

export type CreateOutcome =
  | { kind: 'created'; id: number }
  | { kind: 'taken' }
  | { kind: 'weak_password'; reason: string }

/** Creates an account that can sign in. */
export async function createAdministrator(
  db: Db,
  { email, name, password }: NewAdministrator,
  { now }: { now: Date },
): Promise<CreateOutcome> {
  const reason = await findPasswordMistake(password, [email, name ?? ''])
  if (reason) return { kind: 'weak_password', reason }
  const passwordHash = await hashPassword(password)
  const id = await insertAdministrator(db, { email, name, passwordHash, now })
  return id === undefined ? { kind: 'taken' } : { kind: 'created', id }
}
