import type { EntryStatus } from '../entries/entry-store.ts'
import type { ContentTypeDefinition } from '../entries/types/content-type-definition.ts'
import type { FormDefinition } from '../forms/form-definition.ts'
import type { Crop, FocalPoint, PictureBytes } from '../pictures/picture.ts'
import type { SiteSettings } from '../site/settings/site-settings.ts'
import type { TaxonomyDefinition } from '../taxonomies/taxonomy-definition.ts'
import type { WebhookDefinition } from '../webhooks/definition/webhook-definition.ts'

/** The content of one file with defaults filled in; database rows give the same. */
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
  /** With `${NAME}` still in place. */
  webhooks: WebhookDefinition[]
}

export interface EntryDocument {
  kind: 'entry'
  type: string
  slug: string
  /** Empty on a location service that inherits it. */
  title: string
  status: EntryStatus
  /** UTC text; left out when there is none. */
  publish_at?: string | undefined
  unpublish_at?: string | undefined
  /** Left out when it is empty. */
  redirect_from?: string[] | undefined
  /** Term slugs by taxonomy slug, in alphabetical order; taxonomies without terms are left out. */
  terms: Record<string, string[]>
  /** By key, in the order of the type's fields; empty values are left out. Other entries are named by slug. */
  fields: Record<string, unknown>
  body: string
}

export interface PictureDocument {
  kind: 'picture'
  name: string
  /** The file's content, which no text can show. */
  bytes: PictureBytes
  /** Empty for a decorative one; null when nobody said it yet. */
  alt: string | null
  /** Left out where the middle is meant, and all of it shown. */
  focal_point?: FocalPoint | undefined
  crop?: Crop | undefined
  /** Left out when there are none. */
  tags?: string[] | undefined
}

/** The file of a document inside the content folder. */
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
