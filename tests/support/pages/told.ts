import assert from 'node:assert/strict'
import type { AdminSite } from '../admin.ts'
import { wordsOf } from './read-page.ts'

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
