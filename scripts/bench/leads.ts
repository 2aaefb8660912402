import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectSqlite } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type BenchedAdmin, withAdmin } from './admin.ts'
import { fillAdmin } from './fill-admin.ts'
import { percentile } from './measure.ts'
import { monotonicMs } from './receiver-process.ts'
import type { Measurement } from './report.ts'
import { ANSWERS } from './submit.ts'

const STORED_LEADS = 100_000
const ENTRIES = 1_000
const LEADS = 500
const PAUSE_MS = 100
const USERS = 5
const READING_MS = 1_000
const LAST_ARRIVAL_MS = 30_000
const MOST_MS = 1_000
const KINDS = ['mail', 'webhook'] as const

/** Pages that inbox users open, one after another. */
const SCREENS = [
  '/admin/inbox',
  '/admin/inbox/LEAD',
  '/admin/inbox?status=all&q=kitchen',
  '/admin/inbox?status=new',
  '/admin',
]

/**
 * Measures the time from a post to the arrival of its email and webhook, at real receivers in another process, with
 * 100,000 stored leads. Meanwhile, five users open a page each second.
 */
export async function benchLeads(): Promise<Measurement[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  const receiver = fork(new URL('./leads-receiver.ts', import.meta.url))
  try {
    const [{ smtp, http }] = await once(receiver, 'message')
    await prepare(join(dataDir, 'signpost.db'), http)
    const arrivals = { mail: new Map<number, number>(), webhook: new Map<number, number>() }
    receiver.on('message', (message) => {
      const { kind, lead, at } = message as { kind: 'mail' | 'webhook'; lead: number; at: string }
      arrivals[kind].set(lead, Number(BigInt(at)) / 1e6)
    })
    const environment = { SMTP_URL: smtp, MAIL_FROM: 'forms@example.com', WEBHOOK_ALLOW: '127.0.0.0/8' }
    return await withAdmin(dataDir, (admin) => measure(admin, arrivals), environment)
  } finally {
    receiver.disconnect()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function prepare(path: string, receiverUrl: string) {
  const db = connectSqlite(path)
  await migrate(db)
  const settings_json = JSON.stringify({ notifications: [{ to: ['office@example.com'] }] })
  await db.updateTable('forms').set({ settings_json }).where('slug', '=', 'waitlist').execute()
  await db.insertInto('form_webhooks').values({ form_id: 1, name: 'CRM', url: receiverUrl }).execute()
  await db.destroy()
  fillAdmin(path, { submissions: STORED_LEADS, entries: ENTRIES })
}

async function measure(
  admin: BenchedAdmin,
  arrivals: Record<(typeof KINDS)[number], Map<number, number>>,
): Promise<Measurement[]> {
  const sent = new Map<number, number>()
  const users = new AbortController()
  const opened = Array.from({ length: USERS }, () => openScreens(admin, users.signal))
  for (let lead = 0; lead < LEADS; lead++) {
    sent.set(lead, monotonicMs())
    await post(admin.url, lead)
    await delay(PAUSE_MS)
  }
  const giveUpAt = performance.now() + LAST_ARRIVAL_MS
  const areAllThere = () => KINDS.every((kind) => arrivals[kind].size === LEADS)
  while (!areAllThere() && performance.now() < giveUpAt) await delay(PAUSE_MS)
  users.abort()
  const screens = (await Promise.all(opened)).reduce((sum, count) => sum + count, 0)
  const figures = KINDS.flatMap((kind) => {
    const times = [...sent].map(([lead, at]) => (arrivals[kind].get(lead) ?? Number.POSITIVE_INFINITY) - at)
    times.sort((a, b) => a - b)
    return [
      { name: `post to ${kind}: p50`, value: percentile(times, 0.5), unit: 'ms' },
      { name: `post to ${kind}: p99`, value: percentile(times, 0.99), unit: 'ms', atMost: MOST_MS },
    ]
  })
  return [...figures, { name: 'pages of the inbox meanwhile', value: screens, unit: '' }]
}

async function post(url: string, lead: number) {
  const response = await fetch(`${url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ANSWERS, email: `lead-${lead}@example.com` }),
  })
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`Answered ${response.status} instead of 201`)
}

/** Opens pages until the signal; returns the number. */
async function openScreens({ url, cookie }: BenchedAdmin, signal: AbortSignal): Promise<number> {
  let count = 0
  while (!signal.aborted) {
    const screen = (SCREENS[count % SCREENS.length] ?? '').replace(
      'LEAD',
      String(STORED_LEADS - (count % 1_000)),
    )
    const response = await fetch(url + screen, { headers: { cookie, accept: 'text/html' } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${screen} answered ${response.status}`)
    count += 1
    await delay(READING_MS)
  }
  return count
}
