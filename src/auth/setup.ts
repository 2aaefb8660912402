import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../db/schema.ts'
import { hasAdministrators } from './administrator-store.ts'
import { type CreateOutcome, createAdministrator, type NewAdministrator } from './create-administrator.ts'

const CODE_BYTES = 24

/** The way to the first account: a link that only who started the program sees. */
export type Setup = ReturnType<typeof createSetup>

/** Each start has its own code, kept in memory only. */
export function createSetup(db: Db) {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  let before: Promise<unknown> = Promise.resolve()
  return {
    /** The code of the link; undefined when there is an account already. */
    findCode: async (): Promise<string | undefined> => ((await hasAdministrators(db)) ? undefined : code),
    /** Returns true if this code makes the first account: never once there is one. */
    isOpenFor: async (given: string | null): Promise<boolean> =>
      given !== null && isSame(given, code) && !(await hasAdministrators(db)),
    /** Makes the first account; of several at the same moment one. */
    createFirst(account: NewAdministrator, when: { now: Date }): Promise<CreateOutcome> {
      const made = before.then(() => createUnlessThere(db, account, when))
      before = made.catch(() => undefined)
      return made
    },
  }
}

async function createUnlessThere(
  db: Db,
  account: NewAdministrator,
  when: { now: Date },
): Promise<CreateOutcome> {
  if (!(await hasAdministrators(db))) return createAdministrator(db, account, when)
  return { kind: 'invalid', problems: [{ path: [], code: 'first_account_taken' }] }
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}
