import type { TermNode } from '../../taxonomies/term-tree.ts'
import type { SiteSettings } from '../settings/site-settings.ts'

/** A published entry. `data` has the values of its type's fields by key; empty fields are null or missing. */
export interface OwnEntry<Data = Record<string, unknown>> {
  slug: string
  title: string
  /** The path of its page; null when its type has no pages. */
  path: string | null
  data: Readonly<Data>
  /** Its text. */
  html: string
  /** UTC, ISO 8601. */
  publishedAt: string
  /** UTC, ISO 8601. */
  updatedAt: string
}

/** A place with the places in it. */
export interface OwnPlace {
  slug: string
  name: string
  /** Slugs from the root, joined by `/`. */
  within: string
  kind: TermNode['kind']
  description: string | null
  /** Of the services there. */
  pages: readonly OwnPlacePage[]
  children: readonly OwnPlace[]
}

/** The page of a service in a place. */
export interface OwnPlacePage {
  /** The slug of the service. */
  service: string
  title: string
  path: string
}

/** The settings of `site.yaml`, and the address of the site without a `/` at the end. */
export type OwnSite = Readonly<SiteSettings> & { url: string }
