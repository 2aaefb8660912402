import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectSqlite } from '#src/db/connect.ts'
import { toEntryInput } from '#src/entries/editing/entry-input.ts'
import { saveEntry } from '#src/entries/editing/save-entry.ts'
import { findEntry } from '#src/entries/entry-store.ts'
import { findEntryDraft, saveDraft } from '#src/entries/history/entry-draft.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { publishUnlessHeldBack } from '#src/publish/publish-site.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { createPublishSchedule } from '#src/server/background/publish-schedule.ts'
import { createPublisher } from '#src/server/background/publisher.ts'
import { PROJECT_DIR } from './running-site.ts'

/** An edition of the live page `about` that was scheduled, or that visitors see by then. */
export interface Edition {
  edition: number
  state: 'scheduled' | 'live'
}

const LOOK_EVERY_MS = 20
const MOST_AHEAD_MS = 300

// Schedules drafts of the page and publishes each at its time, reporting both, until it is killed. Meanwhile another
// page is saved but not published. With `last` it only publishes the draft that is scheduled.
const [path = '', dataDir = '', last] = process.argv.slice(2)
const db = connectSqlite(path)
const now = () => new Date()
const options = { projectDir: PROJECT_DIR, dataDir, siteUrl: 'https://example.com', now, jobs: 1 }
createPublishSchedule({
  ...{ db, place: { dataDir }, now, lookEveryMs: LOOK_EVERY_MS },
  publisher: createPublisher((request) =>
    publishUnlessHeldBack(db, { ...options, progress: silentProgress, starter: request }),
  ),
  log: { error: fail },
}).start()

for (;;) {
  const edition = await becomesLive()
  report({ edition, state: 'live' })
  if (last) break
  const { type, entry } = await pageOf('news')
  const news = { ...toEntryInput(entry, []), body: `Edition ${edition + 1}` }
  await saveEntry(db, { type, id: entry.id, input: news }, { now: now() })
  await schedule(edition + 1)
  report({ edition: edition + 1, state: 'scheduled' })
}

async function schedule(edition: number) {
  const { type, entry } = await pageOf('about')
  const publishAt = new Date(Date.now() + 1 + Math.random() * MOST_AHEAD_MS).toISOString()
  const input = { ...toEntryInput(entry, []), body: `Edition ${edition}`, publishAt }
  const outcome = await saveDraft(db, { type, id: entry.id, input }, { now: now() })
  assert.equal(outcome.kind, 'saved')
}

// Waits until no draft is left and visitors see the saved edition, which it returns.
async function becomesLive(): Promise<number> {
  for (;;) {
    const { entry } = await pageOf('about')
    const isShown = shownText().includes(`<p>${entry.body}</p>`)
    if (isShown && !(await findEntryDraft(db, entry.id))) return Number(entry.body.split(' ')[1])
    await wait(LOOK_EVERY_MS)
  }
}

function shownText(): string {
  const file = join(dataDir, 'current/site', pageFile('/about'))
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

async function pageOf(slug: string) {
  const type = await findContentType(db, 'pages')
  const entry = type && (await findEntry(db, type.id, slug))
  assert.ok(type && entry)
  return { type, entry }
}

function fail(...about: unknown[]) {
  console.error(...about)
  process.exit(1)
}

function report(edition: Edition) {
  process.send?.(edition)
}
