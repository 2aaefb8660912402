import type { Kysely } from 'kysely'
import { resetTwoFactorsOf, setUpAccount } from '../src/auth/set-up-account.ts'
import { type Config, readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Schema } from '../src/db/schema.ts'
import { Failure } from '../src/lib/messages.ts'
import { describeProblem } from '../src/messages/admin/problems.ts'
import { accountTexts } from '../src/messages/command-line/accounts.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { serverOperator } from '../src/messages/mail/accounts.ts'
import { createAccountMail } from '../src/server/accounts/account-mail.ts'
import { type AccountChange, tellUser } from '../src/server/accounts/tell-user.ts'
import { askForPassword } from './ask-for-password.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withDatabase } from './open-database.ts'

await runCommand(
  {
    usage: usages.adminCreate,
    options: { email: { type: 'string' }, 'reset-two-factor': { type: 'boolean' } },
  },
  async ({ email = '', 'reset-two-factor': isReset = false }) => {
    const address = email.trim().toLowerCase()
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new WrongUsage(usageTexts.emailMissing)
    const work = isReset ? resetTwoFactors(address) : await setPassword(address)
    const config = readConfig()
    await withDatabase(config.databaseUrl, async (db) => {
      await migrate(db)
      const { message, change } = await work(db)
      console.log(message)
      if (change) await tell(config, { kind: change, email: address, by: serverOperator })
    })
  },
)

/** The command's message, and the change that the user gets an email about. */
interface Done {
  message: string
  change?: AccountChange['kind']
}

type Work = (db: Kysely<Schema>) => Promise<Done>

async function setPassword(email: string): Promise<Work> {
  const password = process.env.ADMIN_PASSWORD ?? (await askForPassword(process.stdin, process.stderr))
  return async (db) => {
    const outcome = await setUpAccount(db, { email, password }, { now: new Date() })
    if (outcome.kind === 'invalid') throw new Error(outcome.problems.map(describeProblem).join(' '))
    if (outcome.kind === 'saved' && outcome.value === 'created')
      return { message: accountTexts.created(email) }
    return { message: accountTexts.passwordReplaced(email), change: 'password_set' }
  }
}

function resetTwoFactors(email: string): Work {
  return async (db) => {
    const { kind } = await resetTwoFactorsOf(db, email, { now: new Date() })
    if (kind === 'unknown') throw new Failure(accountTexts, 'unknown', email)
    if (kind === 'not_set_up') return { message: accountTexts.twoFactorsOff(email) }
    return { message: accountTexts.twoFactorsReset(email), change: 'two_factors_reset' }
  }
}

async function tell(config: Config, change: AccountChange) {
  const told = await tellUser(createAccountMail(config), change, config)
  if (told?.kind === 'failed') console.error(accountTexts.mailFailed(change.email, told.message))
}
