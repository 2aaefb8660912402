import type { Db } from '../../db/schema.ts'
import { withTodaysNames } from '../../entries/offers/todays-names.ts'
import { services } from '../../entries/types/builtin/services.ts'
import { SERVICES, TESTIMONIALS } from '../../entries/types/builtin/slugs.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import type { Mistake } from '../parsing/mistake.ts'

/** Tells mistakes about former slugs of forms, places, and services from those about unknown ones. */
export async function nameRenamed(db: Db, mistakes: readonly Mistake[]): Promise<Mistake[]> {
  const named: Mistake[] = []
  for (const mistake of mistakes) {
    const renamed = await findRenamed(db, mistake)
    named.push(renamed ? { ...mistake, fault: { code: 'name_former', params: renamed } } : mistake)
  }
  return named
}

async function findRenamed(db: Db, { fault }: Mistake) {
  if (fault.code !== 'term_unknown' && fault.code !== 'file_unknown') return undefined
  const { slug } = fault.params
  const kind = fault.code === 'file_unknown' ? fault.params.kind : fault.params.taxonomy
  const entry = entryNaming(kind, slug)
  const [now] = entry ? Object.values(await withTodaysNames(db, entry)).flat() : []
  return typeof now === 'string' && now !== slug ? { slug, now } : undefined
}

// An entry that names nothing else.
function entryNaming(kind: string, slug: string): Parameters<typeof withTodaysNames>[1] | undefined {
  if (kind === LOCATIONS) return { type: SERVICES, data: { offered_in: [slug] } }
  if (kind === services.noun) return { type: TESTIMONIALS, data: { service: slug } }
  return kind === 'form' ? { type: SERVICES, data: { form: slug } } : undefined
}
