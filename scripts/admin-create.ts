import type { Kysely } from 'kysely'
import { resetTwoFactorsOf, setUpAccount } from '../src/auth/set-up-account.ts'
import { readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Schema } from '../src/db/schema.ts'
import { askForPassword } from './ask-for-password.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withDatabase } from './open-database.ts'

await runCommand(
  {
    usage: 'npm run admin:create -- --email ADDRESS [--reset-two-factor]',
    options: { email: { type: 'string' }, 'reset-two-factor': { type: 'boolean' } },
  },
  async ({ email = '', 'reset-two-factor': isReset = false }) => {
    const address = email.trim().toLowerCase()
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new WrongUsage('Name the account: --email ann@example.com')
    const work = isReset ? resetTwoFactors(address) : await setPassword(address)
    await withDatabase(readConfig().databaseUrl, async (db) => {
      await migrate(db)
      console.log(await work(db))
    })
  },
)

type Work = (db: Kysely<Schema>) => Promise<string>

async function setPassword(email: string): Promise<Work> {
  const password = process.env.ADMIN_PASSWORD ?? (await askForPassword(process.stdin, process.stderr))
  return async (db) => {
    const outcome = await setUpAccount(db, { email, password }, { now: new Date() })
    if (outcome.kind === 'weak_password') throw new Error(outcome.reason)
    return outcome.kind === 'created'
      ? `${email} can sign in now.`
      : `${email} has the new password, and is signed out everywhere.`
  }
}

function resetTwoFactors(email: string): Work {
  return async (db) => {
    const { kind } = await resetTwoFactorsOf(db, email, { now: new Date() })
    if (kind === 'unknown') throw new Error(`${email} has no account.`)
    return kind === 'not_set_up'
      ? `Two-step sign-in is already off for ${email}.`
      : `Two-step sign-in is off for ${email}, who is signed out everywhere and signs in with the password alone.`
  }
}
