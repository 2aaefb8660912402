import type { Db } from '../../db/schema.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { listPublishedContents, type OfferContent } from '../../entries/offers/location-service-store.ts'
import { showsServiceText } from '../../entries/offers/service-text.ts'
import { isEmpty } from '../../entries/types/field-values.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'

/**
 * Counts the published local pages that show a picture of their service because they have none in its place, by the ID
 * of the service. Other entries have no local pages.
 */
export async function countInheriting(
  db: Db,
  entries: ReadonlyMap<number, Entry>,
  name: string,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (const local of await listPublishedContents(db, [...entries.keys()])) {
    const service = entries.get(local.serviceId)
    if (service?.status === 'published' && inherits(local, service, name))
      counts.set(service.id, (counts.get(service.id) ?? 0) + 1)
  }
  return counts
}

function inherits({ body, data }: OfferContent, service: Entry, name: string): boolean {
  if (showsServiceText(body) && namesInText(service.body).has(name)) return true
  const fields = Object.keys(service.data).filter((key) => isEmpty(data[key]))
  return fields.some((key) => namesInValues(service.data[key], key).has(name))
}
