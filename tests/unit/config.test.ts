import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Config, readConfig } from '#src/config.ts'
import { temporaryFolder } from '../support/database.ts'

const CONFIG = new URL('../../src/config.ts', import.meta.url).href
const KEY = Buffer.alloc(32, 7).toString('base64')

function configOf(t: TestContext, environment: NodeJS.ProcessEnv = {}): Config {
  return readConfig({ DATA_DIR: temporaryFolder(t), ...environment })
}

/** What a process in this folder reads, as JSON. */
function configIn(folder: string, environment: NodeJS.ProcessEnv = {}): Record<string, unknown> {
  const program = `const { readConfig } = await import(${JSON.stringify(CONFIG)})
    console.log(JSON.stringify(readConfig()))`
  const args = ['--input-type=module', '--eval', program]
  const output = execFileSync(process.execPath, args, { cwd: folder, env: environment, encoding: 'utf8' })
  return JSON.parse(output)
}

test('contract §2 no setting is required', (t) => {
  const dataDir = temporaryFolder(t)
  const { secretKeys, contentDir, ...config } = readConfig({ DATA_DIR: dataDir })
  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 4321,
    listenFd: undefined,
    siteUrl: 'http://localhost:4321',
    adminUrl: 'http://localhost:4321',
    adminAllow: [],
    dataDir,
    databaseUrl: `file:${join(dataDir, 'signpost.db')}`,
    contentSync: 'new',
    databasePool: 10,
    filePlace: { kind: 'disk', folder: dataDir },
    secretKeyFile: join(dataDir, 'secret.key'),
    trustedProxies: 0,
    rateLimit: [
      { count: 20, windowMs: 60_000 },
      { count: 300, windowMs: 3_600_000 },
    ],
    formOrigins: [],
    webhookAllow: [],
    webhookRetrySchedule: [5_000, 300_000, 1_800_000, 7_200_000, 28_800_000, 86_400_000],
    webhookTimeout: 15_000,
    backupKeep: 7,
    publicBucket: undefined,
    publicKeys: { accessKeyId: '', secretAccessKey: '' },
    indexnow: false,
    logLevel: 'info',
  })
  assert.deepEqual(
    secretKeys().map(({ length }) => length),
    [32],
  )
  assert.match(contentDir, /\/content$/)
})

test('PUBLISH_TO needs its own keys or those of FILE_STORE, and PURGE its token', (t) => {
  const own = { PUBLISH_ACCESS_KEY_ID: 'own', PUBLISH_SECRET_ACCESS_KEY: 'own secret' }
  const shared = { S3_ACCESS_KEY_ID: 'shared', S3_SECRET_ACCESS_KEY: 'shared secret' }
  const place = { PUBLISH_TO: 's3://site/www?region=eu-west-1' }
  assert.equal(configOf(t, { ...place, ...shared }).publicBucket?.accessKeyId, 'shared')
  const { publicBucket } = configOf(t, { ...place, ...shared, ...own })
  assert.deepEqual([publicBucket?.prefix, publicBucket?.secretAccessKey], ['www/', 'own secret'])
  assert.deepEqual(configOf(t, { PURGE: 'cloudflare:ab12', PURGE_TOKEN: 'x' }).purge, {
    kind: 'cloudflare',
    zone: 'ab12',
  })
  for (const [wrong, name] of [
    [place, 'PUBLISH_ACCESS_KEY_ID'],
    [{ PUBLISH_TO: 'file:/srv' }, 'PUBLISH_TO'],
    [{ PURGE: 'fastly' }, 'PURGE_TOKEN'],
    [{ PURGE: 'cloudfront:E1' }, 'PUBLISH_ACCESS_KEY_ID'],
    [{ PURGE: 'https://user:secret@cdn.example' }, 'PURGE'],
    [{ INDEXNOW: 'on' }, 'INDEXNOW'],
  ] as const)
    assert.throws(() => configOf(t, { ...wrong }), new RegExp(`^Error: ${name} is (?!.*secret)`))
})

test('contract §2 SITE_URL follows the port unless it is given', (t) => {
  assert.equal(configOf(t, { PORT: '8080' }).siteUrl, 'http://localhost:8080')
  assert.equal(configOf(t, { SITE_URL: 'https://www.example.com/' }).siteUrl, 'https://www.example.com')
})

test('contract §8 the admin has the site’s scheme and its own host', (t) => {
  const { adminHost, adminUrl, adminAllow } = configOf(t, {
    SITE_URL: 'https://www.example.com',
    ADMIN_HOST: 'Admin.Example.com',
    ADMIN_ALLOW: '203.0.113.7, 2001:db8::/32',
  })
  assert.deepEqual([adminHost, adminUrl], ['admin.example.com', 'https://admin.example.com'])
  assert.deepEqual(adminAllow, ['203.0.113.7', '2001:db8::/32'])
})

test('contract §8 the admin’s host has no port that browsers leave out', (t) => {
  const adminUrlAt = (SITE_URL: string, ADMIN_HOST: string) => configOf(t, { SITE_URL, ADMIN_HOST }).adminUrl
  const message = /^ADMIN_HOST is .*with a port if it isn’t the default$/
  for (const host of ['admin.example.com:443', 'www.example.com:443'])
    assert.throws(() => adminUrlAt('https://www.example.com', host), { message }, host)
  assert.throws(() => adminUrlAt('http://www.example.com', 'admin.example.com:80'), { message })
  assert.equal(adminUrlAt('http://www.example.com', 'admin.example.com:443'), 'http://admin.example.com:443')
})

test('contract §2 durations and lists are read with their units and without their spaces', (t) => {
  const config = configOf(t, {
    WEBHOOK_RETRY_SCHEDULE: '500ms, 2s,1m,1h,1d',
    WEBHOOK_TIMEOUT: '3s',
    WEBHOOK_ALLOW: '127.0.0.0/8, ::1/128',
  })
  assert.deepEqual(config.webhookRetrySchedule, [500, 2_000, 60_000, 3_600_000, 86_400_000])
  assert.equal(config.webhookTimeout, 3_000)
  assert.deepEqual(config.webhookAllow, ['127.0.0.0/8', '::1/128'])
})

test('contract §2 an empty variable counts as unset', (t) => {
  for (const empty of ['', ' ', '\t']) {
    const config = configOf(t, { PORT: empty, DATABASE_URL: empty, LOG_LEVEL: empty })
    assert.deepEqual([config.port, config.logLevel], [4321, 'info'])
  }
})

test('contract §2 spaces around a value are not part of it', (t) => {
  const dataDir = temporaryFolder(t)
  const spaced = {
    PORT: ' 5001 ',
    LOG_LEVEL: 'warn\r',
    DATABASE_URL: '\tfile:site.db\n',
    SECRET_KEY: ` ${KEY} `,
  }
  const config = readConfig({
    DATA_DIR: `  ${dataDir} `,
    CONTENT_DIR: ` ${dataDir}/our content\n`,
    ...spaced,
  })
  assert.deepEqual(
    [config.dataDir, config.contentDir, config.port, config.logLevel, config.databaseUrl],
    [dataDir, join(dataDir, 'our content'), 5001, 'warn', 'file:site.db'],
  )
  assert.deepEqual(config.secretKeys(), [Buffer.alloc(32, 7)])
  assert.throws(() => configOf(t, { PORT: ' eighty ' }), /^Error: PORT is "eighty"; expected a port number/)
})

test('contract §2 a DATA_DIR below /proc stops the start in one sentence', () => {
  assert.throws(() => readConfig({ DATA_DIR: '/proc/signpost/data' }), {
    message: /^DATA_DIR is \/proc\/signpost\/data, which is not writable \(ENOENT\)\. Choose a folder/,
  })
})

test('contract §2 a DATA_DIR that isn’t a folder stops the start in one sentence', (t) => {
  const file = join(temporaryFolder(t), 'notes.txt')
  writeFileSync(file, '')
  for (const dataDir of [file, join(file, 'data')]) {
    assert.throws(() => readConfig({ DATA_DIR: dataDir }), {
      message:
        /^DATA_DIR is .*notes\.txt.*, which is not writable \((EEXIST|ENOTDIR)\)\. Choose a folder where this user can write$/,
    })
  }
})

test('contract §2 limits, proxies, and the mail server are read', (t) => {
  const config = configOf(t, {
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    RATE_LIMIT: '5/s',
    SMTP_URL: 'smtp://user:pw@mail.example.com:587',
    MAIL_FROM: 'Example <forms@example.com>',
  })
  assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '::1'])
  assert.deepEqual(config.rateLimit, [{ count: 5, windowMs: 1_000 }])
  assert.equal(config.smtpUrl, 'smtp://user:pw@mail.example.com:587')
  assert.equal(config.mailFrom, 'Example <forms@example.com>')
  assert.deepEqual(configOf(t, { TRUSTED_PROXIES: '2', RATE_LIMIT: 'off' }).trustedProxies, 2)
  assert.deepEqual(configOf(t, { RATE_LIMIT: 'off' }).rateLimit, [])
})

test('contract §2 a PostgreSQL URL may have a socket or no host', (t) => {
  for (const url of ['postgres://ann@%2Fvar%2Frun%2Fpostgresql/site', 'postgresql:///site?host=/run'])
    assert.equal(configOf(t, { DATABASE_URL: url }).databaseUrl, url)
})

test('contract §8 files are in DATA_DIR, another folder, or a bucket', (t) => {
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
  const { dataDir, filePlace } = configOf(t, {})
  assert.deepEqual(filePlace, { kind: 'disk', folder: dataDir })
  assert.deepEqual(configOf(t, { FILE_STORE: 'file:/srv/files' }).filePlace, {
    kind: 'disk',
    folder: '/srv/files',
  })
  const access = { accessKeyId: 'id', secretAccessKey: 'secret' }
  const bucket = { kind: 'bucket', variable: 'FILE_STORE', name: 'files', ...access }
  for (const [text, expected] of [
    [
      's3://files/sites/one?endpoint=https://s3.example.com&region=eu',
      { endpoint: 'https://s3.example.com', prefix: 'sites/one/', region: 'eu' },
    ],
    [
      's3://files/?region=eu-west-1',
      { endpoint: 'https://s3.eu-west-1.amazonaws.com', prefix: '', region: 'eu-west-1' },
    ],
    ['s3://files', { endpoint: 'https://s3.us-east-1.amazonaws.com', prefix: '', region: 'us-east-1' }],
  ] as const)
    assert.deepEqual(configOf(t, { FILE_STORE: text, ...keys }).filePlace, { ...bucket, ...expected })
})

test('contract §8 a bucket with an invalid URL or without keys stops the start', (t) => {
  for (const text of [
    's3://',
    's3://UP',
    's3://files?endpoint=ftp://x',
    's3://files?endpoint=http://u:p@x',
    'files',
  ])
    assert.throws(
      () => configOf(t, { FILE_STORE: text }),
      /^Error: FILE_STORE is .*; expected file:DIR or s3:/,
      text,
    )
  const bucket = { FILE_STORE: 's3://files' }
  assert.throws(
    () => configOf(t, { ...bucket, S3_SECRET_ACCESS_KEY: 'x' }),
    /^Error: S3_ACCESS_KEY_ID is missing/,
  )
  assert.throws(
    () => configOf(t, { ...bucket, S3_ACCESS_KEY_ID: 'x' }),
    /^Error: S3_SECRET_ACCESS_KEY is missing; expected the secret key/,
  )
})

const many = (count: number) => Array(count).fill('5s').join(',')

for (const [name, accepted, refused] of [
  ['PORT', ['0', '65535'], ['-1', '65536']],
  ['METRICS_PORT', ['0', '65535'], ['-1', '65536']],
  ['WEBHOOK_TIMEOUT', ['100ms', '10m'], ['99ms', '600001ms']],
  ['WEBHOOK_RETRY_SCHEDULE', ['100ms', '30d', many(50)], ['99ms', '2592000001ms', many(51)]],
  ['BACKUP_KEEP', ['0', '365'], ['-1', '366']],
  ['DATABASE_POOL', ['5', '500'], ['4', '501']],
] as const) {
  test(`contract §2 ${name} has limits at both ends`, (t) => {
    for (const value of accepted) assert.doesNotThrow(() => configOf(t, { [name]: value }), value)
    for (const value of refused)
      assert.throws(() => configOf(t, { [name]: value }), new RegExp(`^Error: ${name} is`), value)
  })
}

const WRONG: [string, string, RegExp][] = [
  ['PORT', '70000', /^PORT is "70000"; expected a port number/],
  ['PORT', 'http', /^PORT is "http"; expected a port number/],
  ['PORT', '0x50', /^PORT is "0x50"; expected a port number/],
  ['SITE_URL', 'www.example.com', /^SITE_URL is .*; expected an origin such as/],
  ['SITE_URL', 'https://example.com/blog', /^SITE_URL is .*; expected an origin such as/],
  ['SITE_URL', 'ftp://example.com', /^SITE_URL is .*; expected an origin such as/],
  ['DATABASE_URL', 'mysql://localhost/x', /^DATABASE_URL is not usable; expected file:PATH or postgres:/],
  ['SECRET_KEY', 'c2hvcnQ=', /^SECRET_KEY is not usable; expected 32 bytes in base64/],
  ['WEBHOOK_TIMEOUT', '15', /^WEBHOOK_TIMEOUT is "15"; expected a duration such as/],
  ['WEBHOOK_TIMEOUT', '30d', /^WEBHOOK_TIMEOUT is "30d"; .* from 100ms to 10m$/],
  ['WEBHOOK_TIMEOUT', '0s', /^WEBHOOK_TIMEOUT is "0s"; .* from 100ms to 10m$/],
  ['WEBHOOK_RETRY_SCHEDULE', '0ms', /^WEBHOOK_RETRY_SCHEDULE is "0ms"; .* from 100ms to 30d$/],
  ['SITE_URL', 'https://user:hidden@example.com', /^SITE_URL is "…@example.com"; expected an origin/],
  ['SITE_URL', 'https://:hidden@example.com', /^SITE_URL is "…@example.com"; expected an origin/],
  ['SITE_URL', 'user:hidden@example.com', /^SITE_URL is "…@example.com"; expected an origin/],
  ['FORM_ORIGINS', 'https://a.example,https://u:hid/den@b.example', /^FORM_ORIGINS is "…@b.example"; /],
  ['WEBHOOK_ALLOW', 'localhost', /^WEBHOOK_ALLOW is "localhost"; expected CIDRs .* 127\.0\.0\.0\/8/],
  ['WEBHOOK_ALLOW', '10.0.0.0/8, 10.0.0.5:99999', /^WEBHOOK_ALLOW is .*; expected CIDRs/],
  ['WEBHOOK_RETRY_SCHEDULE', '5s,soon', /^WEBHOOK_RETRY_SCHEDULE is "5s,soon"; expected durations/],
  ['ADMIN_HOST', 'https://admin.example.com', /^ADMIN_HOST is .*; expected a host such as admin/],
  ['ADMIN_HOST', 'admin.example.com/login', /^ADMIN_HOST is .*; expected a host such as admin/],
  ['ADMIN_HOST', 'localhost:4321', /^ADMIN_HOST is .*other than the host of SITE_URL/],
  ['ADMIN_ALLOW', '10.0.0.0/33', /^ADMIN_ALLOW is .*; expected addresses or CIDRs/],
  ['ADMIN_ALLOW', 'office.example', /^ADMIN_ALLOW is .*; expected addresses or CIDRs/],
  [
    'SECURITY_CONTACT',
    'http://a.example/',
    /^SECURITY_CONTACT is .*; expected an email address, or the https/,
  ],
  ['SECURITY_CONTACT', 'a@b.co\nX: y', /^SECURITY_CONTACT is /],
  ['TRUSTED_PROXIES', 'all', /^TRUSTED_PROXIES is "all"; expected a number of proxies/],
  ['TRUSTED_PROXIES', '10.0.0.0/33', /^TRUSTED_PROXIES is .*; expected a number of proxies/],
  ['RATE_LIMIT', '20', /^RATE_LIMIT is "20"; expected limits such as/],
  ['RATE_LIMIT', '20/min,0/h', /^RATE_LIMIT is .*; expected limits such as/],
  ['SMTP_URL', 'http://user:hidden@mail', /^SMTP_URL is not usable; expected smtp:(?!.*hidden)/m],
  ['SMTP_URL', 'smtp://user:pa#hidden@mail.example.com', /^SMTP_URL is not usable; (?!.*hidden).* %23/m],
  ['SMTP_URL', 'smtp://user:pa%hidden@mail.example.com', /^SMTP_URL is not usable; (?!.*hidden).* %23/m],
  ['DATABASE_URL', 'postgres://user:pa#hidden@db/site', /^DATABASE_URL is not usable; (?!.*hidden).* %23/],
  ['SMTP_URL', 'smtp://mail.example.com', /^MAIL_FROM is missing; expected the sender/],
  ['FORM_ORIGINS', 'https://*.example.com', /^FORM_ORIGINS is .*; expected origins separated/],
  ['FORM_ORIGINS', 'shop.example.com', /^FORM_ORIGINS is "shop.example.com"; expected origins separated/],
  ['FORM_ORIGINS', 'https://a.example/x', /^FORM_ORIGINS is .*; expected origins separated/],
  ['BACKUP_KEEP', '0x7', /^BACKUP_KEEP is "0x7"; expected a number from 0/],
  ['BACKUP_KEEP', '7.0', /^BACKUP_KEEP is "7.0"; expected a number from 0/],
  ['DATABASE_POOL', '1e1', /^DATABASE_POOL is "1e1"; expected a number from 5/],
  ['MAIL_FROM', 'a@example.com b@example.com', /^MAIL_FROM is .*; expected the sender/],
  ['MAIL_FROM', 'a@example.com, b@example.com', /^MAIL_FROM is .*; expected the sender/],
  ['MAIL_FROM', 'Ann <a@example.com>, Bob <b@example.com>', /^MAIL_FROM is .*; expected the sender/],
  ['MAIL_FROM', 'Ann, Bob <b@example.com>', /^MAIL_FROM is .*; expected the sender/],
  ['MAIL_FROM', 'Ann <a@example.com', /^MAIL_FROM is .*; expected the sender/],
  ['MAIL_FROM', 'Ann', /^MAIL_FROM is .*; expected the sender/],
  ['LOG_LEVEL', 'loud', /^LOG_LEVEL is "loud"; expected trace, debug/],
]

test('contract §2 MAIL_FROM is one address, with or without a name', (t) => {
  for (const sender of [
    ...['a@example.com', '<a@example.com>', 'Ann & Bob Ltd. <a@example.com>', '"Ann, Bob" <a@example.com>'],
    ...['Müller @ Home <a@example.com>', 'Ann<a@example.com>'],
  ])
    assert.doesNotThrow(() => configOf(t, { MAIL_FROM: sender }), sender)
})

for (const [name, value, message] of WRONG) {
  test(`contract §2 ${name}=${value} stops the start and says what is allowed`, () => {
    assert.throws(() => readConfig({ [name]: value }), { message })
  })
}

test('contract §2 all invalid variables are reported at once, and no folder is created', (t) => {
  const dataDir = join(temporaryFolder(t), 'data')
  const environment = { DATA_DIR: dataDir, PORT: '-1', LOG_LEVEL: 'loud' }
  assert.throws(() => readConfig(environment), { message: /^PORT is .*\nLOG_LEVEL is .*$/ })
  assert.equal(existsSync(dataDir), false)
})

test('contract §2 a wrong PORT or ADMIN_HOST is named although the admin has its own host', () => {
  const start = (PORT: string, ADMIN_HOST: string) => () => readConfig({ PORT, ADMIN_HOST })
  assert.throws(start('http', 'admin.example.com'), { message: /^PORT is "http"; expected.*65535$/ })
  assert.throws(start('80', 'admin example.com'), { message: /^ADMIN_HOST is "admin example.com"; expected/ })
})

test('contract §2 a value that may hold a password is never shown', () => {
  const environment = { DATABASE_URL: 'mysql://root:hidden@localhost/x', SECRET_KEY: 'hidden' }
  assert.throws(
    () => readConfig(environment),
    (error: Error) => !error.message.includes('hidden'),
  )
})

test('contract §2 the secret key is created once it is kept, readable only by its owner', (t) => {
  const dataDir = temporaryFolder(t)
  const { secretKeys } = readConfig({ DATA_DIR: dataDir })
  const first = secretKeys()
  assert.equal(existsSync(join(dataDir, 'secret.key')), false)
  secretKeys.keep?.()
  assert.deepEqual(secretKeys(), first)
  assert.deepEqual(readConfig({ DATA_DIR: dataDir }).secretKeys(), first)
  assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600)
  assert.notDeepEqual(configOf(t).secretKeys(), first)
})

test('contract §2 with SECRET_KEY no key file is created', (t) => {
  const dataDir = temporaryFolder(t)
  const { secretKeys } = readConfig({ DATA_DIR: dataDir, SECRET_KEY: KEY })
  assert.deepEqual(secretKeys(), [Buffer.alloc(32, 7)])
  assert.equal(existsSync(join(dataDir, 'secret.key')), false)
})

test('contract §2 SECRET_KEY_PREVIOUS needs SECRET_KEY and must differ from it', (t) => {
  const SECRET_KEY_PREVIOUS = Buffer.alloc(32, 8).toString('base64')
  const { secretKeys } = configOf(t, { SECRET_KEY: KEY, SECRET_KEY_PREVIOUS })
  assert.deepEqual(secretKeys(), [Buffer.alloc(32, 7), Buffer.alloc(32, 8)])
  const message = /^SECRET_KEY_PREVIOUS is not usable; expected the old key, 32 bytes/
  for (const wrong of [
    { SECRET_KEY_PREVIOUS },
    { SECRET_KEY: KEY, SECRET_KEY_PREVIOUS: KEY },
    { SECRET_KEY: KEY, SECRET_KEY_PREVIOUS: 'short' },
  ])
    assert.throws(() => configOf(t, wrong), { message })
})

test('contract §2 a damaged key file stops the start and is left unchanged', (t) => {
  const dataDir = temporaryFolder(t)
  writeFileSync(join(dataDir, 'secret.key'), 'damaged')
  assert.throws(
    () => readConfig({ DATA_DIR: dataDir }),
    /secret\.key does not contain 32 bytes in base64\. Restore it/,
  )
  assert.equal(readFileSync(join(dataDir, 'secret.key'), 'utf8'), 'damaged')
})

test('contract §2 a .env file is read, and existing variables win over it', (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, '.env'), `PORT=5001\nHOST=0.0.0.0\nSECRET_KEY="${KEY}"\n`)
  const { port, host, siteUrl, dataDir } = configIn(folder, { PORT: '5002' })
  assert.deepEqual([port, host, siteUrl], [5002, '0.0.0.0', 'http://localhost:5002'])
  assert.match(String(dataDir), /\/data$/)
  assert.equal(existsSync(join(folder, 'data', 'secret.key')), false)
})

test('contract §2 a .env file is optional', (t) => {
  assert.equal(configIn(temporaryFolder(t), { SECRET_KEY: KEY }).port, 4321)
})
