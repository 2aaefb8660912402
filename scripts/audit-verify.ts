import { type ChainState, verifyAuditChain } from '../src/auth/audit/audit-chain.ts'
import { readConfig } from '../src/config.ts'
import { runCommand } from './command-line.ts'
import { withUntouchedDatabase } from './open-database.ts'

await runCommand(
  { usage: 'npm run audit:verify [-- --head HASH]', options: { head: { type: 'string' } } },
  async ({ head }) => {
    const { databaseUrl } = readConfig(undefined, { isReadOnly: true })
    await withUntouchedDatabase(databaseUrl, async (db) => report(await verifyAuditChain(db, { head })))
  },
)

function report(state: ChainState) {
  if (state.kind === 'broken')
    throw new Error(
      `The audit log was changed: entry ${state.id} of ${state.happenedAt} does not fit the entries before it`,
    )
  if (state.kind === 'head_missing')
    throw new Error('The audit log was cut or rewritten: no entry has that hash')
  console.log(
    `The audit log is intact: ${state.entries} entries. Hash of the newest: ${state.head || 'none'}`,
  )
}
