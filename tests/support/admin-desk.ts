import type { TestContext } from 'node:test'
import type { AstroGlobal } from 'astro'
import type { Flash } from '#src/admin/kit/flash.ts'
import type { App } from '#src/app.ts'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { NO_LIMITS, type Role } from '#src/auth/roles/role.ts'
import { openTestDatabase, temporaryFolder } from './database.ts'

const EMAIL = 'ann@example.com'

interface Asked {
  params?: Record<string, string>
  /** The posted form; without one, the page is only opened. */
  body?: Record<string, string> | [string, string][] | FormData
  role?: Role
}

/**
 * What the pages of the admin get from Astro and the program, for code that answers them: a database, an empty data
 * folder, a signed-in user, and workers that do nothing. Much quicker than a site.
 */
export async function anAdminDesk(t: TestContext, config: Partial<App['config']> = {}) {
  const db = await openTestDatabase(t)
  const account = { email: EMAIL, name: null, passwordHash: 'x', now: new Date() }
  const userId = (await insertAdministrator(db, account)) ?? 0
  const flashes: Flash[] = []
  const dataDir = temporaryFolder(t)
  const siteUrl = 'http://localhost'
  const app = {
    ...{ db, config: { adminUrl: siteUrl, siteUrl, dataDir, ...config }, log: { info() {} } },
    publishing: { planner: { noteChange() {} } },
    siteLocale: { refresh: async () => {}, current: () => ({ timeZone: 'America/Chicago', country: 'US' }) },
  } as unknown as App
  /** Returns what the page at an address gets. */
  function open(address: string, { params = {}, body, role = 'owner' }: Asked = {}) {
    const url = new URL(address, siteUrl)
    const posted = body instanceof FormData ? body : new URLSearchParams(body)
    const administrator = { id: userId, email: EMAIL, role, limits: NO_LIMITS }
    return {
      ...{ url, params, response: { status: 200 } },
      request: new Request(url, body && { method: 'POST', body: posted }),
      locals: { app, administrator, clientAddress: '192.0.2.9' },
      cookies: { get() {}, set: (_: string, value: string) => flashes.push(JSON.parse(value)) },
      rewrite: async () => new Response(null, { status: 404 }),
    } as unknown as AstroGlobal
  }
  /** Returns where an answer leads, and the message that the next page shows. */
  const toldBy = (answer: unknown) => {
    if (!(answer instanceof Response)) return { status: 0, to: null, text: '' }
    const { text = '' } = flashes.pop() ?? {}
    return { status: answer.status, to: answer.headers.get('location'), text }
  }
  const lastChange = async () => (await listAuditEntries(db, { limit: 1 }))[0]
  return { db, app, dataDir, flashes, open, toldBy, lastChange }
}
