import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { atEnd } from '../support/at-end.ts'
import { temporaryFolder } from '../support/database.ts'
import { startSite } from '../support/running-site.ts'

const SERVER = process.env.TEST_DATABASE_URL
const skip = SERVER ? false : 'TEST_DATABASE_URL is not set; .ci/run starts a server'

test('the whole program runs on a PostgreSQL server', { skip }, async (t) => {
  const name = `signpost_${randomUUID().replaceAll('-', '')}`
  const admin = new Client({ connectionString: SERVER })
  await admin.connect()
  await admin.query(`create database ${name}`)
  atEnd(t, async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  const databaseUrl = Object.assign(new URL(String(SERVER)), { pathname: `/${name}` }).href
  const site = await startSite(t, { dataDir: temporaryFolder(t), environment: { DATABASE_URL: databaseUrl } })

  assert.equal((await fetch(`${site.url}/services/ac-repair/austin`)).status, 200)
  const answers = { full_name: 'Ann', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'owner' }
  const response = await fetch(`${site.url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...answers, _page: '/services/ac-repair/austin' }),
  })
  assert.equal(response.status, 201)
  assert.equal((await (await fetch(`${site.url}/health`)).json()).status, 'ok')
})
