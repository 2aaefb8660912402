import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type App, openApp } from '#src/app.ts'
import { readConfig } from '#src/config.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { publishSite } from '#src/publish/publish-site.ts'
import { type AnswerAdmin, ensureBundle, loadAdmin, loadRenderer } from '#src/publish/render/bundle.ts'
import { createFront } from '#src/server/http/front.ts'
import { stopServer } from '#src/server/http/stop-server.ts'
import { createLog } from '#src/server/program-log.ts'
import { atEnd } from './at-end.ts'
import { copyMigrated, temporaryFolder } from './database.ts'
import { keepPictures, lendPictures } from './drawn-pictures.ts'
import { freePort, PROJECT_DIR } from './running-site.ts'
import { addEntry, addPlaces, offer } from './small-site.ts'

export interface FrontSettings {
  environment?: Record<string, string>
  /** Adds to the database before the site is published. */
  prepare?: (app: App) => Promise<unknown>
  /** Receives the log lines; the log is silent otherwise. */
  onLogLine?: (line: string) => void
  /** Wraps every request to the admin. */
  aroundAdmin?: (answer: AnswerAdmin) => AnswerAdmin
}

let bundled: ReturnType<typeof ensureBundle> | undefined

/** Starts the real server in this process, over a small published site: one service, offered in Austin. */
export async function startFront(
  t: TestContext,
  { environment, prepare, onLogLine, aroundAdmin = (answer) => answer }: FrontSettings = {},
) {
  const port = Number(environment?.PORT) || (await freePort())
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: temporaryFolder(t),
    SITE_URL: `http://127.0.0.1:${port}`,
    WEBHOOK_ALLOW: '127.0.0.0/8',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    ...environment,
  })
  await copyMigrated(join(config.dataDir, 'signpost.db'))
  const app = await openApp(config, onLogLine && createLog('info', { write: onLogLine }))
  const places = await addPlaces(app.db, 'usa/texas/austin')
  const id = await addEntry(app.db, 'services', { slug: 'ac-repair', title: 'AC repair' })
  await offer(app.db, { slug: 'ac-repair', id }, { slug: 'austin', id: places.get('austin') as number })
  await prepare?.(app)
  const { dataDir, siteUrl } = config
  const now = () => new Date()
  lendPictures(dataDir)
  await publishSite(app.db, { projectDir: PROJECT_DIR, dataDir, siteUrl, now, progress: silentProgress })
  keepPictures(dataDir)
  // The sources don't change while tests run.
  bundled ??= ensureBundle(PROJECT_DIR)
  const bundle = await bundled
  const [renderer, answerAdmin] = await Promise.all([loadRenderer(bundle), loadAdmin(bundle)])
  const server = createFront(app, {
    clientDir: bundle.clientDir,
    renderer,
    answerAdmin: aroundAdmin(answerAdmin),
  })
  // On a busy machine, an idle connection could end just as the next request is sent.
  server.keepAliveTimeout = 60_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  app.startWorkers()
  atEnd(t, () => stopServer(server, app, { idleGraceMs: 0 }))
  return { app, server, port: (server.address() as AddressInfo).port, url: `http://127.0.0.1:${port}` }
}
