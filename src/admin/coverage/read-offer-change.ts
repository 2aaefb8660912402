import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import type { OfferChange } from '../../entries/offers/change-offers.ts'
import { loadPlaces } from '../../entries/offers/load-places.ts'
import { readFormData } from '../kit/admin-form.ts'

const ASKED = z.object({
  change: z.enum(['add', 'remove']),
  reach: z.enum(['place', 'below', 'branch']),
  serviceIds: z.array(z.coerce.number().int()).max(1_000),
})

/**
 * Reads the requested change of offers from the URL; the post says whether customized pages are removed too.
 * Undefined if there is none.
 */
export async function readOfferChange({
  request,
  url,
  locals,
}: Pick<AstroGlobal, 'request' | 'url' | 'locals'>): Promise<OfferChange | undefined> {
  const { searchParams: search } = url
  const asked = ASKED.safeParse({
    change: search.get('change'),
    reach: search.get('reach'),
    serviceIds: search.getAll('service'),
  })
  const place = (await loadPlaces(locals.app.db)).bySlug.get(search.get('place') ?? '')
  if (!asked.success || !place) return undefined
  const posted = request.method === 'POST' ? await readFormData(request) : undefined
  return { ...asked.data, placeId: place.id, removesWritten: posted?.get('removes_written') === '1' }
}
