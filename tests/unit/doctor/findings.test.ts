import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Config, readConfig } from '#src/config.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate, migrationNames } from '#src/db/migrate.ts'
import { openSecretBox } from '#src/db/secret-key-store.ts'
import { checkBackups } from '#src/doctor/check-backups.ts'
import { checkConditions } from '#src/doctor/check-conditions.ts'
import { checkDatabase } from '#src/doctor/check-database.ts'
import { checkDataFolder, checkDisk, checkKeyFile } from '#src/doctor/check-machine.ts'
import { checkAdminAddress, checkClock, checkServer, checkSiteAddress } from '#src/doctor/check-network.ts'
import { checkNotices } from '#src/doctor/check-notices.ts'
import { checkServers } from '#src/doctor/check-servers.ts'
import { checkContent } from '#src/doctor/check-site.ts'
import { checkWebhooks } from '#src/doctor/check-webhooks.ts'
import type { Finding } from '#src/doctor/finding.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { copyMigrated, temporaryFolder } from '#tests/support/database.ts'
import { storeWebhook } from '#tests/support/desk.ts'
import { storeForm } from '#tests/support/forms.ts'
import { freePort } from '#tests/support/running-site.ts'
import { said } from '#tests/support/said.ts'
import { addPlaces } from '#tests/support/small-site.ts'

const GIB = 1024 ** 3
const NOW = Date.UTC(2026, 10, 20, 10)

function saidBy(finding: Finding) {
  const { state, says } = said(finding)
  return `${state}: ${says}`
}

function aConfig(t: TestContext, environment: NodeJS.ProcessEnv = {}) {
  return readConfig({ DATA_DIR: temporaryFolder(t), ...environment })
}

async function aDatabase(t: TestContext, environment: NodeJS.ProcessEnv = {}) {
  const config = aConfig(t, environment)
  const path = join(config.dataDir, 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  atEnd(t, () => db.destroy())
  await openSecretBox(db, config.secretKeys)
  return { config, path, db }
}

// Numbers need no DNS.
for (const [siteUrl, trustedProxies, said] of [
  ['http://localhost:4321', 0, /^warning: .* is this machine/],
  ['https://127.0.0.1', 1, /^warning: .* is this machine/],
  ['http://[::1]:4321', 0, /^warning: .* is this machine/],
  ['https://no-such-host.invalid', 1, /^failed: no-such-host\.invalid has no address in DNS/],
  ['http://127.0.0.2', 1, /^warning: .* does not use https/],
  ['https://127.0.0.2', 0, /^warning: https needs a proxy/],
  ['https://127.0.0.2', 1, /^ok: 127\.0\.0\.2 resolves to 127\.0\.0\.2$/],
] as const) {
  test(`doctor: SITE_URL ${siteUrl} behind ${trustedProxies} proxies`, async (t) => {
    const config = { ...aConfig(t), siteUrl, trustedProxies }
    assert.match(saidBy(await checkSiteAddress(config)), said)
  })
}

const ADMINS: readonly [what: string, settings: Partial<Config>, said: RegExp][] = [
  [
    'of its own that has no address',
    { adminHost: 'a.invalid', adminUrl: 'https://a.invalid' },
    /^failed: a\.inv/,
  ],
  [
    'of its own that has one',
    { adminHost: '127.0.0.2', adminUrl: 'https://127.0.0.2' },
    /^ok: .* every address/,
  ],
  ['of its own that is this machine', { adminHost: 'localhost', adminUrl: 'https://localhost' }, /^ok: /],
  ['of the site', { adminUrl: 'https://a.invalid' }, /^ok: /],
  [
    'open to two ranges',
    { adminAllow: ['10.0.0.0/8', '192.0.2.0/24'] },
    /^ok: .*\/admin is open to 10\.0\.0\.0\/8, 192\.0\.2\.0\/24 only$/,
  ],
  [
    'open to a range that is compared with the proxy',
    { adminAllow: ['10.0.0.0/8'], siteUrl: 'https://a.example' },
    /^failed: ADMIN_ALLOW checks the proxy’s address/,
  ],
  ['open to all behind a proxy', { siteUrl: 'https://a.example' }, /^ok: .* every address/],
]

for (const [what, settings, said] of ADMINS) {
  test(`doctor: an admin with a host ${what}`, async (t) => {
    const config = { ...aConfig(t), trustedProxies: 0, adminHost: undefined, ...settings }
    assert.match(saidBy(await checkAdminAddress(config)), said)
  })
}

test('doctor reports a free port, another program on it, or a missing release', async (t) => {
  const config = { ...aConfig(t), host: '127.0.0.1', port: await freePort() }
  const address = `127\\.0\\.0\\.1:${config.port}`
  assert.match(saidBy(await checkServer(config)), new RegExp(`^ok: nothing is listening on ${address}\\.`))
  let body = ''
  const server = createServer((_, response) => response.end(body)).listen(config.port, '127.0.0.1')
  atEnd(t, () => server.close())
  await once(server, 'listening')
  for (const [text, said] of [
    ['hello', new RegExp(`^failed: Another program uses ${address}`)],
    ['{"status":"starting"}', /^warning: running, but has no release yet/],
    ['{"status":"unavailable","release":"r1"}', /^failed: running, but can't read its database/],
    ['{"status":"ok","release":"r1"}', /^ok: running, release r1$/],
  ] as const) {
    body = text
    assert.match(saidBy(await checkServer(config)), said)
  }
})

test('a local site’s clock isn’t compared', async (t) => {
  const config = { ...aConfig(t), siteUrl: 'http://127.0.0.1:9' }
  const said = saidBy(await checkClock(config, () => NOW))
  assert.equal(said, 'ok: 2026-11-20T10:00:00.000Z, not compared with another clock')
})

test('doctor says how much space is free, in GiB', async (t) => {
  const { dataDir } = aConfig(t)
  assert.match(
    saidBy(await checkDisk({ dataDir }, async () => 2.55 * GIB)),
    /^ok: 2\.5 GiB free in |^ok: 2\.6 GiB/,
  )
  assert.match(saidBy(await checkDisk({ dataDir: join(dataDir, 'not/yet') })), /^\w+: \d+\.\d GiB free in /)
})

test('the data folder is tested and left unchanged, and an unwritable one is reported', async (t) => {
  const config = aConfig(t)
  const before = readdirSync(config.dataDir)
  assert.match(saidBy(await checkDataFolder(config)), /^ok: .* is writable$/)
  assert.deepEqual(readdirSync(config.dataDir), before)
  const dataDir = join(config.dataDir, 'file')
  writeFileSync(dataDir, '')
  const said = saidBy(await checkDataFolder({ ...config, dataDir }))
  assert.match(said, /^failed: .* is not writable \(ENOTDIR.*\): make the user who runs Signpost its owner$/)
})

test('a key from the environment isn’t expected in a file', (t) => {
  const config = aConfig(t, { SECRET_KEY: Buffer.alloc(32).toString('base64') })
  assert.equal(saidBy(checkKeyFile(config)), 'ok: set in SECRET_KEY')
})

test('the newest backup counts, under any name and among other files', async (t) => {
  const config = { ...aConfig(t), backupKeep: 7 }
  assert.match(saidBy(await checkBackups(config)), /^warning: No backups yet/)
  const folder = join(config.dataDir, 'backups')
  mkdirSync(folder)
  for (const [name, daysAgo] of [
    ['b.db', 5],
    ['c.db', 4],
    ['a.db', 6],
    ['notes.txt', 0],
  ] as const) {
    writeFileSync(join(folder, name), '')
    utimesSync(join(folder, name), NOW / 1_000 - daysAgo * 86_400, NOW / 1_000 - daysAgo * 86_400)
  }
  assert.match(
    saidBy(await checkBackups(config, () => NOW)),
    /^warning: The newest backup, c\.db, is 4 days old/,
  )
  assert.match(saidBy(await checkBackups({ ...config, backupKeep: 0 })), /^warning: BACKUP_KEEP is 0/)
  const databaseUrl = 'postgres://127.0.0.1:9/site'
  assert.match(saidBy(await checkBackups({ ...config, databaseUrl })), /^warning: not checked: /)
})

test('missing site.yaml and every content error are reported', async (t) => {
  const contentDir = temporaryFolder(t)
  const config = { ...aConfig(t), contentDir }
  assert.match(saidBy(await checkContent(config)), /^warning: .* has no site\.yaml/)
  writeFileSync(join(contentDir, 'site.yaml'), 'name: 7\nlanguage: jp\n')
  assert.match(saidBy(await checkContent(config)), /^failed: .*site\.yaml:1.*; .*site\.yaml:2/)
  writeFileSync(join(contentDir, 'site.yaml'), Buffer.from([0xff, 0xfe, 0x00]))
  assert.match(saidBy(await checkContent(config)), /^failed: .*site\.yaml/)
  writeFileSync(join(contentDir, 'site.yaml'), 'name: Acme\n')
  assert.equal(saidBy(await checkContent(config)), `ok: ${contentDir}`)
})

test('a database is intact, needs migrations, is damaged, or is from a newer version', async (t) => {
  const { config, path, db } = await aDatabase(t)
  const names = await migrationNames()
  assert.equal(saidBy(await checkDatabase(config)), `ok: intact, at ${names.at(-1)}`)

  await db.insertInto('form_submissions').values({ form_id: 1 }).execute()
  await db.deleteFrom('form_submissions').execute()
  assert.match(saidBy(await checkDatabase(config)), /^ok: /, 'small enough for the server to rewrite')

  await db
    .deleteFrom('kysely_migration' as 'settings')
    .where('name' as 'key', '=', names.at(-1) ?? '')
    .execute()
  assert.match(saidBy(await checkDatabase(config)), /^warning: Pending: 1 migration\. /)
  await db
    .insertInto('kysely_migration' as 'settings')
    .values({ name: '9999_from_the_future', timestamp: '' } as never)
    .execute()
  assert.match(saidBy(await checkDatabase(config)), /^failed: .*9999_from_the_future/)
  await db.destroy()
  truncateSync(path, 20 * 4_096)
  assert.match(
    saidBy(await checkDatabase(config)),
    /^failed: The database is damaged \(|^failed: .* is damaged/,
  )
})

test('a database of an earlier version skips later checks', async (t) => {
  const config = aConfig(t)
  assert.equal(saidBy(await checkNotices(config)), 'ok: none yet')
  const db = connectSqlite(join(config.dataDir, 'signpost.db'))
  await migrate(db, { to: '0014' })
  await db.destroy()
  const contentDir = temporaryFolder(t)
  writeFileSync(join(contentDir, 'site.yaml'), 'name: Acme\n')
  assert.match(saidBy(await checkContent({ ...config, contentDir })), /^ok: /)
  writeFileSync(join(config.dataDir, 'signpost.db'), 'not a database, but long enough to be read as one')
  assert.match(saidBy(await checkNotices(config)), /^warning: not checked: /)
})

test('several servers are compared, and an unreachable database is reported with the reason', async (t) => {
  const config = aConfig(t)
  assert.match(saidBy(await checkServers(config)), /^ok: SQLite supports only one server/)
  const databaseUrl = `postgres://127.0.0.1:${await freePort()}/site`
  assert.match(
    saidBy(await checkServers({ ...config, databaseUrl })),
    /^warning: not checked: .*ECONNREFUSED/,
  )
})

test('webhook and email rules with an unknown place or service are listed', async (t) => {
  const { config, db } = await aDatabase(t)
  const when = { field: 'meta.location_slug', op: 'within', value: 'ennis' }
  const { id } = await storeForm(db, 'quote', {
    settings: { notifications: [{ to: ['clare@example.com'], when }, { to: ['hq@example.com'] }] },
  })
  await addPlaces(db, 'clare/ennis')
  const webhookId = await storeWebhook(db, id, { fireOn: { any: [when, { 'meta.service_slug': 'repair' }] } })
  assert.equal(
    saidBy(await checkConditions(config)),
    'warning: The webhook "Webhook" (Contact) uses unknown slugs: repair. Correct the conditions under Forms',
  )
  await db.deleteFrom('taxonomy_terms').execute()
  assert.match(
    saidBy(await checkConditions(config)),
    /^warning: The webhook "Webhook" \(Contact\) uses unknown slugs: ennis, repair; The emails to clare@example\.com \(Contact\) use unknown slugs: ennis\./,
  )
  await db.updateTable('form_webhooks').set({ enabled: 0 }).where('id', '=', webhookId).execute()
  await addPlaces(db, 'ennis')
  assert.equal(
    saidBy(await checkConditions(config)),
    'ok: refer only to existing places, services, and choices',
  )
})

test('webhook and email rules with a choice that the question doesn’t have are listed', async (t) => {
  const { config, db } = await aDatabase(t)
  const when = { building: ['h', 'House'] }
  const fields = [{ name: 'building', label: 'Building', type: 'select' as const, options: ['House/h'] }]
  const settings = { notifications: [{ to: ['clare@example.com'], when }] }
  const { id } = await storeForm(db, 'quote', { settings, fields })
  await storeWebhook(db, id, { fireOn: when })
  assert.match(
    saidBy(await checkConditions(config)),
    /^warning: The webhook "Webhook" \(Contact\) uses unknown choices of building: House; The emails to clare@example\.com \(Contact\) use unknown choices of building: House\./,
  )
})

test('enabled webhooks need a host and port that may be reached', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  atEnd(t, () => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { config, db } = await aDatabase(t, { WEBHOOK_ALLOW: `127.0.0.0/8:${port},[::1]/128:443` })
  const { id } = await storeForm(db, 'lead')
  for (const [url, isOn] of [
    [`http://127.0.0.1:${port}/`, true],
    ['https://[::1]/', true],
    ['https://off.invalid/', false],
  ] as const) {
    await storeWebhook(db, id, { url })
    if (!isOn) await db.updateTable('form_webhooks').set({ enabled: 0 }).where('url', '=', url).execute()
  }
  assert.equal(saidBy(await checkWebhooks(config)), 'ok: 2 on, all with reachable hosts')
  for (const url of ['https://localhost/', `https://localhost:${port}/`]) await storeWebhook(db, id, { url })
  const said = saidBy(await checkWebhooks(config))
  assert.match(said, /^warning: 1 of 4 can't be sent now: .*localhost/)
  await storeWebhook(db, id, { url: 'https://a.invalid/' })
  assert.match(
    saidBy(await checkWebhooks(config)),
    /^warning: 2 of 5 .*localhost.*; .*a\.invalid has no address/,
  )
})
