import type { Server } from 'node:http'
import { type App, openApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { SITE_DIR } from '../src/lib/program/folders.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { logTexts } from '../src/messages/server/log.ts'
import { findCurrentRelease } from '../src/publish/release/release.ts'
import {
  type AnswerAdmin,
  type Bundle,
  ensureBundle,
  loadAdmin,
  loadRenderer,
  locateBundle,
  type RenderPage,
} from '../src/publish/render/bundle.ts'
import { announceStart } from '../src/server/announce-start.ts'
import { startMetrics } from '../src/server/background/metrics-server.ts'
import { endOnSignal } from '../src/server/end-program.ts'
import { createFront } from '../src/server/http/front.ts'
import { listen } from '../src/server/http/listen.ts'
import { stopServer } from '../src/server/http/stop-server.ts'
import { runCommand } from './command-line.ts'

await runCommand({ usage: usages.start, options: {} }, start)

async function start() {
  const app = await openApp(readConfig())
  const { clientDir } = await locateBundle(SITE_DIR)
  const server = createFront(app, { clientDir, ...templatesOnDemand() })
  try {
    await serve(app, server)
  } catch (error) {
    await stopServer(server, app)
    throw error
  }
}

/**
 * If there is a release, serves at once and updates content and pages in the background; otherwise, visitors are
 * asked to wait for the first build.
 */
async function serve(app: App, server: Server) {
  const { config, log } = app
  const { host, listenFd } = config
  await listen(server, { host, port: config.port, listenFd, variable: 'PORT' })
  await startMetrics(app)
  const ending = endOnSignal({ stop: () => stopServer(server, app), stillOpen: app.openWork.names, log })
  const joining = app.publishing.join()
  // Another server has the release that this one would otherwise build.
  if (!findCurrentRelease(config.dataDir)) await joining
  const building = app.publishing.publisher.publish({ startedBy: 'start' })
  if (findCurrentRelease(config.dataDir)) {
    building.catch((error: Error) => log.error({ err: error }, logTexts.siteNotUpdated))
  } else {
    await building
  }
  if (ending.aborted) return
  app.startWorkers()
  await announceStart(app, server)
}

function templatesOnDemand(): { renderer: RenderPage; answerAdmin: AnswerAdmin } {
  const renderPage = onDemand(loadRenderer)
  const answerAdmin = onDemand(loadAdmin)
  return {
    renderer: async (page) => (await renderPage())(page),
    answerAdmin: async (request, locals) => (await answerAdmin())(request, locals),
  }
}

function onDemand<T>(load: (bundle: Bundle) => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= ensureBundle(SITE_DIR).then(load)
    // A failed attempt may work the next time.
    loaded.catch(() => {
      loaded = undefined
    })
    return loaded
  }
}
