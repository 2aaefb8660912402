import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryFolder } from '../support/database.ts'
import { needsPostgres, postgresDatabase } from '../support/postgres-database.ts'
import { startSite } from '../support/running-site.ts'

test('the whole program runs on a PostgreSQL server', needsPostgres, async (t) => {
  const { url: databaseUrl } = await postgresDatabase(t)
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
