import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { addUpLeads } from '../results/add-up-leads.ts'
import { bringOverSums, hasOldSums } from '../results/bring-over-sums.ts'
import { listNamed, type Named } from '../search/names-store.ts'
import { addPending } from '../search/search-store.ts'
import { findHolder } from './holder-of-slug.ts'
import { listUnplacedLeads, type Placing, placeLeads, type UnplacedLead } from './unplaced-leads-store.ts'

const BATCH = 200
/** Leaves half of the time to visitors. */
const REST = 1

/**
 * Adds the IDs of places and services to leads stored without them, newest first, and then migrates the sums of
 * results. Each step is one transaction: after a kill, the next start continues. If no lead lacks its IDs, it only
 * looks at an empty index.
 */
export async function placeOlderLeads(
  db: Kysely<Schema>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  // Checks before writing, because a write would wait for a locked database.
  const hasLeads = (await listUnplacedLeads(db, { limit: 1 })).length > 0
  if (!hasLeads && !(await hasOldSums(db))) return
  await repeat(db, placeSome, signal)
  // First adds up the changes that placing the leads made to the old sums.
  await addUpLeads(db, signal && { signal })
  await repeat(db, bringOverSums, signal)
}

async function repeat(
  db: Kysely<Schema>,
  step: (trx: Db) => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let isDone = false; !isDone && !signal?.aborted; ) {
    const startedAt = performance.now()
    isDone = await db.transaction().execute(step)
    if (!isDone) await delay((performance.now() - startedAt) * REST)
  }
}

// Returns true when nothing is left.
async function placeSome(db: Db): Promise<boolean> {
  const leads = await listUnplacedLeads(db, { limit: BATCH })
  if (leads.length === 0) return true
  const found = Map.groupBy(await listNamed(db, slugsOf(leads)), ({ kind }) => kind)
  const groups = Map.groupBy(leads, (lead) => JSON.stringify(placingOf(lead, found)))
  for (const [placing, group] of groups)
    await placeLeads(
      db,
      group.map(({ id }) => id),
      JSON.parse(placing) as Placing,
    )
  // Their words in the search index change too.
  await addPending(
    db,
    leads.map(({ id }) => id),
  )
  return leads.length < BATCH
}

function slugsOf(leads: readonly UnplacedLead[]) {
  return {
    places: [...new Set(leads.flatMap(({ locationSlug }) => locationSlug ?? []))],
    services: [...new Set(leads.flatMap(({ serviceSlug }) => serviceSlug ?? []))],
  }
}

function placingOf(
  { locationSlug, locationName, serviceSlug, serviceName, submittedAt: at }: UnplacedLead,
  found: ReadonlyMap<Named['kind'], readonly Named[]>,
): Placing {
  const [places = [], services = []] = [found.get('place'), found.get('service')]
  return {
    locationId:
      locationSlug === null ? null : findHolder(places, { slug: locationSlug, name: locationName, at }),
    serviceId:
      serviceSlug === null ? null : findHolder(services, { slug: serviceSlug, name: serviceName, at }),
  }
}
