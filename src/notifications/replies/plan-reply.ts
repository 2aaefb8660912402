import type { Db } from '../../db/schema.ts'
import { plainAddress } from '../plain-address.ts'
import { hasReplies, insertReply } from './reply-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Anyone can enter someone else's address in a form, so the site must not become a way to spam them. */
export const REPLY_LIMITS = {
  address: [
    { most: 2, withinMs: HOUR_MS },
    { most: 4, withinMs: DAY_MS },
  ],
  site: [
    { most: 100, withinMs: HOUR_MS },
    { most: 1_000, withinMs: DAY_MS },
  ],
} as const

/** A reply to plan. */
export interface WantedReply {
  submissionId: number
  formId: number
  /** A valid answer from an `email` field. */
  recipient: string
  now: Date
}

/**
 * Plans the reply to a submission, at most once. A reply beyond the limits is stored as canceled. Call it in the
 * submission's transaction.
 */
export async function planReply(db: Db, { now, recipient, ...about }: WantedReply): Promise<void> {
  if (!plainAddress(recipient)) return
  const limitKey = limitKeyOf(recipient)
  const reason = await findReplyLimit(db, recipient, { now })
  await insertReply(db, { ...about, recipient, limitKey, reason, createdAt: now.toISOString() })
}

/** Returns the limit that another reply to this address would exceed, or null. `besides` is a reply to leave out. */
export async function findReplyLimit(
  db: Db,
  recipient: string,
  { now, besides }: { now: Date; besides?: number },
): Promise<'address_limit' | 'site_limit' | null> {
  const limitKey = limitKeyOf(recipient)
  const since = (withinMs: number) => new Date(now.getTime() - withinMs).toISOString()
  for (const { most, withinMs } of REPLY_LIMITS.address)
    if (await hasReplies(db, most, { since: since(withinMs), limitKey, besides })) return 'address_limit'
  for (const { most, withinMs } of REPLY_LIMITS.site)
    if (await hasReplies(db, most, { since: since(withinMs), besides })) return 'site_limit'
  return null
}

/** Normalizes the parts of an address that its owner can vary: case, text after a plus sign, and dots in the name. */
export function limitKeyOf(address: string): string {
  const lower = address
    .normalize('NFKC')
    .toLowerCase()
    .replace(/@googlemail\.com$/, '@gmail.com')
  const at = lower.lastIndexOf('@')
  const name = lower.slice(0, at).replace(/\+.*$/, '').replaceAll('.', '')
  return `${name}${lower.slice(at)}`
}
