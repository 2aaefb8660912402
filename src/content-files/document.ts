import type { EntryStatus } from '../entries/entry-store.ts'
import type { ContentTypeDefinition } from '../entries/types/content-type-definition.ts'
import type { FormDefinition } from '../forms/form-definition.ts'
import type { Crop, FocalPoint, PictureBytes } from '../pictures/picture.ts'
import type { SiteSettings } from '../site/settings/site-settings.ts'
import type { TaxonomyDefinition } from '../taxonomies/taxonomy-definition.ts'
import type { WebhookDefinition } from '../webhooks/definition/webhook-definition.ts'

/** The content of one file with defaults filled in. Rows convert to the same form. */
export type ContentDocument =
  | SiteDocument
  | ContentTypeDocument
  | TaxonomyDocument
  | FormDocument
  | EntryDocument
  | PictureDocument

export interface SiteDocument {
  kind: 'site'
  settings: SiteSettings
}

export interface ContentTypeDocument {
  kind: 'content_type'
  slug: string
  definition: ContentTypeDefinition
}

export interface TaxonomyDocument {
  kind: 'taxonomy'
  slug: string
  definition: TaxonomyDefinition
}

export interface FormDocument {
  kind: 'form'
  slug: string
  definition: FormDefinition
  /** With `${NAME}` unreplaced. */
  webhooks: WebhookDefinition[]
}

export interface EntryDocument {
  kind: 'entry'
  type: string
  slug: string
  /** Empty on a location service that inherits it. */
  title: string
  status: EntryStatus
  /** UTC text; missing if there is none. */
  publish_at?: string | undefined
  unpublish_at?: string | undefined
  /** Missing if empty. */
  redirect_from?: string[] | undefined
  /** Term slugs by taxonomy slug, in alphabetical order, without empty taxonomies. */
  terms: Record<string, string[]>
  /** By key, in the order of the type's fields, without empty values. References are slugs. */
  fields: Record<string, unknown>
  body: string
}

export interface PictureDocument {
  kind: 'picture'
  name: string
  /** A hash of the file's bytes, which have no text form. */
  bytes: PictureBytes
  /** Empty for a decorative picture; null if unset. */
  alt: string | null
  /** Missing for the center, and if the whole picture is shown. */
  focal_point?: FocalPoint | undefined
  crop?: Crop | undefined
  /** Missing if there are none. */
  tags?: string[] | undefined
}

/** Returns a document's path inside the content folder. */
export function pathOfDocument(document: ContentDocument): string {
  switch (document.kind) {
    case 'site':
      return 'site.yaml'
    case 'content_type':
      return `content_types/${document.slug}.yaml`
    case 'taxonomy':
      return `taxonomies/${document.slug}.yaml`
    case 'form':
      return `forms/${document.slug}.yaml`
    case 'entry':
      return `${document.type}/${document.slug}.md`
    case 'picture':
      return `pictures/${document.name}`
  }
}
