import { join } from 'node:path'
import { openApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { announceStart } from '../announce-start.ts'
import { startMetrics } from '../background/metrics-server.ts'
import { endOnSignal } from '../end-program.ts'
import { createFront, type FrontOptions } from '../http/front.ts'
import { listen } from '../http/listen.ts'
import { stopServer } from '../http/stop-server.ts'
import { builtSite } from './built-site.ts'

/**
 * Serves what `astro build` left in `outDir`: its pages, the posts of their forms by Astro's endpoint, and the admin. The
 * server in front is that of `npm start`.
 */
export async function startStaticServer(
  outDir: string,
  handlers: Pick<FrontOptions, 'astroHandler' | 'renderer' | 'answerAdmin'>,
): Promise<void> {
  const app = await openApp(readConfig())
  const { config, log } = app
  const site = builtSite(outDir)
  const server = createFront(app, { ...handlers, clientDir: join(outDir, 'client'), builtSite: site })
  try {
    const { host, port, listenFd } = config
    await listen(server, { host, port, listenFd, variable: 'PORT' })
    await startMetrics(app)
  } catch (error) {
    await stopServer(server, app)
    throw error
  }
  endOnSignal({ stop: () => stopServer(server, app), stillOpen: app.openWork.names, log })
  app.startWorkers()
  await announceStart(app, server)
}
