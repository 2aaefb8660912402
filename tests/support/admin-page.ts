import type { TestContext } from 'node:test'
import type { APIContext, AstroGlobal } from 'astro'
import { type Flash, takeFlash } from '#src/admin/kit/flash.ts'
import type { App } from '#src/app.ts'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { type AuditEntry, listAuditEntries } from '#src/auth/audit/audit-store.ts'
import { type Limits, NO_LIMITS, type Role } from '#src/auth/roles/role.ts'
import { resumeSession, startSession } from '#src/auth/sessions.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { DEFAULT_STAGES } from '#src/submissions/stages/stage-settings.ts'
import { openTestDatabase, temporaryFolder } from './database.ts'
import { quickHash } from './quick-hash.ts'

const ADMIN_URL = 'http://localhost'
const LONG_AGO = '2026-11-20T10:00:00.000Z'
export const PASSWORD = 'correct horse battery'

/** What a page of the admin gets. */
export type PageContext = AstroGlobal & APIContext

type Posted = Record<string, string | readonly string[]> | [string, string][] | FormData

/** What the browser asks of a page. */
interface Asked {
  params?: Record<string, string>
  /** What a form posts: in an object, a list is sent under `name[]`. */
  post?: Posted
  /** A role other than the user's own. */
  role?: Role
  headers?: Record<string, string>
  /** False if the password was confirmed more than 15 minutes ago. */
  isConfirmed?: boolean
}

/**
 * A signed-in user without a running site: pages of the admin get the contexts that `open` makes, with a database of
 * their own. The program notes which of its workers were woken.
 */
export async function anAdminPage(
  t: TestContext,
  {
    role = 'owner',
    limits = {},
    name = null,
    config = {},
    app: more = {},
  }: {
    role?: Role
    limits?: Partial<Limits>
    name?: string | null
    config?: Partial<App['config']>
    app?: Partial<Record<keyof App, unknown>>
  } = {},
) {
  const db = await openTestDatabase(t)
  const account = { email: 'ann@example.com', name, passwordHash: quickHash(PASSWORD), role }
  const given = { ...account, limits: { ...NO_LIMITS, ...limits }, now: new Date() }
  const userId = (await insertAdministrator(db, given)) ?? 0
  const token = await startSession(db, userId, { address: '192.0.2.9', userAgent: 'test' }, given)
  const opened = await resumeSession(db, token, given)
  const woken: string[] = []
  const logged: unknown[] = []
  const wakes = (worker: string) => ({ wake: () => woken.push(worker) })
  const note = (...line: unknown[]) => logged.push(line)
  const urls = { siteUrl: 'https://www.example.com', adminUrl: ADMIN_URL }
  const app = {
    ...{ db, secretBox: createSecretBox(new Uint8Array(32).fill(7)) },
    config: { ...urls, dataDir: temporaryFolder(t), webhookAllow: [], ...config },
    log: { info() {}, warn: note, error: note },
    desk: { invalidate: () => woken.push('desk') },
    ...{ dispatcher: wakes('dispatcher'), mailWorker: wakes('mail'), searchIndex: wakes('search') },
    publishing: { planner: { noteChange: () => woken.push('planner') } },
    siteLocale: {
      ...{ current: () => ({ timeZone: 'America/Chicago', country: 'US' }), stages: () => DEFAULT_STAGES },
      refresh: async () => woken.push('locale'),
    },
    ...more,
  } as unknown as App
  const jar = new Map<string, string>()
  const cookies = {
    get: (key: string) => (jar.has(key) ? { value: jar.get(key) } : undefined),
    set: (key: string, value: string) => jar.set(key, value),
    delete: (key: string) => jar.delete(key),
  }
  function open(
    path: string,
    { params = {}, post, role, headers, isConfirmed = true }: Asked = {},
  ): PageContext {
    const url = new URL(path, app.config.adminUrl)
    const body = post && { method: 'POST', body: toBody(post) }
    return {
      ...{ url, params, cookies, request: new Request(url, { ...body, ...(headers && { headers }) }) },
      response: { status: 200, headers: new Headers() },
      locals: {
        ...{ app, clientAddress: '192.0.2.9', leads: EVERY_LEAD },
        administrator: { ...opened?.administrator, ...(role && { role }) },
        session: { ...opened?.session, ...(!isConfirmed && { passwordCheckedAt: LONG_AGO }) },
      },
      rewrite: async () => new Response(null, { status: 404 }),
    } as unknown as PageContext
  }
  const message = (): Flash | undefined => takeFlash(open('/admin'))
  const toldBy = (answer: unknown) => {
    if (!(answer instanceof Response)) return { status: 0, to: null, text: '' }
    return { status: answer.status, to: answer.headers.get('location'), text: message()?.text ?? '' }
  }
  return {
    ...{ db, app, open, woken, logged, jar, userId, token, message, dataDir: app.config.dataDir },
    /** Returns where an answer leads, and the message that the next page shows. */
    toldBy,
    lastChange: async () => (await listAuditEntries(db, { limit: 1 }))[0],
    /** Returns the newest activity first. */
    activity: (): Promise<AuditEntry[]> => listAuditEntries(db, { limit: 20 }),
  }
}

/** Returns the status of a response, and where it leads. */
export function answerOf(answer: unknown): string {
  if (!(answer instanceof Response)) return 'a page'
  return [answer.status, ...(answer.headers.get('location') ?? '').split(' ')].join(' ').trim()
}

function toBody(fields: Posted): URLSearchParams | FormData {
  if (fields instanceof FormData) return fields
  if (Array.isArray(fields)) return new URLSearchParams(fields)
  const pairs = Object.entries(fields).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value]] : value.map((one) => [`${key}[]`, one]),
  )
  return new URLSearchParams(pairs)
}
