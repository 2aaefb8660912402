import type { Kysely } from 'kysely'
import { type Limits, ROLES, type Role } from '../src/auth/roles/role.ts'
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
import { resolveLimits } from '../src/server/accounts/resolve-limits.ts'
import { type AccountChange, tellUser } from '../src/server/accounts/tell-user.ts'
import { askForPassword } from './ask-for-password.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withDatabase } from './open-database.ts'

await runCommand(
  {
    usage: usages.adminCreate,
    options: {
      email: { type: 'string' },
      role: { type: 'string' },
      place: { type: 'string', multiple: true },
      form: { type: 'string', multiple: true },
      'reset-two-factor': { type: 'boolean' },
    },
  },
  async ({ email = '', role, place, form, 'reset-two-factor': isReset = false }) => {
    const address = email.trim().toLowerCase()
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new WrongUsage(usageTexts.emailMissing)
    const access = { role: toRole(role), places: place, forms: form }
    const work = isReset ? resetTwoFactors(address) : await setPassword(address, access)
    const config = readConfig()
    await withDatabase(config.databaseUrl, async (db) => {
      await migrate(db)
      const { message, change } = await work(db)
      console.log(message)
      if (change) await tell({ db, config }, { kind: change, email: address, by: serverOperator })
    })
  },
)

/** The command's message, and the change to report to the user by email. */
interface Done {
  message: string
  change?: AccountChange['kind']
}

type Work = (db: Kysely<Schema>) => Promise<Done>

/** An account's role and limits as typed; missing options keep their values. */
interface AskedAccess {
  role: Role | undefined
  places: readonly string[] | undefined
  forms: readonly string[] | undefined
}

function toRole(text: string | undefined): Role | undefined {
  const role = ROLES.find((one) => one === text)
  if (text !== undefined && !role)
    throw new WrongUsage(usageTexts.expectedOneOf(usageTexts.roleUnknown(text), ROLES))
  return role
}

async function setPassword(email: string, asked: AskedAccess): Promise<Work> {
  const password = process.env.ADMIN_PASSWORD ?? (await askForPassword(process.stdin, process.stderr))
  return async (db) => {
    const access = await resolveAccess(db, asked)
    const outcome = await setUpAccount(db, { email, password, ...access }, { now: new Date() })
    if (outcome.kind === 'invalid') throw new Error(outcome.problems.map(describeProblem).join(' '))
    if (outcome.kind === 'refused') throw new Failure(accountTexts, 'lastOwner', email)
    if (outcome.kind === 'saved' && outcome.value === 'created')
      return { message: accountTexts.created(email) }
    return { message: accountTexts.passwordReplaced(email), change: 'password_set' }
  }
}

async function resolveAccess(
  db: Kysely<Schema>,
  { role, places, forms }: AskedAccess,
): Promise<{ role?: Role; limits?: Limits }> {
  if (!role && !places && !forms) return {}
  const resolved = await resolveLimits(db, { places: places ?? [], forms: forms ?? [] })
  if (resolved.kind === 'invalid') throw new Error(resolved.problems.map(describeProblem).join(' '))
  return { ...(role && { role }), limits: resolved.limits }
}

function resetTwoFactors(email: string): Work {
  return async (db) => {
    const { kind } = await resetTwoFactorsOf(db, email, { now: new Date() })
    if (kind === 'unknown') throw new Failure(accountTexts, 'unknown', email)
    if (kind === 'not_set_up') return { message: accountTexts.twoFactorsOff(email) }
    return { message: accountTexts.twoFactorsReset(email), change: 'two_factors_reset' }
  }
}

async function tell(of: { db: Kysely<Schema>; config: Config }, change: AccountChange) {
  const told = await tellUser(createAccountMail(of.config), change, of)
  if (!told) console.error(accountTexts.mailMissing(change.email))
  if (told?.kind === 'failed') console.error(accountTexts.mailFailed(change.email, told.message))
}
