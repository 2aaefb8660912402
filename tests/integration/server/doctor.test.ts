import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Config, readConfig } from '#src/config.ts'
import { openDatabase } from '#src/db/open-database.ts'
import { rewriteFile } from '#src/db/rewrite-file.ts'
import { truncateLog } from '#src/db/truncate-log.ts'
import { checkBackups } from '#src/doctor/check-backups.ts'
import { checkFiles } from '#src/doctor/check-files.ts'
import { checkNode } from '#src/doctor/check-machine.ts'
import { checkAdminAddress, checkClock } from '#src/doctor/check-network.ts'
import { checkContent } from '#src/doctor/check-site.ts'
import { checkWebhooks } from '#src/doctor/check-webhooks.ts'
import { examine as runChecks } from '#src/doctor/examine.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { temporaryFolder } from '../../support/database.ts'
import { storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { freePort } from '../../support/running-site.ts'
import { startS3 } from '../../support/s3-server.ts'
import { said } from '../../support/said.ts'
import { PNG, startUploads } from '../../support/uploads.ts'

async function listen(
  t: TestContext,
  answer: RequestListener,
  { port, host }: { port: number; host: string },
) {
  const server = createServer(answer).listen(port, host)
  t.after(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function examine(config: Config) {
  return (await runChecks(config)).map(said)
}

async function stateOf(environment: NodeJS.ProcessEnv) {
  const findings = await examine(readConfig(environment))
  return Object.fromEntries(findings.map(({ check, state, says }) => [check, `${state}: ${says}`]))
}

test('doctor reports no failure for a new folder and creates no database', async (t) => {
  const DATA_DIR = temporaryFolder(t)
  const found = await stateOf({ DATA_DIR, PORT: String(await freePort()) })
  assert.deepEqual(
    Object.values(found).filter((text) => text.startsWith('failed')),
    [],
  )
  assert.match(String(found.Database), /^warning: .*signpost\.db does not exist yet/)
  assert.match(String(found.SITE_URL), /^warning: .* is this machine/)
  assert.match(String(found.Admin), /^ok: .*\/admin is open to every address/)
})

test('doctor tests writing and reading the bucket and leaves it unchanged', async (t) => {
  const s3 = await startS3(t)
  const environment = { DATA_DIR: temporaryFolder(t), PORT: String(await freePort()), ...s3.environment }
  assert.equal((await stateOf(environment)).Files, 'ok: files: files can be written and read')
  assert.equal(s3.objects.size, 0)
  assert.match(
    String((await stateOf({ ...environment, S3_SECRET_ACCESS_KEY: 'wrong' })).Files),
    /^failed: The bucket files rejected a request \(SignatureDoesNotMatch\)/,
  )
})

test('doctor fails if the uploads folder is a file', async (t) => {
  const DATA_DIR = temporaryFolder(t)
  const PORT = String(await freePort())
  assert.equal((await stateOf({ DATA_DIR, PORT })).Files, `ok: in ${DATA_DIR}/uploads`)
  const file = join(DATA_DIR, 'taken')
  await writeFile(file, '')
  assert.match(String((await stateOf({ DATA_DIR, PORT, FILE_STORE: `file:${file}` })).Files), /^failed: /)
})

test('doctor reports a missing file store and creates no folder', async (t) => {
  const store = join(temporaryFolder(t), 'mounted', 'files')
  const site = await startUploads(t, { environment: { FILE_STORE: `file:${store}` } })
  const look = async () => {
    const finding = said(await checkFiles(site.app.config))
    return `${finding.state}: ${finding.says}`
  }
  await rm(store, { recursive: true, force: true })
  assert.equal(await look(), `warning: ${store} does not exist yet. The first file creates it`)
  assert.equal(existsSync(store), false)
  const lead = new FormData()
  lead.set('full_name', 'Ada')
  lead.set('photo', new Blob([PNG], { type: 'image/png' }), 'roof.png')
  assert.equal((await site.post(lead)).status, 201)
  assert.equal(await look(), `ok: ${store}: files can be written and read`)
  await rm(store, { recursive: true })
  assert.match(await look(), /^failed: .*files\/uploads does not exist, although visitors sent files/)
  assert.equal(existsSync(store), false)
  await mkdir(store)
  assert.match(await look(), /^failed: .*files\/uploads does not exist/)
})

test('doctor reports that an untrusted proxy would lock everyone out of the admin', async () => {
  const config = {
    SITE_URL: 'https://www.example.com',
    ADMIN_HOST: 'localhost',
    ADMIN_ALLOW: '10.0.0.0/8',
  }
  const settings = readConfig(
    { ...config, SECRET_KEY: Buffer.alloc(32).toString('base64') },
    { isReadOnly: true },
  )
  const { state, says } = said(await checkAdminAddress(settings))
  assert.equal(state, 'failed')
  assert.match(says, /Set TRUSTED_PROXIES/)
  const trusted = await checkAdminAddress({ ...settings, trustedProxies: 1 })
  assert.equal(
    `${trusted.state}: ${said(trusted).says}`,
    'ok: https://localhost/admin is open to 10.0.0.0/8 only',
  )
})

test('doctor lists missing items, including the folder and the key, and creates nothing', async (t) => {
  const DATA_DIR = join(temporaryFolder(t), 'not', 'yet')
  const config = readConfig({ DATA_DIR, PORT: String(await freePort()) }, { isReadOnly: true })
  const findings = await examine(config)
  const missing = findings.filter(({ says }) => says.includes('does not exist yet')).map(({ check }) => check)
  assert.deepEqual(missing, ['Data folder', 'Secret key', 'Database'])
  assert.deepEqual(
    findings.filter(({ state }) => state === 'failed'),
    [],
  )
  assert.equal(existsSync(dirname(DATA_DIR)), false)
})

test('doctor lists a large database file with deleted data until npm run vacuum', async (t) => {
  const { app } = await startFront(t)
  const { id } = await storeForm(app.db, 'lead')
  await app.db.insertInto('form_submissions').values({ form_id: id }).execute()
  await app.db.deleteFrom('form_submissions').execute()
  const look = async () => (await examine(app.config)).find(({ check }) => check === 'Database')
  assert.equal((await look())?.state, 'ok')
  // A hole at its end: SQLite knows how many pages are its own.
  const file = join(app.config.dataDir, 'signpost.db')
  await truncateLog(app.db)
  await truncate(file, 101 * 1024 * 1024)
  assert.match(String((await look())?.says), /signpost\.db still contains deleted data\. .*npm run vacuum$/)
  await rewriteFile(app.db)
  assert.equal((await look())?.state, 'ok')
})

test('doctor passes a running site', async (t) => {
  const mail = await startMailServer(t)
  const { app } = await startFront(t, { environment: { SMTP_URL: mail.url, MAIL_FROM: 'forms@example.com' } })
  const { id } = await storeForm(app.db, 'lead')
  await storeWebhook(app.db, id, { url: 'http://127.0.0.1:9' })
  const findings = await examine(app.config)
  const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]))
  assert.partialDeepStrictEqual(states, {
    Database: 'ok',
    Release: 'ok',
    Server: 'ok',
    Email: 'ok',
    Disk: 'ok',
    Webhooks: 'ok',
    Conditions: 'ok',
  })
  const otherKey = { ...app.config, secretKeys: fixedRing(new Uint8Array(32)) }
  const found = (await examine(otherKey)).find(({ check }) => check === 'Database')
  assert.match(`${found?.state}: ${found?.says}`, /^failed: SECRET_KEY is not the key .* secret\.key /)
})

test('doctor reports a world-readable database', async (t) => {
  const { app } = await startFront(t)
  const path = app.config.databaseUrl.slice('file:'.length)
  await chmod(path, 0o644)
  const database = (await examine(app.config)).find(({ check }) => check === 'Database')
  assert.deepEqual(database, {
    check: 'Database',
    state: 'warning',
    says: `Other users on this machine can read ${path}. Stop the server and run chmod 600 ${path}*`,
  })
})

test('doctor distinguishes an inaccessible database from a missing one', async (t) => {
  const DATA_DIR = temporaryFolder(t)
  await symlink('signpost.db', join(DATA_DIR, 'signpost.db'))
  const found = await stateOf({ DATA_DIR, PORT: String(await freePort()) })
  assert.match(String(found.Database), /^failed: The database file .*signpost\.db can’t be opened/)
})

test('doctor distinguishes a lost database from one not created yet', async (t) => {
  const DATA_DIR = temporaryFolder(t)
  const release = join('releases', '20261122T100000000Z')
  await mkdir(join(DATA_DIR, release, 'site'), { recursive: true })
  await symlink(release, join(DATA_DIR, 'current'))
  const found = await stateOf({ DATA_DIR, PORT: String(await freePort()) })
  assert.match(
    String(found.Database),
    /^failed: .* does not exist, although a site was published.* restore\./,
  )
})

test('doctor reports an unreachable database server with the reason', async (t) => {
  const port = await listen(
    t,
    (_, response) => response.end('{"status":"unavailable","release":"20261122T100000000Z"}'),
    { port: 0, host: '127.0.0.1' },
  )
  const DATABASE_URL = `postgres://ann@127.0.0.1:${await freePort()}/site`
  const found = await stateOf({ DATA_DIR: temporaryFolder(t), PORT: String(port), DATABASE_URL })
  assert.match(String(found.Database), /^failed: .* refuses connections \(ECONNREFUSED\)/)
  assert.match(String(found.Server), /^failed: running, but can't read its database/)
})

const isSuperuser = process.getuid?.() === 0
const onlySuperuser = isSuperuser ? false : 'only the superuser can give a file away'

test('doctor lists files that belong to another user', { skip: onlySuperuser }, async (t) => {
  const DATA_DIR = temporaryFolder(t)
  const release = join(DATA_DIR, 'releases', '20261122T100000000Z')
  await mkdir(release, { recursive: true })
  const environment = { DATA_DIR, PORT: String(await freePort()) }
  assert.match(String((await stateOf(environment))['Data folder']), /^ok: /)
  await chown(release, 65_534, 65_534)
  const { 'Data folder': said } = await stateOf(environment)
  assert.match(String(said), /^failed: .*20261122T100000000Z and .* belong to different users.* run chown -R/)
})

test('doctor lists webhooks that can’t be sent, with the fix, and sends nothing', async (t) => {
  const { app } = await startFront(t, { environment: { WEBHOOK_ALLOW: '' } })
  const { id } = await storeForm(app.db, 'lead')
  const urls = [
    ...['https://no-such-host.invalid/key', 'https://localhost/', 'https://${NOT_SET_ANYWHERE}/'],
    'http://example.com/hook',
  ]
  for (const url of urls) await storeWebhook(app.db, id, { url })
  const { state, says } = said(await checkWebhooks(app.config))
  assert.equal(state, 'warning')
  assert.match(says, /^4 of 4 can't be sent now: /)
  assert.match(says, /no-such-host\.invalid has no address in DNS\. Correct the URL/)
  assert.match(
    says,
    /localhost is not a public address\. Use another URL, or allow this address in WEBHOOK_ALLOW/,
  )
  assert.match(says, /can’t send to this URL without https/)
  assert.match(
    says,
    /NOT_SET_ANYWHERE is not set in the environment\. Set it there or in \.env, and restart the server/,
  )
  assert.doesNotMatch(says, /key/)
})

test('doctor reports each problem with its fix', async (t) => {
  const DATA_DIR = temporaryFolder(t)
  const port = await listen(t, (_, response) => response.end('hello'), { port: 0, host: '127.0.0.1' })
  await writeFile(join(DATA_DIR, 'signpost.db'), 'this is no database, but a text of some length')
  await mkdir(join(DATA_DIR, 'empty'))
  await writeFile(join(DATA_DIR, 'secret.key'), Buffer.alloc(32).toString('base64'))
  await chmod(join(DATA_DIR, 'secret.key'), 0o644)
  const found = await stateOf({
    DATA_DIR,
    CONTENT_DIR: join(DATA_DIR, 'nowhere'),
    PORT: String(port),
    SITE_URL: 'http://no-such-host.invalid',
    SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
    MAIL_FROM: 'forms@example.com',
    BACKUP_KEEP: '0',
  })
  const expected = {
    'Secret key': /^warning: Other users on this machine can read .*\. Run chmod 600/,
    Database: /^failed: .* is not an SQLite database. Restore a backup with npm run restore/,
    Content: /^failed: .*nowhere does not exist/,
    Release: /^warning: Nothing is published yet/,
    Backups: /^warning: BACKUP_KEEP is 0/,
    Server: /^failed: Another program uses/,
    SITE_URL: /^failed: no-such-host\.invalid has no address/,
    Clock: /^warning: .* does not respond/,
    Webhooks: /^warning: not checked: .* is not an SQLite database/,
    Email: /^failed: 127\.0\.0\.1:\d+: .*ECONNREFUSED/,
  }
  for (const [check, text] of Object.entries(expected)) assert.match(String(found[check]), text)
})

test('doctor reports a broken site.yaml with its line', async (t) => {
  const contentDir = temporaryFolder(t)
  const config = readConfig({ DATA_DIR: temporaryFolder(t), CONTENT_DIR: contentDir })
  await writeFile(join(contentDir, 'site.yaml'), 'name: Bluebonnet\ncolour: red\n')
  const wrong = await checkContent(config)
  assert.equal(wrong.state, 'failed')
  assert.match(said(wrong).says, /site\.yaml:2: unknown key colour, expected one of: name/)
  await writeFile(join(contentDir, 'site.yaml'), 'name: "Bluebonnet\n')
  assert.match(said(await checkContent(config)).says, /site\.yaml:\d: the YAML cannot be read/)
  await writeFile(join(contentDir, 'site.yaml'), 'name: Bluebonnet\n')
  assert.equal((await checkContent(config)).state, 'ok')
})

test('doctor warns of a missing site.yaml only if no settings are saved', async (t) => {
  const config = readConfig({ DATA_DIR: temporaryFolder(t), CONTENT_DIR: temporaryFolder(t) })
  const unnamed = /no site\.yaml, so the site has no name/
  assert.match(said(await checkContent(config)).says, unnamed)
  const { db, close } = await openDatabase(config)
  t.after(close)
  assert.match(said(await checkContent(config)).says, unnamed)
  await changeSiteSettings(db, { changes: { name: 'Bluebonnet Plumbing' } }, { now: new Date() })
  assert.equal((await checkContent(config)).state, 'ok')
})

test('doctor reports outdated backups', async (t) => {
  const config = readConfig({ DATA_DIR: temporaryFolder(t) })
  await mkdir(join(config.dataDir, 'backups'))
  await writeFile(join(config.dataDir, 'backups', 'daily-20261121T000000000Z.db'), 'copy')
  assert.match(said(await checkBackups(config)).says, /^daily-20261121T000000000Z\.db\. Copy/)
  const { state, says } = said(await checkBackups(config, () => Date.now() + 10 * 86_400_000))
  assert.equal(state, 'warning')
  assert.match(
    says,
    /^The newest backup, daily-20261121T000000000Z\.db, is (9|10) days old\. Search the server's log/,
  )
})

test('doctor reports an outdated Node and a wrong clock', async (t) => {
  assert.equal(checkNode('20.19.0').state, 'failed')
  // This machine too, but under an address that is not taken for it.
  const port = await freePort()
  const config = readConfig({ DATA_DIR: temporaryFolder(t), SITE_URL: `http://127.0.0.2:${port}` })
  assert.match(said(await checkClock(config)).says, /does not respond/)
  await listen(t, (_, response) => response.end(), { port, host: '127.0.0.2' })
  assert.equal((await checkClock(config)).state, 'ok')
  const late = await checkClock(config, () => Date.now() + 300_000)
  assert.match(said(late).says, /^(299|300|301) s off from/)
})
