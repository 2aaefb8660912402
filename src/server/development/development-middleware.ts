import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HookParameters } from 'astro'
import { type App, openApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { formatMistake } from '../../content-files/parsing/mistake.ts'
import { syncContent } from '../../content-files/syncing/sync-content.ts'
import { contentTypeOf } from '../../lib/files/public-file.ts'
import { listenOrigin } from '../../lib/listen-origin.ts'
import { silentProgress } from '../../lib/progress.ts'
import { developmentTexts } from '../../messages/server/log.ts'
import { requestTexts } from '../../messages/server/requests.ts'
import { startupTexts } from '../../messages/server/startup.ts'
import { openPictureFiles } from '../../pictures/picture-files.ts'
import { openContentSource } from '../../site/own-pages/content-source.ts'
import { openContentBy } from '../../site/own-pages/reading.ts'
import { loadLayoutView } from '../../site/pages/layout-view.ts'
import { listPages } from '../../site/pages/list-pages.ts'
import { errorPages } from '../../site/pages/message-page.ts'
import type { Page } from '../../site/pages/page.ts'
import { createAdminAccess } from '../admin/admin-access.ts'
import { isAdminPath } from '../admin/admin-endpoint.ts'
import { createFormsEndpoint } from '../forms/forms-endpoint.ts'
import { sendAnswer, textAnswer } from '../http/answer.ts'
import { createClientAddress } from '../http/client-address.ts'
import { createRequestCheck } from '../http/request-check.ts'
import { isVisitReport } from '../visits/visit-endpoint.ts'
import { isSiteFile, makeSiteFile } from './site-file.ts'

// Key under which `astro dev` looks for the locals of a request.
const ASTRO_LOCALS = Symbol.for('astro.locals')
const KEY = Symbol.for('signpost.development')
const programs: Record<symbol, { app: App; servers: number } | undefined> = globalThis as never
const SYNC_DELAY_MS = 100
const PAGE_HEADER = 'x-development-page'

type Server = HookParameters<'astro:server:setup'>['server']
type AstroLogger = HookParameters<'astro:server:setup'>['logger']

/** Opens the program beside a development server: see `developmentServer`. */
export async function startDevelopment(server: Server, logger: AstroLogger): Promise<void> {
  const app = await shareApp(server)
  const sync = () => syncAndReport(app, logger)
  await sync()
  const code = await app.setup.findCode()
  if (code) logger.info(startupTexts.firstAccount(`${app.config.adminUrl}/admin/setup?code=${code}`))
  const { db, config } = app
  // Loaded again for each read, so that edits show with the next request.
  openContentBy(() => {
    const layout = () => loadLayoutView(db, config)
    return openContentSource({ db, siteUrl: config.siteUrl, now: new Date(), layout })
  })
  watch(server.watcher, app.config.contentDir, () =>
    sync().then(() => {
      forgetPaths(server)
      server.hot.send({ type: 'full-reload' })
    }),
  )
  server.middlewares.use(createDevelopmentMiddleware(app))
}

// Astro remembers what getStaticPaths returned, until it hears this event of its own content collections.
function forgetPaths({ environments }: Server) {
  for (const { hot } of Object.values(environments)) hot.send('astro:content-changed', {})
}

// After a configuration change the process starts the next server before the former ends, so both share one program.
async function shareApp({ httpServer }: Server): Promise<App> {
  const program = programs[KEY] ?? { app: await openApp(readConfig()), servers: 0 }
  programs[KEY] = program
  if (program.servers === 0) program.app.startWorkers()
  program.servers += 1
  httpServer?.once('close', () => {
    program.servers -= 1
    if (program.servers > 0) return
    programs[KEY] = undefined
    program.app.close()
  })
  return program.app
}

/** Answers forms, gives the admin what it needs, and finds the page of every other address; `next` is Astro. */
export function createDevelopmentMiddleware(app: App) {
  const pending = new Map<string, Page>()
  const forms = createFormsEndpoint(app, renderThroughVite)
  const addressOf = createClientAddress(app.config.trustedProxies)
  const check = createRequestCheck(app.config)
  const mayReachAdmin = createAdminAccess(app)

  // A page made on demand (a form with mistakes) is rendered like all others: through Vite, by a request.
  async function renderThroughVite(page: Page) {
    const key = crypto.randomUUID()
    pending.set(key, page)
    const response = await fetch(listenOrigin(app.config) + page.path, { headers: { [PAGE_HEADER]: key } })
    return response.text()
  }

  function admit(request: IncomingMessage, response: ServerResponse, next: () => void) {
    const refusal = check(request)
    if (refusal) return sendAnswer(response, textAnswer(refusal.status, refusal.reason))
    if (!mayReachAdmin(request)) return sendAnswer(response, textAnswer(404, requestTexts.notFound))
    Reflect.set(request, ASTRO_LOCALS, { app, clientAddress: addressOf(request) })
    next()
  }

  return (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => {
    if (request.url?.startsWith('/api/forms/')) {
      // Not through Astro's endpoint: in development, Astro reads the body first, and nothing is left to stream.
      forms
        .answer(request)
        .then((answer) => (answer ? sendAnswer(response, answer) : response.destroy()))
        .catch(next)
      return
    }
    // Visits during development are not counted.
    if (isVisitReport(request)) return response.writeHead(204).end()
    if (isAdminPath(request.url)) return admit(request, response, next)
    const path = request.url?.split('?')[0] ?? '/'
    if (isSiteFile(path)) {
      sendSiteFile(app, path, response).catch(next)
      return
    }
    const key = String(request.headers[PAGE_HEADER] ?? '')
    const page = pending.get(key)
    pending.delete(key)
    Promise.resolve(page ?? pageAt(app, request))
      .then((found) => Reflect.set(request, ASTRO_LOCALS, { page: found }))
      .then(() => next(), next)
  }
}

async function sendSiteFile(app: App, path: string, response: ServerResponse) {
  const file = await makeSiteFile(app, path)
  response.writeHead(file === undefined ? 404 : 200, {
    'content-type': contentTypeOf(path),
    'cache-control': 'no-store',
  })
  response.end(file)
}

async function pageAt(app: App, request: IncomingMessage): Promise<Page | undefined> {
  const path = request.url?.split('?')[0]
  for await (const page of listPages(app.db, app.config)) if (page.path === path) return page
  return errorPages(await loadLayoutView(app.db, app.config))[0]
}

async function syncAndReport({ db, config, secretBox }: App, logger: AstroLogger) {
  const outcome = await syncContent(db, {
    contentDir: config.contentDir,
    pictureFiles: openPictureFiles(config.dataDir),
    environment: process.env,
    secretBox,
    now: new Date(),
    progress: silentProgress,
  })
  if (outcome.kind === 'mistakes') {
    for (const mistake of outcome.mistakes) logger.error(formatMistake(mistake, config.contentDir))
  } else if (outcome.kind !== 'outdated') {
    for (const warning of outcome.warnings) logger.warn(formatMistake(warning, config.contentDir))
    const left = outcome.kind === 'conflicts' ? [...outcome.conflicts, ...outcome.waiting] : []
    for (const { path, message } of left) logger.error(`${path}: ${message}`)
    logger.info(left.length === 0 ? developmentTexts.synced : developmentTexts.syncedExceptConflicts)
  }
}

function watch(watcher: Server['watcher'], folder: string, onChange: () => unknown) {
  let timer: NodeJS.Timeout | undefined
  watcher.add(folder)
  watcher.on('all', (_event, path) => {
    if (!path.startsWith(folder)) return
    clearTimeout(timer)
    timer = setTimeout(onChange, SYNC_DELAY_MS)
  })
}
