import { setUpAccount } from '../src/auth/set-up-account.ts'
import { readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { askForPassword } from './ask-for-password.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withDatabase } from './open-database.ts'

await runCommand(
  { usage: 'npm run admin:create -- --email ADDRESS', options: { email: { type: 'string' } } },
  async ({ email = '' }) => {
    const address = email.trim().toLowerCase()
    if (!/^[^\s@]+@[^\s@]+$/.test(address))
      throw new WrongUsage('Say whose account it is: --email ann@example.com')
    const password = process.env.ADMIN_PASSWORD ?? (await askForPassword(process.stdin, process.stderr))
    await withDatabase(readConfig().databaseUrl, async (db) => {
      await migrate(db)
      const outcome = await setUpAccount(db, { email: address, password }, { now: new Date() })
      if (outcome.kind === 'weak_password') throw new Error(outcome.reason)
      const done =
        outcome.kind === 'created' ? 'can sign in now' : 'has the new password, and is signed out everywhere'
      console.log(`${address} ${done}.`)
    })
  },
)
