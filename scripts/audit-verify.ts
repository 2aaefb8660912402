import { type ChainState, verifyAuditChain } from '../src/auth/audit/audit-chain.ts'
import { readConfig } from '../src/config.ts'
import { Failure } from '../src/lib/messages.ts'
import { auditTexts } from '../src/messages/command-line/accounts.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand } from './command-line.ts'
import { withUntouchedDatabase } from './open-database.ts'

await runCommand({ usage: usages.auditVerify, options: { head: { type: 'string' } } }, async ({ head }) => {
  const { databaseUrl } = readConfig(undefined, { isReadOnly: true })
  await withUntouchedDatabase(databaseUrl, async (db) => report(await verifyAuditChain(db, { head })))
})

function report(state: ChainState) {
  if (state.kind === 'broken') throw new Failure(auditTexts, 'broken', state.id, state.happenedAt)
  if (state.kind === 'head_missing') throw new Failure(auditTexts, 'headMissing')
  console.log(auditTexts.intact(state.entries, state.head))
}
