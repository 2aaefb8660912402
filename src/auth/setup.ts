import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { hasAdministrators } from './administrator-store.ts'
import { type CreateOutcome, createAdministrator, type NewAdministrator } from './create-administrator.ts'
import { deleteSetupCodes, hasSetupCode, lockFirstAccount, saveSetupCode } from './setup-code-store.ts'

const CODE_BYTES = 24

/** The setup of the first account, through a link printed only where the program was started. */
export type Setup = ReturnType<typeof createSetup>

/** Each start makes a code and stores its hash, so every server accepts the codes of all servers. */
export function createSetup(db: Kysely<Schema>) {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  let saved: Promise<void> | undefined

  function save() {
    saved ??= saveSetupCode(db, hashOf(code), { now: new Date() }).catch((error) => {
      saved = undefined
      throw error
    })
    return saved
  }

  return {
    /** The code for the link; undefined if there is an account already. */
    async findCode(): Promise<string | undefined> {
      if (await hasAdministrators(db)) return undefined
      await save()
      return code
    },
    /** Returns true if this code can create the first account; always false once an account exists. */
    isOpenFor: async (given: string | null): Promise<boolean> =>
      given !== null && (await hasSetupCode(db, hashOf(given))) && !(await hasAdministrators(db)),
    /** Creates the first account. If several requests arrive at once, on any server, one succeeds. */
    createFirst: (account: NewAdministrator, when: { now: Date }): Promise<CreateOutcome> =>
      db.transaction().execute((trx) => createUnlessThere(trx, account, when)),
  }
}

async function createUnlessThere(
  db: Db,
  account: NewAdministrator,
  when: { now: Date },
): Promise<CreateOutcome> {
  await lockFirstAccount(db)
  if (await hasAdministrators(db))
    return { kind: 'invalid', problems: [{ path: [], code: 'first_account_taken' }] }
  const created = await createAdministrator(db, account, when)
  if (created.kind === 'saved') await deleteSetupCodes(db)
  return created
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
