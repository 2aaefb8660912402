import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { replaceConflicts, type StoredConflict } from '#src/content-files/conflicts/conflict-store.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { checkBackups } from '#src/doctor/check-backups.ts'
import { checkLastSync } from '#src/doctor/check-last-sync.ts'
import { checkDisk, checkNode } from '#src/doctor/check-machine.ts'
import { checkClock, checkMail, checkServer } from '#src/doctor/check-network.ts'
import { checkNotices } from '#src/doctor/check-notices.ts'
import { copyMigrated, temporaryFolder } from '#tests/support/database.ts'
import { addEntry } from '#tests/support/small-site.ts'
import { said } from '../../support/said.ts'

const GIB = 1024 ** 3
const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 20, 10)

test('Node is recent enough from 26 on', () => {
  for (const [version, state] of [
    ['24.18.0', 'failed'],
    ['25.99.9', 'failed'],
    ['26.0.0', 'ok'],
    ['27.1.0', 'ok'],
  ] as const)
    assert.equal(checkNode(version).state, state, version)
})

test('a disk is full below 256 MiB and nearly full below 2 GiB', async (t) => {
  const dataDir = temporaryFolder(t)
  for (const [bytes, state] of [
    [0.25 * GIB - 1, 'failed'],
    [0.25 * GIB, 'warning'],
    [2 * GIB - 1, 'warning'],
    [2 * GIB, 'ok'],
  ] as const)
    assert.equal((await checkDisk({ dataDir }, async () => bytes)).state, state, String(bytes))
})

test('the newest backup is overdue after three days', async (t) => {
  const dataDir = temporaryFolder(t)
  const backup = join(dataDir, 'backups', 'daily-20261120T100000000Z.db')
  mkdirSync(join(dataDir, 'backups'))
  writeFileSync(backup, '')
  utimesSync(backup, NOW / 1_000, NOW / 1_000)
  const config = { ...readConfig({ DATA_DIR: dataDir }), backupKeep: 7 }
  for (const [ageMs, state] of [
    [3 * DAY_MS - 1, 'ok'],
    [3 * DAY_MS, 'warning'],
  ] as const)
    assert.equal((await checkBackups(config, () => NOW + ageMs)).state, state, String(ageMs))
})

test('a clock is right within 30 s of the site’s, either way', async (t) => {
  const server = createServer((_, response) => response.setHeader('date', new Date(NOW).toUTCString()).end())
  // This machine too, but under an address that is not taken for it.
  server.listen(0, '127.0.0.2')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const config = { ...readConfig({ DATA_DIR: temporaryFolder(t) }), siteUrl: `http://127.0.0.2:${port}` }
  for (const [offMs, state] of [
    [-30_001, 'warning'],
    [-30_000, 'ok'],
    [30_000, 'ok'],
    [30_001, 'warning'],
  ] as const)
    assert.equal((await checkClock(config, () => NOW + offMs)).state, state, String(offMs))
})

test('five files with conflicts are listed, and the rest counted', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  t.after(() => db.destroy())
  const conflicts = (count: number): StoredConflict[] =>
    Array.from({ length: count }, (_, index) => ({
      ...{ path: `p${String(index).padStart(4, '0')}`, kind: 'waiting', message: '', version: '1' },
      ...{ file: null, row: null, foundAt: new Date(NOW).toISOString() },
    })) as StoredConflict[]
  const config = readConfig({ DATA_DIR: temporaryFolder(t), DATABASE_URL: `file:${path}` })
  for (const [count, named] of [
    [5, 'p0000, p0001, p0002, p0003, p0004. '],
    [6, 'p0000, p0001, p0002, p0003, p0004 and 1 more. '],
    [1_000, 'p0004 and 995 more. '],
    [1_001, 'p0004 and 995 more. '],
  ] as const) {
    await replaceConflicts(db, conflicts(count))
    const { says } = said(await checkLastSync(config, { hasSettings: true }))
    assert.ok(says.includes(named), says)
  }
})

test('a server and a mail server have 5 s to respond', async (t) => {
  const silent = createTcpServer((socket) => socket.on('error', () => {}))
  silent.listen(0, '127.0.0.1')
  t.after(() => silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const environment = {
    DATA_DIR: temporaryFolder(t),
    PORT: String(port),
    MAIL_FROM: 'forms@example.com',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
  }
  const config = readConfig(environment)
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  // The timers of Node's own signals cannot be moved on.
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), ms)
    return abort.signal
  })
  for (const check of [checkServer, checkMail]) {
    const connected = once(silent, 'connection')
    let isOver = false
    const over = check(config).finally(() => {
      isOver = true
    })
    await connected
    // The client learns of it in the same turn or the next.
    for (const _turn of [1, 2]) await new Promise(setImmediate)
    t.mock.timers.tick(4_999)
    await new Promise(setImmediate)
    assert.equal(isOver, false, check.name)
    t.mock.timers.tick(1)
    await over
  }
})

test('five site notices are listed, and the rest counted', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  t.after(() => db.destroy())
  const config = readConfig({ DATA_DIR: temporaryFolder(t), DATABASE_URL: `file:${path}` })
  // With the address that is missing.
  for (const [pictures, more] of [
    [4, undefined],
    [5, ' (and 1 more)'],
  ] as const) {
    const body = Array.from({ length: pictures }, (_, index) => `![](p${index}.jpg)`).join('\n\n')
    await addEntry(db, 'pages', { slug: `about-${pictures}`, title: 'About', body })
    const { says } = said(await checkNotices(config))
    assert.equal(says.match(/ \(and \d+ more\)$/)?.[0], more, says)
    await db.deleteFrom('content_entries').execute()
  }
})
