import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { appendAuditEntry, verifyAuditChain } from '#src/auth/audit/audit-chain.ts'
import { type AuditFilter, listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { openTestDatabase, sqliteEngine, type TestEngine, temporaryFolder } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { runScript } from '../../support/running-site.ts'

const NOW = new Date('2026-11-22T10:00:00Z')
const entry = (summary: string) => ({
  ...{ userId: null, userEmail: 'ann@example.com', action: 'form.archived', address: '127.0.0.1' },
  ...{ subjectType: 'form', subjectId: 7, summary },
})

const forged = (id: number) => ({
  ...{ id, happened_at: NOW.toISOString(), user_email: 'b@example.com', action: 'form.archived' },
  ...{ summary: 'Forged', address: '127.0.0.1', chain_hash: 'a'.repeat(64) },
})

/** Appends three entries; `row` queries the one with that number. */
async function withThree(engine: TestEngine) {
  const db = await engine.openMigrated()
  const hashes: string[] = []
  for (const summary of ['One', 'Two', 'Three'])
    hashes.push(await appendAuditEntry(db, entry(summary), { now: NOW }))
  const ids = (await db.selectFrom('audit_log').select('id').orderBy('id').execute()).map(({ id }) => id)
  return { db, head: hashes.at(-1) ?? '', idOf: (number: number) => ids[number - 1] ?? 0 }
}

type Three = Awaited<ReturnType<typeof withThree>>

const CHANGES: readonly [what: string, change: (log: Three) => Promise<unknown>, firstBroken: number][] = [
  [
    'a changed text',
    ({ db, idOf }) =>
      db.updateTable('audit_log').set({ summary: 'Nothing' }).where('id', '=', idOf(2)).execute(),
    2,
  ],
  [
    'another person',
    ({ db, idOf }) =>
      db.updateTable('audit_log').set({ user_email: 'b@example.com' }).where('id', '=', idOf(1)).execute(),
    1,
  ],
  ['a removed entry', ({ db, idOf }) => db.deleteFrom('audit_log').where('id', '=', idOf(2)).execute(), 3],
  [
    'a removed hash',
    ({ db, idOf }) =>
      db.updateTable('audit_log').set({ chain_hash: null }).where('id', '=', idOf(3)).execute(),
    3,
  ],
  // IDs are given from 1 on.
  ...([0, -7] as const).map((id): (typeof CHANGES)[number] => [
    `a forged entry with the ID ${id}`,
    ({ db }) => db.insertInto('audit_log').values(forged(id)).execute(),
    id,
  ]),
]

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  for (const [what, change, number] of CHANGES) {
    test(`${engine.name}: the audit log detects ${what}`, async () => {
      const log = await withThree(engine)
      await change(log)
      const id = number < 1 ? number : log.idOf(number)
      const expected = { kind: 'broken', id, happenedAt: NOW.toISOString() }
      assert.deepEqual(await verifyAuditChain(log.db), expected)
    })
  }

  test(`${engine.name}: an untouched audit log is intact`, async () => {
    const { db, head } = await withThree(engine)
    assert.deepEqual(await verifyAuditChain(db, { head }), { kind: 'intact', entries: 3, head })
  })

  test(`${engine.name}: a truncated audit log lacks the hash recorded earlier`, async () => {
    const { db, head, idOf } = await withThree(engine)
    await db.deleteFrom('audit_log').where('id', '=', idOf(3)).execute()
    assert.equal((await verifyAuditChain(db)).kind, 'intact')
    assert.equal((await verifyAuditChain(db, { head })).kind, 'head_missing')
  })

  test(`${engine.name}: the audit log lists its newest entries first, page by page and user by user`, async () => {
    const { db, idOf } = await withThree(engine)
    const { id: userId } = await db
      .insertInto('admin_users')
      .values({ email: 'bob@example.com' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await appendAuditEntry(db, { ...entry('Four'), userId }, { now: NOW })
    const list = async (filter: Partial<AuditFilter>) =>
      (await listAuditEntries(db, { limit: 2, ...filter })).map(({ summary }) => summary)
    assert.deepEqual(await list({}), ['Four', 'Three'])
    assert.deepEqual(await list({ before: idOf(3) }), ['Two', 'One'])
    assert.deepEqual(await list({ userId }), ['Four'])
  })

  test(`${engine.name}: an audit entry is listed as written, with or without a subject`, async () => {
    const db = await engine.openMigrated()
    const { subjectType, subjectId, ...without } = entry('Signed out')
    for (const one of [entry('Archived'), without]) await appendAuditEntry(db, one, { now: NOW })
    const written = (await listAuditEntries(db, { limit: 2 })).map(({ id: _, ...rest }) => rest)
    const happenedAt = NOW.toISOString()
    assert.deepEqual(written, [
      { ...without, happenedAt },
      { ...entry('Archived'), subjectType, subjectId: String(subjectId), happenedAt },
    ])
    assert.equal((await verifyAuditChain(db)).kind, 'intact')
  })

  test(`${engine.name}: audit entries appended concurrently form one chain`, async () => {
    const db = await engine.openMigrated()
    const appends = Array.from({ length: 20 }, (_, index) =>
      appendAuditEntry(db, entry(`${index}`), { now: NOW }),
    )
    await Promise.all(appends)
    const state = await verifyAuditChain(db)
    assert.deepEqual([state.kind, 'entries' in state && state.entries], ['intact', 20])
  })
}

test('the entry hash is stable: a log from an earlier version verifies', async (t) => {
  const db = await openTestDatabase(t)
  const { subjectType: _type, subjectId: _id, ...without } = entry('Signed out')
  const hashes: string[] = []
  for (const one of [entry('Archived'), without]) hashes.push(await appendAuditEntry(db, one, { now: NOW }))
  assert.deepEqual(hashes, [
    '1a12c873899e36f77527bc7c8345c0efe8367a76f7f629f578c63bc7d62502a4',
    '756643759bb064a5368b46f4138768650c12490cefb3192b30684b3303027599',
  ])
})

test('a long audit log is verified to its end', async (t) => {
  const db = await openTestDatabase(t)
  await db.transaction().execute(async (trx) => {
    for (let number = 1; number <= 1_001; number++)
      await appendAuditEntry(trx, entry(`${number}`), { now: NOW })
  })
  const state = await verifyAuditChain(db)
  assert.deepEqual([state.kind, 'entries' in state && state.entries], ['intact', 1_001])
  await db.updateTable('audit_log').set({ summary: 'Nothing' }).where('summary', '=', '1001').execute()
  assert.equal((await verifyAuditChain(db)).kind, 'broken')
})

test('npm run audit:verify counts a single entry', async (t) => {
  const dataDir = temporaryFolder(t)
  const db = connectSqlite(join(dataDir, 'signpost.db'))
  await migrate(db)
  await appendAuditEntry(db, entry('One'), { now: NOW })
  await db.destroy()
  const { output } = await runScript('audit-verify.ts', { dataDir })
  assert.match(output, /^The audit log is intact: 1 entry\. /)
})

test('an upgrade chains the existing entries, and npm run audit:verify reports its findings', async (t) => {
  const dataDir = temporaryFolder(t)
  const db = connectSqlite(join(dataDir, 'signpost.db'))
  await migrate(db, { to: '0043' })
  const { userEmail: user_email, subjectType: subject_type, action, address } = entry('')
  const old = { user_email, subject_type, action, address, happened_at: NOW.toISOString() }
  await db
    .insertInto('audit_log')
    .values(['One', 'Two'].map((summary) => ({ ...old, user_id: null, subject_id: '7', summary })) as never)
    .execute()
  await migrate(db)
  const head = await appendAuditEntry(db, entry('Three'), { now: NOW })
  const verify = (...rest: string[]) => runScript('audit-verify.ts', { dataDir, arguments: rest })
  assert.deepEqual(await verify(), {
    code: 0,
    output: `The audit log is intact: 3 entries. Hash of the newest entry: ${head}\n`,
  })
  assert.equal((await verify('--head', '00')).code, 1)
  await db.updateTable('audit_log').set({ summary: 'Nothing' }).where('id', '=', 1).execute()
  await db.destroy()
  const { code, output } = await verify()
  assert.deepEqual([code, /^The audit log was changed: entry 1 \(2026-11-22/.test(output)], [1, true], output)
})
