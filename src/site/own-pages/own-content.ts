import type { TermNode } from '../../taxonomies/term-tree.ts'
import type { SiteSettings } from '../settings/site-settings.ts'

/** A published entry. `data` contains the fields of its type by key; empty ones are null or missing. */
export interface OwnEntry<Data = Record<string, unknown>> {
  slug: string
  title: string
  /** The path of its page; null if its type has no pages. */
  path: string | null
  data: Readonly<Data>
  /** Its text. */
  html: string
  /** UTC, ISO 8601. */
  publishedAt: string
  /** UTC, ISO 8601. */
  updatedAt: string
}

/** A place with the places below it. */
export interface OwnPlace {
  slug: string
  name: string
  /** Slugs from the root, joined by `/`. */
  within: string
  kind: TermNode['kind']
  description: string | null
  /** The pages of services in this place. */
  pages: readonly OwnPlacePage[]
  children: readonly OwnPlace[]
}

/** The page of a service in a place. */
export interface OwnPlacePage {
  /** The service's slug. */
  service: string
  title: string
  path: string
}

/** The settings of `site.yaml`, and the site's URL without a trailing slash. */
export type OwnSite = Readonly<SiteSettings> & { url: string }
