import { findRenamedAmong } from '../../conditions/renamed-store.ts'
import type { Db } from '../../db/schema.ts'
import { findForm, findRenamedForm } from '../../forms/form-store.ts'
import type { Entry } from '../entry-store.ts'
import { places as placePatterns, service as serviceSlug } from '../meanings/meanings.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import { offeredIn } from './offer-service.ts'
import { locationOfPattern, renamePlaceInPattern } from './offered-in.ts'

/**
 * Returns an entry's data with today's slugs of the form, places, and service that it names by a former slug. What has
 * the slug today keeps it, unless it was added after `at` (UTC text), when the data was current.
 */
export async function withTodaysNames(
  db: Db,
  { type, data, at }: { type: string; data: Entry['data']; at?: string | undefined },
): Promise<Entry['data']> {
  const { meanings } = rulesOf(type)
  const patterns = meanings.offered_in === placePatterns ? offeredIn({ data }) : []
  const service = meanings.service === serviceSlug ? textAt('service', data) : []
  const slugs = { places: patterns.flatMap((one) => locationOfPattern(one) ?? []), services: service }
  const { places, services } = await findRenamedAmong(db, slugs, at)
  const renamed: Record<string, unknown> = {}
  for (const slug of textAt('form', data)) renamed.form = await todaysForm(db, slug, at)
  for (const slug of service) renamed.service = services.get(slug) ?? slug
  if (places.size > 0)
    renamed.offered_in = patterns.map((pattern) => {
      const from = locationOfPattern(pattern) ?? ''
      return renamePlaceInPattern(pattern, { from, to: places.get(from) ?? from })
    })
  return { ...data, ...renamed }
}

function textAt(key: string, data: Entry['data']): string[] {
  const value = data[key]
  return typeof value === 'string' && value !== '' ? [value] : []
}

async function todaysForm(db: Db, slug: string, at: string | undefined): Promise<string> {
  const form = await findForm(db, slug)
  if (form && (at === undefined || form.createdAt <= at)) return slug
  return (await findRenamedForm(db, slug))?.slug ?? slug
}
