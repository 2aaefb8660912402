import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { nameOfEntry } from '../../entries/entry-name.ts'

/** A Markdown text that can contain pictures. */
export interface PicturedText {
  title: string
  markdown: string
  /** Address of its editor. */
  adminPath: string
}

const placeData = z.object({ phone: z.string().nullish() })
const formSettings = z.object({ success_body: z.string().nullish() })

interface TextRow {
  kind: string
  id: number
  slug: string
  title: string
  text: string
  service: string | null
  place: string | null
}

/** Returns the texts that may contain pictures: those of published entries, and those shown after active forms. */
export async function listPicturedTexts(db: Db): Promise<PicturedText[]> {
  const { rows } = await sql<TextRow>`
    select type.slug as kind, entry.id, entry.slug, entry.title, entry.body as text,
      service.title as service, place.name as place
    from content_entries entry join content_types type on type.id = entry.type_id
      left join content_entries service on service.id = entry.service_entry_id
      left join taxonomy_terms place on place.id = entry.location_term_id
    where entry.status = 'published' and (entry.body like '%![%' or lower(entry.body) like '%<img%')
    union all
    select '', id, slug, name, settings_json, null, null from forms
    where status = 'active' and (settings_json like '%![%' or lower(settings_json) like '%<img%')
    order by 1, 2`.execute(db)
  return rows.map(({ kind, id, slug, title, text, service, place }) =>
    kind === ''
      ? { title, markdown: successBody(text), adminPath: `/admin/forms/${slug}/settings` }
      : {
          title: nameOfEntry({ title, slug, service, place }),
          ...{ markdown: text, adminPath: `/admin/entries/${kind}/${id}` },
        },
  )
}

function successBody(settings: string): string {
  return formSettings.parse(JSON.parse(settings)).success_body ?? ''
}

/** Returns the phone numbers of published location services that have their own. */
export async function listPlacePhones(db: Db): Promise<{ phone: string; adminPath: string }[]> {
  const { rows } = await sql<{ id: number; data: string }>`
    select entry.id, entry.data_json as data
    from content_entries entry join content_types type on type.id = entry.type_id
    where type.slug = 'location_services' and entry.status = 'published' and entry.data_json like '%"phone":"%'
    order by entry.slug`.execute(db)
  return rows.flatMap(({ id, data }) => {
    const { phone } = placeData.parse(JSON.parse(data))
    return phone?.trim() ? [{ phone, adminPath: `/admin/entries/location_services/${id}` }] : []
  })
}

/** A name that share pictures show. */
export interface DrawnName {
  name: string
  /** Address of its editor. */
  adminPath: string
}

/** Returns the titles of services and names of places, as shown on share pictures. */
export async function listDrawnNames(db: Db): Promise<DrawnName[]> {
  const { rows } = await sql<DrawnName>`
    select entry.title as name, '/admin/entries/services/' || entry.id as "adminPath"
    from content_entries entry join content_types type on type.id = entry.type_id
    where type.slug = 'services' and entry.status = 'published'
    union all
    select term.name, '/admin/taxonomies/locations/terms/' || term.id
    from taxonomy_terms term join taxonomies taxonomy on taxonomy.id = term.taxonomy_id
    where taxonomy.slug = 'locations'`.execute(db)
  return rows
}
