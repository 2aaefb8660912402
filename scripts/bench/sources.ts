import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectSqlite } from '../../src/db/connect.ts'
import { findSiteSettings, saveSiteSettings } from '../../src/site/settings/site-settings-store.ts'
import { freePorts } from './measure.ts'
import type { Measurement } from './report.ts'
import type { Target } from './start-server.ts'
import { ANSWERS, measureInTurns, prepareDatabase, startPrepared } from './submit.ts'

const ROUNDS = 15
const LEAST_SHARE = 0.95

const TOUCH = {
  at: '2026-11-20T10:02:00.000Z',
  landing_page: '/services/boiler-service/ennis?utm_source=google',
  referrer: 'https://www.google.com/',
  ...{
    utm_source: 'google',
    utm_medium: 'cpc',
    utm_campaign: 'boiler-2026',
    utm_term: 'boiler service ennis',
  },
  gclid: 'CjwKCAiA'.repeat(8),
}
const POST = { ...ANSWERS, _page: '/services' }
// As the script of the pages sends it.
const SOURCE = JSON.stringify({
  first: TOUCH,
  last: TOUCH,
  pages: ['/', '/services', '/services/boiler-service'],
})

/** Measures accepted posts per second with lead sources on and off, in turn. */
export async function benchSources(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  const targets: Target[] = []
  try {
    const [onPort = 0, offPort = 0] = await freePorts(2)
    await prepare(join(folder, 'on'), { attribution: true })
    await prepare(join(folder, 'off'), { attribution: false })
    const withSources = await startPrepared('sources on', join(folder, 'on'), onPort)
    const without = await startPrepared('sources off', join(folder, 'off'), offPort)
    targets.push({ ...withSources, body: JSON.stringify({ ...POST, _source: SOURCE }) })
    targets.push({ ...without, body: JSON.stringify(POST) })
    const [on, off] = await measureInTurns(targets, { rounds: ROUNDS })
    if (!on || !off) throw new Error('Both are measured')
    return [
      ...[on, off].map(({ server, rate }) => ({ name: `${server}: accepted`, value: rate, unit: 'posts/s' })),
      { name: 'on, as a share of off', value: on.rate / off.rate, unit: '×', atLeast: LEAST_SHARE },
    ]
  } finally {
    for (const { process: server } of targets) server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prepare(dataDir: string, { attribution }: { attribution: boolean }) {
  await prepareDatabase(dataDir, 0)
  const db = connectSqlite(join(dataDir, 'signpost.db'))
  const now = new Date().toISOString()
  await saveSiteSettings(db, { ...(await findSiteSettings(db)), attribution }, { now })
  await db.destroy()
}
