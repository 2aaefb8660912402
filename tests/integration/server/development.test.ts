import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { createDevelopmentMiddleware } from '#src/server/development/development-middleware.ts'
import { startDevelopment } from '#src/server/development/development-middleware.ts'
import { developmentServer } from '#src/server/development/development-server.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { themeStylesheet } from '#src/site/theme/theme-stylesheet.ts'
import { atEnd } from '../../support/at-end.ts'
import { copyMigrated, temporaryFolder } from '../../support/database.ts'
import { serveEndpoint } from '../../support/endpoint.ts'
import { freePort, waitFor } from '../../support/running-site.ts'

type Middleware = ReturnType<typeof createDevelopmentMiddleware>
type Started = Parameters<typeof startDevelopment>

function setEnvironment(t: TestContext, values: Record<string, string>) {
  for (const [name, value] of Object.entries(values)) {
    const former = process.env[name]
    process.env[name] = value
    atEnd(t, () => {
      if (former === undefined) delete process.env[name]
      else process.env[name] = former
    })
  }
}

test('`astro dev` listens where it is told to, and serves no secret', (t) => {
  setEnvironment(t, {
    ...{ SITE_URL: 'https://www.example.com', ADMIN_HOST: 'admin.example.com', PORT: '4999' },
    ...{ DATA_DIR: '/srv/data (1)', DATABASE_URL: 'file:/srv/site.db' },
  })
  const setup = developmentServer().hooks['astro:config:setup']
  interface Update {
    server: { port: number; allowedHosts: string[] }
    vite: { server: { fs: { deny: string[] } } }
  }
  const updates: Update[] = []
  const run = (command: string) =>
    setup?.({ command, updateConfig: (update: Update) => updates.push(update) } as never)
  run('build')
  assert.equal(updates.length, 0)
  run('dev')
  const denied = () => updates.at(-1)?.vite.server.fs.deny ?? []
  const { port, allowedHosts } = updates[0]?.server ?? {}
  assert.deepEqual([port, allowedHosts], [4999, ['www.example.com', 'admin.example.com']])
  const deny = denied()
  for (const pattern of ['.env', '.env.*', '**/.git/**', '/srv/data \\(1\\)/**', '/srv/site.db*'])
    assert.ok(deny.includes(pattern), `${pattern} in ${deny}`)
  setEnvironment(t, { DATABASE_URL: 'postgres://db.example/site' })
  run('dev')
  assert.equal(denied().length, deny.length - 1)
})

const KEY = Symbol.for('signpost.development')
const programs = globalThis as unknown as Record<
  symbol,
  { app: { close(): Promise<void> }; servers: number } | undefined
>

/** Ends the development server, and waits until its program has closed the database. */
async function endProgram(httpServer: EventEmitter) {
  const app = programs[KEY]?.app
  if (!app) return
  const close = app.close.bind(app)
  let closed: Promise<void> | undefined
  app.close = () => {
    closed = close()
    return closed
  }
  httpServer.emit('close')
  await closed
}

/** Starts the program beside a development server, which is only as much as it asks for. */
async function start(t: TestContext, environment: Record<string, string> = {}) {
  const [dataDir, contentDir, port] = [temporaryFolder(t), temporaryFolder(t), await freePort()]
  await copyMigrated(join(dataDir, 'signpost.db'))
  setEnvironment(t, {
    ...{
      DATA_DIR: dataDir,
      CONTENT_DIR: contentDir,
      PORT: String(port),
      LOG_LEVEL: 'silent',
      BACKUP_KEEP: '0',
    },
    ...environment,
  })
  const logged: string[] = []
  const note = (kind: string) => (message: string) => logged.push(`${kind}: ${message}`)
  const logger = { info: note('info'), warn: note('warn'), error: note('error') }
  const middlewares: Middleware[] = []
  const sent: unknown[] = []
  const watcher = Object.assign(new EventEmitter(), { add: (folder: string) => sent.push(folder) })
  const httpServer = new EventEmitter()
  const server = {
    ...{ httpServer, watcher },
    middlewares: { use: (one: Middleware) => middlewares.push(one) },
    hot: { send: (message: unknown) => sent.push(message) },
    environments: { ssr: { hot: { send: (event: string) => sent.push(event) } } },
  }
  const begin = () => startDevelopment(server as unknown as Started[0], logger as unknown as Started[1])
  atEnd(t, () => endProgram(httpServer))
  return { port, contentDir, logged, middlewares, sent, watcher, httpServer, begin }
}

test('`astro dev` syncs the content files at its start and whenever one changes', async (t) => {
  const { contentDir, logged, sent, watcher, begin } = await start(t)
  mkdirSync(join(contentDir, 'pages'))
  writeFileSync(join(contentDir, 'pages/about.md'), '---\nwrong: [\n---\n')
  await begin()
  assert.match(logged.join('\n'), /^error: .*pages\/about\.md/m)
  assert.match(logged.join('\n'), /^info: .*\/admin\/setup\?code=/m)
  assert.deepEqual(sent, [contentDir])
  logged.splice(0)
  writeFileSync(join(contentDir, 'pages/about.md'), '---\ntitle: About\n---\nText\n')
  for (let time = 0; time < 3; time += 1) watcher.emit('all', 'change', join(contentDir, 'pages/about.md'))
  watcher.emit('all', 'change', '/elsewhere/a.md')
  await waitFor(async () => sent.length > 2)
  assert.deepEqual(sent.slice(1), ['astro:content-changed', { type: 'full-reload' }])
  assert.equal(logged.length, 1)
  assert.match(logged[0] ?? '', /^info: /)
})

test('`astro dev` gives each address its page, and the admin and forms what they need', async (t) => {
  const { port, contentDir, middlewares, begin } = await start(t, { ADMIN_HOST: 'admin.example.com' })
  mkdirSync(join(contentDir, 'pages'))
  writeFileSync(join(contentDir, 'pages/about.md'), '---\ntitle: About\n---\nText\n')
  await begin()
  const [middleware] = middlewares
  assert.ok(middleware)
  const locals = Symbol.for('astro.locals')
  const url = await serveEndpoint(t, async (request, response) => {
    request.headers.host = String(request.headers['x-host'] ?? `127.0.0.1:${port}`)
    Object.defineProperty(request, 'headersDistinct', { value: { host: [request.headers.host] } })
    middleware(request, response, (error) => {
      const { page, app, clientAddress } = Reflect.get(request, locals) ?? {}
      const found = { page: page?.path, hasApp: app !== undefined, clientAddress, error: String(error) }
      response.end(JSON.stringify(found))
    })
  })
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, init)
    return [answer.status, await answer.text()] as const
  }
  const pageOf = async (path: string) => JSON.parse((await ask(path))[1]).page
  assert.equal(await pageOf('/about?a=b'), '/about')
  assert.equal(await pageOf('/'), '/')
  assert.equal(await pageOf('/none'), '/404')
  const admin = { headers: { 'x-host': 'admin.example.com' } }
  const [, inside] = await ask('/admin', admin)
  assert.partialDeepStrictEqual(JSON.parse(inside), { hasApp: true, clientAddress: '127.0.0.1' })
  assert.deepEqual(await ask('/admin'), [404, 'Not found\n'])
  assert.equal((await ask('/admin', { headers: { 'x-host': 'b.example' } }))[0], 421)
  assert.deepEqual(await ask('/api/visits', { method: 'POST' }), [204, ''])
  assert.equal((await ask('/api/forms/none'))[0], 404)
  const { path, css } = themeStylesheet(DEFAULT_SITE_SETTINGS.theme)
  assert.deepEqual(await ask(path), [200, css])
  assert.deepEqual(await ask('/_astro/theme-other.css'), [404, ''])
  const textOf = async (path: string) => {
    const [status, text] = await ask(path)
    assert.equal(status, 200, path)
    return text
  }
  assert.match(await textOf('/robots.txt?a=b'), /^Disallow: \/admin$.*^Sitemap: /ms)
  assert.match(await textOf('/llms.txt'), /^# My business$/m)
  assert.match(await textOf('/sitemap-index.xml'), /\/sitemap-0\.xml<\/loc>/)
  const sitemap = await textOf('/sitemap-0.xml')
  assert.match(sitemap, /\/about<\/loc><\/url>/)
  assert.doesNotMatch(sitemap, /\/404/)
  assert.deepEqual(await ask('/sitemap-1.xml'), [404, ''])
})

test('two development servers share one program until both have ended', async (t) => {
  const { httpServer, middlewares, begin } = await start(t)
  await begin()
  await begin()
  assert.equal(middlewares.length, 2)
  assert.equal(httpServer.listenerCount('close'), 2)
  assert.equal(programs[KEY]?.servers, 2)
  await endProgram(httpServer)
  assert.equal(programs[KEY], undefined)
})
