import type { TestContext } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { type PublishOptions, publishSite } from '#src/publish/publish-site.ts'
import { openTestDatabase, temporaryFolder } from './database.ts'
import { PROJECT_DIR } from './running-site.ts'
import { addEntry, addPlaces, offer } from './small-site.ts'

/**
 * A service in Austin and Dallas, with a function to publish it repeatedly; the clock advances a second each time it
 * is read.
 */
export async function aPublishedSite(t: TestContext, given?: Kysely<Schema>) {
  const db = given ?? (await openTestDatabase(t))
  const dataDir = temporaryFolder(t)
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/dallas')
  const service = {
    slug: 'ac-repair',
    id: await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' }),
  }
  for (const slug of ['austin', 'dallas']) await offer(db, service, { slug, id: places.get(slug) as number })
  let clock = Date.parse('2026-11-20T10:00:00.000Z')
  const now = () => {
    clock += 1_000
    return new Date(clock)
  }
  const publish = (options: Partial<PublishOptions> = {}) =>
    publishSite(db, {
      ...{ projectDir: PROJECT_DIR, dataDir, siteUrl: 'https://example.com', now },
      progress: silentProgress,
      ...options,
    })
  const setTitle = (title: string) =>
    db.updateTable('content_entries').set({ title }).where('slug', '=', 'ac-repair/dallas').execute()
  return { db, dataDir, places, service, publish, setTitle, now }
}
