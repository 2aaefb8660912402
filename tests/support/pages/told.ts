import assert from 'node:assert/strict'
import type { AdminSite } from '../admin.ts'
import { type Page, readAnswer, wordsOf } from './read-page.ts'

/** Returns the newest entries of the audit log, as its page shows them. */
export async function newestChanges(site: AdminSite, count = 1): Promise<string[]> {
  const [, ...rows] = (await site.open('/admin/audit')).part('table').getAllByRole('row')
  return rows.slice(0, count).map((row) => wordsOf(row.querySelector('td') as Element))
}

/** Returns the message at the top of the next page. */
export function messageOf(response: Response): string {
  const set = response.headers.getSetCookie().flatMap((cookie) => /^[^=]*flash=([^;]+)/.exec(cookie) ?? [])
  assert.ok(set[1], 'The answer leaves no message')
  return JSON.parse(decodeURIComponent(set[1])).text
}

/** Opens the page that a post redirects to, which shows its message. */
export async function openAfter(site: AdminSite, posted: Response): Promise<Page> {
  assert.equal(posted.status, 303)
  const set = posted.headers.getSetCookie().map((one) => one.split(';')[0])
  const headers = { cookie: [site.cookie, ...set].join('; ') }
  return readAnswer(await site.fetch(posted.headers.get('location') ?? '', { headers }))
}
