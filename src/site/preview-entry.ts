import type { Db } from '../db/schema.ts'
import type { EntryInput } from '../entries/editing/entry-input.ts'
import { resolveReferences } from '../entries/editing/resolve-references.ts'
import { findEntryById } from '../entries/entry-lookup-store.ts'
import type { Entry } from '../entries/entry-store.ts'
import { rulesOf } from '../entries/types/builtin/registry.ts'
import { SERVICES } from '../entries/types/builtin/slugs.ts'
import type { ContentType } from '../entries/types/content-type-store.ts'
import { toServiceContent } from './content/service-content.ts'
import { loadSiteContent, type SiteContent } from './content/site-content.ts'
import type { Page } from './pages/page.ts'
import { pageOfEntry } from './pages/pages-of-types.ts'

/** An entry being edited, and the page it will have. */
interface Draft {
  type: ContentType
  input: EntryInput
  /** 0 for an entry that was never saved. */
  id: number
}

/**
 * Returns an entry's page with the typed values, published or not. Undefined if it has none: its type has no pages,
 * or its title, slug, service, or place is missing or invalid.
 */
export async function previewEntry(
  db: Db,
  { type, input, id }: Draft,
  { siteUrl, now }: { siteUrl: string; now: Date },
): Promise<Page | undefined> {
  const isPair = rulesOf(type.slug).inherits !== undefined
  // A page without a name has no heading or structured data. The page of a place uses its service's name.
  if (!type.isRoutable || (!isPair && input.title.trim() === '')) return undefined
  const { data } = await resolveReferences(db, type, input.fields)
  const entry: Entry = {
    id,
    typeId: type.id,
    slug: input.slug,
    title: input.title,
    body: input.body,
    data,
    status: 'published',
    isGenerated: false,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    publishAt: null,
    unpublishAt: null,
    redirectFrom: [],
  }
  const serviceId = isPair ? idOf(data.service_entry_id) : id
  const locationId = idOf(data.location_term_id)
  const content = await loadSiteContent(db, {
    siteUrl,
    now,
    near: { serviceIds: [serviceId], locationIds: [locationId] },
  })
  if (type.id === content.types.get(SERVICES)?.id) show(content, entry)
  if (isPair) await showPair(db, content, { serviceId, locationId })
  return pageOfEntry(content, type, entry)
}

// PostgreSQL fails on an ID of 1.5; no row has the ID 0.
function idOf(value: unknown): number {
  return Number.isSafeInteger(Number(value)) ? Number(value) : 0
}

function show(content: SiteContent, service: Entry): void {
  content.services.set(service.id, service)
  content.serviceContents.set(service.id, toServiceContent(service, content.pictures))
}

// The service may be a draft and the page new.
async function showPair(
  db: Db,
  content: SiteContent,
  { serviceId, locationId }: { serviceId: number; locationId: number },
): Promise<void> {
  const service = content.services.get(serviceId) ?? (await findEntryById(db, serviceId))
  if (!service) return
  if (!content.services.has(serviceId)) show(content, service)
  content.places.set(serviceId, (content.places.get(serviceId) ?? new Set()).add(locationId))
}
