import type { APIRoute } from 'astro'
import type { PlaceOption } from '#src/admin/entries/places/place-option.ts'
import { appOf } from '#src/admin/kit/page-context.ts'
import { loadPlaces } from '#src/entries/offers/load-places.ts'

/** Returns all places as `[id, slug, name, parent id]`, in tree order, for a service's place picker. */
export const GET: APIRoute = async (context) => {
  const { byId } = await loadPlaces(appOf(context).db)
  const places = [...byId.values()].sort((a, b) => a.position - b.position || a.id - b.id)
  return Response.json(places.map(({ id, slug, name, parentId }): PlaceOption => [id, slug, name, parentId]))
}
