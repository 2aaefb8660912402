import module from 'node:module'
import { joinSnapshot, type Snapshot } from '../../db/snapshot.ts'
import { loadSiteContent, type SiteContent } from '../../site/content/site-content.ts'
import type { PageRange } from '../../site/pages/list-pages.ts'
import { SameAddress } from '../addresses/same-address.ts'
import { loadRenderer } from './bundle.ts'
import { LocalShare } from './page-share.ts'
import type { PageShare, ShareOptions } from './share-work.ts'

/** What the process that publishes asks for. */
export type ShareCall =
  | { call: 'ready' }
  | { call: 'join'; databaseUrl: string; token: string }
  | { call: 'load'; siteUrl: string; now: string }
  | { call: 'start'; options: ShareOptions; bundleFolder: string }
  | { call: 'range'; range: PageRange }
  | { call: 'keep' | 'flush' | 'links' | 'close' }

/** Calls are answered in their order. */
export type ShareAnswer = { result: unknown } | { failure: string } | { sameAddress: string }

let snapshot: Snapshot | undefined
let content: SiteContent | undefined
let share: PageShare | undefined
let previous: Promise<void> = Promise.resolve()

process.on('message', (message: ShareCall) => {
  previous = previous.then(() => answer(message))
})
// It is killed when its work is done, which would leave no cache of what was compiled.
module.flushCompileCache()
// The one that publishes is gone.
process.on('disconnect', () => process.exit(1))

async function answer(message: ShareCall) {
  try {
    send({ result: await run(message) })
  } catch (error) {
    if (error instanceof SameAddress) return send({ sameAddress: error.path })
    send({ failure: error instanceof Error ? error.message : String(error) })
  }
}

function send(message: ShareAnswer) {
  process.send?.(message)
}

async function run(message: ShareCall): Promise<unknown> {
  if (message.call === 'ready') return undefined
  if (message.call === 'join') {
    snapshot = await joinSnapshot(message.databaseUrl, message.token)
    return undefined
  }
  if (message.call === 'load') {
    content = await load(message)
    return undefined
  }
  if (message.call === 'start') {
    share = start(message)
    return undefined
  }
  if (!share) throw new Error('The share of the work was not started')
  return message.call === 'range' ? share.range(message.range) : share[message.call]()
}

function load({ siteUrl, now }: Extract<ShareCall, { call: 'load' }>): Promise<SiteContent> {
  if (!snapshot) throw new Error('The snapshot was not joined')
  return loadSiteContent(snapshot.db, { siteUrl, now: new Date(now) })
}

function start({ options, bundleFolder }: Extract<ShareCall, { call: 'start' }>): PageShare {
  if (!snapshot || !content) throw new Error('The content was not loaded')
  const renderer = () => loadRenderer({ folder: bundleFolder })
  return new LocalShare({ db: snapshot.db, content }, options, renderer)
}
