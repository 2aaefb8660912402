import { once } from 'node:events'
import { mkdir, symlink } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openApp } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import { createFront } from '#src/server/http/front.ts'
import { stopServer } from '#src/server/http/stop-server.ts'
import { atEnd } from './at-end.ts'
import { temporaryFolder } from './database.ts'
import { freePort } from './running-site.ts'
import { VALID_ANSWERS } from './submission-server.ts'

/** Starts the server in this process on that database, with an empty release and no templates. */
export async function startSiteOn(
  t: TestContext,
  databaseUrl: string,
  environment: Record<string, string> = {},
) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const dataDir = temporaryFolder(t)
  await publishNothing(dataDir)
  const config = readConfig({
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: String(port), SITE_URL: url },
    ...{ RATE_LIMIT: 'off', LOG_LEVEL: 'silent', WEBHOOK_ALLOW: '127.0.0.0/8' },
    ...environment,
  })
  const app = await openApp(config)
  const renderer = () => Promise.reject(new Error('This server shows no pages'))
  const server = createFront(app, { clientDir: dataDir, renderer })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  app.startWorkers()
  atEnd(t, () => stopServer(server, app))
  return { app, url, port: (server.address() as AddressInfo).port, dataDir, ...clientOf(url) }
}

function clientOf(url: string) {
  return {
    /** Posts to the waitlist; returns the response and its time. */
    async post(answers: Record<string, unknown> = {}) {
      const startedAt = performance.now()
      const response = await fetch(`${url}/api/forms/waitlist/submissions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...VALID_ANSWERS, ...answers }),
      })
      const retryAfter = response.headers.get('retry-after')
      const body = await response.json()
      return { status: response.status, retryAfter, body, tookMs: performance.now() - startedAt }
    },
    async health() {
      const startedAt = performance.now()
      const { status } = await fetch(`${url}/health`)
      return { status, tookMs: performance.now() - startedAt }
    },
  }
}

async function publishNothing(dataDir: string) {
  const release = join(dataDir, 'releases', '20261122T100000000Z')
  await mkdir(join(release, 'site'), { recursive: true })
  await symlink(release, join(dataDir, 'current'))
}
