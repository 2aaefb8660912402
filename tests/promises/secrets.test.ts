import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { temporaryFolder } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { freePort, runScript, startSite } from '../support/running-site.ts'
import { printFigure } from '../support/soak.ts'

const SIGNING_KEY = Buffer.from('a-signing-key-of-24-bytes').toString('base64')
const TOKEN = 'tok-5f2c9e'
const ADDRESS_KEY = 'in-the-address-77'
const PASSWORD = 'correct horse battery'
const MAIL_PASSWORD = 'mail-secret-42'
const TYPED_TOKEN = 'typed-3b81d0'

const FORM = (url: string) => `name: Lead
fields:
  - { name: email, label: E-mail, type: email, required: true }
settings: { notification_email: office@example.com }
webhooks:
  - name: CRM
    url: "${url}/\${HOOK_KEY}"
    headers: { Authorization: "Bearer \${HOOK_TOKEN}" }
    signing_secret: "\${HOOK_SECRET}"
`

test('secrets appear only in the key file: in no other file, log, page, or response', async (t) => {
  const receiver = await startReceiver(t, 500, 200)
  const dataDir = temporaryFolder(t)
  const contentDir = temporaryFolder(t)
  await mkdir(join(contentDir, 'forms'))
  await writeFile(join(contentDir, 'forms', 'lead.yaml'), FORM(receiver.url))
  const environment = {
    HOOK_SECRET: `whsec_${SIGNING_KEY}`,
    HOOK_TOKEN: TOKEN,
    HOOK_KEY: ADDRESS_KEY,
    ADMIN_PASSWORD: PASSWORD,
    SMTP_URL: `smtp://office:${MAIL_PASSWORD}@127.0.0.1:${await freePort()}`,
    MAIL_FROM: 'forms@example.com',
    WEBHOOK_RETRY_SCHEDULE: '100ms',
    LOG_LEVEL: 'trace',
  }
  const site = await startSite(t, { dataDir, contentDir, environment })
  const options = { dataDir, contentDir, environment }
  const account = await runScript('admin-create.ts', {
    ...options,
    arguments: ['--email', 'ann@example.com'],
  })
  const answers: string[] = [account.output]
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(site.url + path, { redirect: 'manual', ...init })
    answers.push(JSON.stringify([...response.headers].filter(([name]) => name !== 'set-cookie')))
    answers.push(await response.text())
    return response
  }
  const body = new URLSearchParams({ email: 'ann@example.com', password: PASSWORD })
  const signedIn = await ask('/admin/login', { method: 'POST', body, headers: { origin: site.url } })
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  assert.equal(signedIn.status, 303)
  const posted = await ask('/api/forms/lead/submissions', {
    method: 'POST',
    body: new URLSearchParams({ email: 'bo@example.com' }),
  })
  assert.ok(posted.status < 400, String(posted.status))
  const [first] = await receiver.waitForRequests(2)
  assert.deepEqual([first?.path, first?.headers.authorization], [`/${ADDRESS_KEY}`, `Bearer ${TOKEN}`])

  const typed = await makeSecrets(site.url, cookies.join('; '))
  const pages = [
    '',
    '/inbox',
    '/inbox/1',
    '/forms',
    '/forms/lead',
    '/forms/lead/webhooks',
    '/forms/lead/webhooks/2',
    '/forms/lead/webhooks/1/secret',
    '/webhooks',
    '/deliveries',
    '/deliveries/1',
  ]
  for (const page of [...pages, '/audit', '/users', '/settings', '/account'])
    await ask(`/admin${page}`, { headers: { cookie: cookies.join('; ') } })
  for (const path of ['/api/forms/lead', '/forms/lead', '/health']) await ask(path)
  const exported = await runScript('content-export.ts', {
    ...options,
    arguments: ['--out', join(dataDir, 'exported')],
  })
  assert.equal(exported.code, 0, exported.output)
  const backup = await runScript('backup.ts', { ...options, arguments: [join(dataDir, 'copy.db')] })
  assert.equal(backup.code, 0, backup.output)

  const key = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()
  const session = cookies.map((cookie) => cookie.split('=').slice(1).join('='))
  const secrets = [
    SIGNING_KEY,
    'a-signing-key-of-24-bytes',
    TOKEN,
    ADDRESS_KEY,
    PASSWORD,
    MAIL_PASSWORD,
    key,
    ...session,
    ...typed,
    /setup\?code=(\S+)/.exec(site.output())?.[1] ?? assert.fail('no link to the set-up'),
  ]
  const places = [
    ...filesBelow(dataDir).map((file) => ({ place: file, bytes: readFileSync(join(dataDir, file)) })),
    { place: 'log', bytes: Buffer.from(site.output().replace(/^Create the first account: .*$/m, '')) },
    { place: 'answers', bytes: Buffer.from(answers.join('\n')) },
  ].filter(({ place }) => place !== 'secret.key')
  const found = places.flatMap(({ place, bytes }) =>
    secrets.filter((secret) => bytes.includes(secret)).map((secret) => `${secret} in ${place}`),
  )
  assert.deepEqual(found, [])
  assert.ok(places.some(({ place }) => place === 'signpost.db-wal'))
  assert.doesNotMatch(site.output(), /bo@example\.com/)
  printFigure(t, `0 of ${secrets.length} secrets in ${places.length} files, logs and answers`)
})

/** What is typed or shown once in the admin: a header of a webhook, a signing secret, an invitation, the key of an app and recovery codes. */
async function makeSecrets(url: string, cookie: string): Promise<string[]> {
  const ask = async (path: string, fields?: Record<string, string>) => {
    const body = fields && new URLSearchParams(fields)
    const headers = { cookie, origin: url }
    const response = await fetch(`${url}/admin${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      redirect: 'manual',
      ...(body && { body }),
    })
    assert.ok(response.status < 400, `${path}: ${response.status}`)
    return response.text()
  }
  const webhook = { name: 'Typed', method: 'POST', url: 'https://crm.example/hook', template: '' }
  const rest = { max_retries: '6', enabled: 'on', match: 'always', fire_on: '', act: 'save' }
  const headers = `Authorization: Bearer ${TYPED_TOKEN}`
  await ask('/forms/lead/webhooks/new', { ...webhook, ...rest, headers })
  const signing = /whsec_[\w+/=]+/.exec(await ask('/forms/lead/webhooks/1/secret', {}))?.[0] ?? ''
  const invited = await ask('/users/new', { email: 'eve@example.com', name: '', role: 'viewer' })
  const invitation = /\/admin\/invitation\/([\w-]+)</.exec(invited)?.[1] ?? assert.fail('no invitation')
  await ask(`/invitation/${invitation}`)
  const shown =
    /aria-label="Setup key"[^>]*>\s*([A-Z2-7 ]+?)\s*</.exec(await ask('/account/two-factors'))?.[1] ?? ''
  const key = shown.replaceAll(' ', '')
  const code = new TOTP({ secret: Secret.fromBase32(key) }).generate()
  const page = await ask('/account/two-factors', { code })
  const codes = [...page.matchAll(/<li[^>]*>([\w-]{12,})<\/li>/g)].map(([, one = '']) => one)
  assert.deepEqual([signing.length > 30, key.length > 20, codes.length], [true, true, 10])
  return [TYPED_TOKEN, invitation, signing, signing.slice('whsec_'.length), key, shown, ...codes]
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
