import assert from 'node:assert/strict'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { type Limits, NO_LIMITS, type Role } from '#src/auth/roles/role.ts'
import { startSession } from '#src/auth/sessions.ts'
import type { AdminSite } from './admin.ts'
import { quickHash } from './quick-hash.ts'

const PASSWORD = 'correct horse battery'

let added = 0

/** A signed-in user who just confirmed the password. */
export interface Person {
  id: number
  email: string
  /** Sends a request as their browser. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  post(path: string, fields?: Record<string, string | readonly string[]>): Promise<Response>
}

/** Adds a signed-in user with a role. */
export async function addPerson(
  site: Pick<AdminSite, 'app' | 'url'>,
  role: Role,
  limits: Partial<Limits> = {},
): Promise<Person> {
  added += 1
  const { db } = site.app
  const email = `${role}-${added}@example.com`
  const account = { email, name: null, passwordHash: quickHash(PASSWORD), role }
  const id = await insertAdministrator(db, {
    ...account,
    limits: { ...NO_LIMITS, ...limits },
    now: new Date(),
  })
  assert.ok(id)
  const visitor = { address: '192.0.2.9', userAgent: 'test' }
  const token = await startSession(db, id, visitor, { now: new Date() })
  const ask: Person['fetch'] = (path, init = {}) => {
    const headers = { cookie: `signpost_session=${token}`, origin: site.url, accept: 'text/html' }
    return fetch(site.url + path, { redirect: 'manual', ...init, headers: { ...headers, ...init.headers } })
  }
  return {
    ...{ id, email, fetch: ask },
    post: (path, fields = {}) => ask(path, { method: 'POST', body: toBody(fields) }),
  }
}

function toBody(fields: Record<string, string | readonly string[]>): URLSearchParams {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : value.map((one) => [`${name}[]`, one]),
  )
  return new URLSearchParams(pairs)
}
