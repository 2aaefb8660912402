import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openApp } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

test('startWorkers starts every worker, and none runs earlier', async (t) => {
  const app = await openApp(
    readConfig({
      DATA_DIR: temporaryFolder(t),
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'forms@example.com',
      LOG_LEVEL: 'silent',
    }),
  )
  atEnd(t, () => app.close())
  const steps = app.workers.map((step) =>
    Object.entries(step).flatMap(([name, worker]) => (worker ? [name] : [])),
  )
  assert.deepEqual(steps, [
    ['publishing'],
    ['deliveries', 'mails', 'password resets', 'answers to previews'],
    // The heartbeat is for several servers on PostgreSQL.
    ['housekeeping', 'places of leads', 'monthly reports', 'erasures', 'clean-up', 'backups'],
    ['search index', 'locale', 'visits'],
  ])
  app.startWorkers()
  // Password resets begin with a request; stopping only waits for mails under way.
  for (const step of app.workers)
    for (const [name, worker] of Object.entries(step))
      if (worker && name !== 'password resets') assert.throws(() => worker.start(), /started once/, name)
})

test('npm start, npm run dev, and a built site start the same workers', async () => {
  const servers = ['development/development-middleware', 'prerender/static-server']
  for (const file of ['scripts/start.ts', ...servers.map((name) => `src/server/${name}.ts`)]) {
    const text = await readFile(join(PROJECT_DIR, file), 'utf8')
    assert.deepEqual(text.match(/\w+\.start(Workers)?\(/g), ['app.startWorkers('], file)
  }
})
