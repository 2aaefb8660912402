import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { setUpAccount } from '../src/auth/set-up-account.ts'
import { readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withDatabase } from './open-database.ts'

await runCommand(
  { usage: 'npm run admin:create -- --email ADDRESS', options: { email: { type: 'string' } } },
  async ({ email = '' }) => {
    const address = email.trim().toLowerCase()
    if (!/^[^\s@]+@[^\s@]+$/.test(address))
      throw new WrongUsage('Say whose account it is: --email ann@example.com')
    const password = process.env.ADMIN_PASSWORD ?? (await askForPassword())
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

// What is typed is not shown.
async function askForPassword(): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('Set ADMIN_PASSWORD, or run this on a terminal to be asked')
  process.stderr.write('Password: ')
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  const password = await terminal.question('')
  terminal.close()
  process.stderr.write('\n')
  return password
}
