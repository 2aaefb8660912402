import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { TestContext } from 'node:test'
import type { Page as BrowserPage } from 'playwright-core'
import type { App } from '#src/app.ts'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { startSession } from '#src/auth/sessions.ts'
import { openBrowser, openPage } from './browser.ts'
import { type FrontSettings, startFront } from './front.ts'
import type { Page } from './pages/read-page.ts'
import { quickHash } from './quick-hash.ts'

export const ADMINISTRATOR = {
  email: 'ann@example.com',
  name: 'Ann Example',
  password: 'correct horse battery',
}

// Names of places in conditions, and in the list that a lead was opened from, take a page to 14.
const MOST_QUERIES = 14
const MOST_QUERIES_OFTEN = 12
const OFTEN = /^\/admin(?:\/inbox\/\d+)?$/

export interface AdminSite {
  app: App
  url: string
  port: number
  administratorId: number
  /** The signed-in administrator's `cookie` header, with the latest token. */
  readonly cookie: string
  /** Sends a request as the signed-in administrator's browser; redirects are not followed. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Returns a page's HTML; fails unless the status is 200 and it took few queries. */
  read(path: string): Promise<string>
  /** Returns a page to query by role, label, and text; fails like `read`. */
  open(path: string): Promise<Page>
  /** Posts a form; a list is sent under `name[]`. */
  post(path: string, fields?: Record<string, string | readonly string[]>): Promise<Response>
  /** Counts the SQL queries of admin pages during the work. */
  countQueries(work: () => Promise<unknown>): Promise<number>
}

/** The whole program over a small published site (tests/support/front.ts), with one signed-in administrator. */
export async function startAdmin(t: TestContext, settings: FrontSettings = {}): Promise<AdminSite> {
  const asking = new AsyncLocalStorage<true>()
  const aroundAdmin: FrontSettings['aroundAdmin'] = (answer) => (request, locals) =>
    asking.run(true, () => answer(request, locals))
  const { app, url, port } = await startFront(t, { aroundAdmin, ...settings })
  const { password, ...account } = ADMINISTRATOR
  const passwordHash = quickHash(password)
  const administratorId = await insertAdministrator(app.db, { ...account, passwordHash, now: new Date() })
  assert.ok(administratorId)
  const visitor = { address: '127.0.0.1', userAgent: 'test' }
  let cookie = `signpost_session=${await startSession(app.db, administratorId, visitor, { now: new Date() })}`
  const counter = watchQueries(app, () => asking.getStore() === true)

  const ask: AdminSite['fetch'] = async (path, init = {}) => {
    const headers = { cookie, origin: url, accept: 'text/html', ...(init.headers as object) }
    const response = await fetch(url + path, { redirect: 'manual', ...init, headers })
    // A deleted cookie has no token of that length.
    const renewed = /^signpost_session=[\w-]{43}/
    const [own] = response.headers.getSetCookie().flatMap((one) => renewed.exec(one) ?? [])
    // Another browser's session is not this one's.
    if (own !== undefined && headers.cookie === cookie) cookie = own
    return response
  }

  const read: AdminSite['read'] = async (path) => {
    const before = counter.count
    const response = await ask(path)
    const html = await response.text()
    assert.equal(response.status, 200, `${path} answered ${response.status}: ${html.slice(0, 300)}`)
    const queries = counter.count - before
    const most = OFTEN.test(path) ? MOST_QUERIES_OFTEN : MOST_QUERIES
    assert.ok(queries <= most, `${path} made ${queries} queries`)
    return html
  }

  return {
    ...{ app, url, port, administratorId, fetch: ask },
    get cookie() {
      return cookie
    },
    read,
    async open(path) {
      // Most tests need no document, and loading one takes a while.
      const { readPage } = await import('./pages/read-page.ts')
      return readPage(await read(path))
    },
    post: (path, fields = {}) => ask(path, { method: 'POST', body: formBody(fields) }),
    async countQueries(work) {
      const before = counter.count
      await work()
      return counter.count - before
    },
  }
}

/** A browser with the administrator signed in. */
export async function openAdminPage(
  t: TestContext,
  site: AdminSite,
  options: {
    width?: number
    javaScriptEnabled?: boolean
    colorScheme?: 'light' | 'dark'
    timezoneId?: string
  } = {},
): Promise<BrowserPage> {
  const { width = 1280, ...rest } = options
  const browser = await openBrowser()
  const page = await openPage(t, browser, { baseURL: site.url, viewport: { width, height: 900 }, ...rest })
  const [name = '', value = ''] = site.cookie.split('=')
  await page.context().addCookies([{ name, value, url: site.url }])
  return page
}

function formBody(fields: Record<string, string | readonly string[]>): URLSearchParams {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value)
    else for (const item of value) body.append(`${name}[]`, item)
  }
  return body
}

// Every statement passes the executor; background work at the same time doesn't count.
function watchQueries({ db }: App, isAsking: () => boolean): { count: number } {
  const counter = { count: 0 }
  const executor = db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = (...query) => {
    if (isAsking()) counter.count += 1
    return execute(...query)
  }
  return counter
}
