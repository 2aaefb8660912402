import type { IncomingMessage } from 'node:http'
import type { Kysely } from 'kysely'
import { UncertainCommit } from '../../db/lost-answer.ts'
import type { Schema } from '../../db/schema.ts'
import { createLoop } from '../../lib/background/loop.ts'
import type { Worker } from '../../lib/background/worker.ts'
import { localDayOf } from '../../lib/locale/calendar-day.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { addUpLeads } from '../../submissions/results/add-up-leads.ts'
import { addTraffic, type Traffic } from '../../submissions/results/traffic-store.ts'
import type { FindPage } from './page-finder.ts'
import { isOpenedByPerson, sourceOfRequest, UNKNOWN } from './visit-request.ts'
import { type DayOfVisits, type Visit, VisitTally } from './visit-tally.ts'

const EVERY_MS = 5_000
/** Written in one transaction, so that no post waits long behind it. */
const BATCH = 100

export interface VisitCounter extends Worker {
  /** Counts a served page, unless a bot requested it. */
  countView(request: IncomingMessage, path: string): void
  /** Counts what a browser reports. */
  count(visit: Visit): void
}

interface CounterOptions {
  db: Kysely<Schema>
  ownHosts: ReadonlySet<string>
  keepsSources: () => Promise<boolean>
  findPage: FindPage
  /** Time zone of the site, whose days count views. */
  timeZone: () => string
  now: () => Date
  log: Pick<Log, 'error'>
  everyMs?: number
}

/**
 * Counts views and phone taps in memory and adds them to the database every 5 seconds, and changes of leads to their
 * sums. Counts not yet added when the program is killed are lost: at most 10 seconds of views. Nothing counts twice, and a
 * lead is never lost.
 */
export function createVisitCounter(options: CounterOptions): VisitCounter {
  const { db, ownHosts, timeZone, now, log, everyMs = EVERY_MS } = options
  const tally = new VisitTally()
  let keepsSources = true

  function count(visit: Visit) {
    const day = localDayOf(now(), timeZone())
    tally.add(keepsSources ? visit : { ...visit, source: UNKNOWN }, day)
  }

  async function flush() {
    keepsSources = await options.keepsSources()
    for (let batch = tally.take(BATCH); batch.length > 0; batch = tally.take(BATCH))
      await store(tally, batch, options)
  }

  // Two loops, because adding up many leads takes minutes, and a kill would lose the views of these minutes.
  const turns = [flush, (signal: AbortSignal) => addUpLeads(db, { signal })]
  const loops = turns.map((turn) => createLoop({ everyMs, turn, failure: logTexts.visitsNotCounted, log }))
  return {
    count,
    countView(request, path) {
      if (!isOpenedByPerson(request)) return
      count({ path, source: sourceOfRequest(request, ownHosts), views: 1, taps: 0, isServed: true })
    },
    start() {
      for (const loop of loops) loop.start()
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
      await flush().catch((err) => log.error({ err }, logTexts.visitsNotCounted))
    },
  }
}

async function store(tally: VisitTally, batch: readonly DayOfVisits[], options: CounterOptions) {
  try {
    const traffic = (await Promise.all(batch.map((visits) => locate(visits, options)))).flat()
    await options.db.transaction().execute((trx) => addTraffic(trx, traffic))
  } catch (error) {
    // It is unknown whether it was stored: counting twice would be worse than not at all.
    if (!(error instanceof UncertainCommit)) tally.putBack(batch)
    throw error
  }
}

// Reports of pages that were never published are ignored.
async function locate(visits: DayOfVisits, { findPage }: CounterOptions): Promise<Traffic[]> {
  const page = await findPage(visits.path)
  if (!page && !visits.isServed) return []
  const { service = '', place = '' } = page ?? {}
  const { day, source, path, views, taps } = visits
  return [{ day, service, place, source, page: path, views, taps }]
}
