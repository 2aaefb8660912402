import module from 'node:module'
import { joinSnapshot, type Snapshot } from '../../db/snapshot.ts'
import { loadSiteContent, type NearContent, type SiteContent } from '../../site/content/site-content.ts'
import { findLogEnd } from '../changes/change-store.ts'
import { openLedger } from '../ledger/ledger-store.ts'
import { loadTemplates } from './bundle.ts'
import { limitHeapGrowth } from './heap-growth.ts'
import { LocalShare } from './page-share.ts'
import type { PageShare, ShareOptions, WorkRange } from './share-work.ts'

let snapshot: Snapshot | undefined
let content: SiteContent | undefined
let share: PageShare | undefined

interface LoadOptions {
  siteUrl: string
  now: Date
  near?: NearContent | undefined
  /** The compared texts; without them, they are compared here. */
  ownTexts?: SiteContent['ownTexts'] | undefined
}

// Calls from the publishing process.
const calls = {
  async ready() {},
  /** Loads the templates before there is work. */
  async prepare(folder: string) {
    await loadTemplates({ folder })
    module.flushCompileCache()
  },
  /** Returns the end of the log that it sees. */
  async join(databaseUrl: string, token: string) {
    snapshot = await joinSnapshot(databaseUrl, token)
    return (await findLogEnd(snapshot.db)).id
  },
  async load({ ownTexts, ...options }: LoadOptions) {
    limitHeapGrowth()
    content = await loadSiteContent(got(snapshot).db, options)
    if (ownTexts) content.ownTexts = ownTexts
  },
  async start(options: ShareOptions, folder: string) {
    const ledger = openLedger(options.ledgerFile)
    const reading = { db: got(snapshot).db, content: got(content), ledger }
    share = new LocalShare(reading, options, () => loadTemplates({ folder }))
  },
  range: (range: WorkRange) => got(share).range(range),
  finish: () => got(share).finish(),
}

export type Calls = typeof calls
export interface ShareCall {
  call: keyof Calls
  args: unknown[]
}
/** Calls are answered in order. */
export type ShareAnswer = { result: unknown } | { failure: string }

let previous: Promise<void> = Promise.resolve()

process.on('message', (message: ShareCall) => {
  previous = previous.then(() => answer(message))
})
// It is killed when its work is done, which would lose the compile cache.
module.flushCompileCache()
// The publishing process is gone.
process.on('disconnect', () => process.exit(1))

async function answer({ call, args }: ShareCall) {
  try {
    const run = calls[call] as (...args: unknown[]) => Promise<unknown>
    send({ result: await run(...args) })
  } catch (error) {
    send({ failure: error instanceof Error ? error.message : String(error) })
  }
}

function send(message: ShareAnswer) {
  process.send?.(message)
}

function got<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The share of the work was not started')
  return part
}
