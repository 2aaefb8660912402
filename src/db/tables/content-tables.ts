import type { ColumnType, Generated } from 'kysely'

type Bool = 0 | 1

export interface ContentTables {
  content_types: {
    id: Generated<number>
    slug: string
    name: string
    description: string | null
    is_routable: Generated<Bool>
    /** `/services/{slug}`; null when the type has no pages. */
    route_pattern: string | null
    detail_partial: string | null
    schema_json: string
    is_builtin: Generated<Bool>
    sort_order: Generated<number>
    created_at: Generated<string>
  }
  /** Users who have the editor of an entry open. */
  entry_editors: {
    entry_id: number
    user_id: number
    since: string
    /** When the browser last said so. */
    seen_at: string
  }
  /** The last IDs of generated local pages that were removed, for when their service is offered there again. */
  removed_local_pages: {
    service_entry_id: number
    location_term_id: number
    entry_id: number
  }
  content_entries: {
    id: Generated<number>
    type_id: number
    slug: string
    title: string
    status: Generated<'draft' | 'published'>
    body: Generated<string>
    data_json: Generated<string>
    /** 1 when the entry exists because a service is offered in a place, with nothing of its own. */
    is_generated: Generated<Bool>
    created_at: Generated<string>
    updated_at: Generated<string>
    /** A location service's field, which the database reads from `data_json`. */
    service_entry_id: ColumnType<number | null, never, never>
    location_term_id: ColumnType<number | null, never, never>
    /** A published entry is shown from then on, and until then. */
    publish_at: string | null
    unpublish_at: string | null
    /** Addresses that redirect to its page, besides its former ones on this site. */
    redirect_from_json: string | null
  }
}
