import { pageTexts } from '../../messages/visitor/pages.ts'
import { ancestorsOf, type TermNode, type TermTree } from '../../taxonomies/term-tree.ts'
import type { PlaceBranch } from '../areas/place-branches.ts'
import type { SiteContent } from '../content/site-content.ts'
import { judgeArchives } from '../quality/archive-quality.ts'
import type { Archive } from './archives.ts'
import { archiveBreadcrumbs } from './breadcrumbs.ts'
import { headDescription, headTitle } from './head-texts.ts'
import { type Page, type PageAddress, viewOf } from './page.ts'
import { placePath } from './page-addresses.ts'
import { taxonomyKey, termKey } from './page-key.ts'
import type { PageLink } from './page-link.ts'

export interface ArchiveView {
  heading: string
  description: string | null
  /** Pages of the term's entries; for a place, also of the services offered there. */
  links: PageLink[]
  /** The terms below it that have their own pages. */
  terms: PlaceBranch[]
}

/**
 * `/taxonomy/<slug>` and `/taxonomy/<slug>/<term>` of every taxonomy that opted in (§1.7, contract §4). Pages that
 * only link to others ask search engines not to list them.
 */
export function* archivePages(content: SiteContent): Generator<Page<ArchiveView>> {
  const parts = content.archives.flatMap((archive) => [
    taxonomyParts(archive),
    ...[...archive.tree.byId.values()].map((term) => termParts(content, archive, term)),
  ])
  const facts = parts.map(({ detail: { description, links, terms } }) => ({
    description,
    links: links.length + terms.length,
  }))
  const listed = judgeArchives(facts, content.settings.quality_threshold)
  for (const [index, part] of parts.entries()) yield archivePage(content, part, listed[index] === true)
}

type ArchiveParts = PageAddress & { trail: PageLink[]; detail: ArchiveView }

function archivePath({ taxonomy }: Archive, term?: Pick<TermNode, 'slug'>): string {
  return `/taxonomy/${taxonomy.slug}${term ? `/${term.slug}` : ''}`
}

function taxonomyParts(archive: Archive): ArchiveParts {
  const { taxonomy, tree } = archive
  return {
    path: archivePath(archive),
    key: taxonomyKey(taxonomy),
    trail: [{ name: taxonomy.name, path: archivePath(archive) }],
    detail: {
      heading: taxonomy.name,
      description: taxonomy.description,
      links: [],
      terms: tree.roots.map((term) => toBranch(archive, term, depthOfTaxonomy(tree))),
    },
  }
}

const DEPTH_OF_TERM = 1
// At most two levels, if they fit in one list.
const SHOWN_TERMS = 150

function depthOfTaxonomy({ roots }: TermTree): number {
  return roots.reduce((sum, { children }) => sum + 1 + children.length, 0) <= SHOWN_TERMS ? 2 : 1
}

function termParts(content: SiteContent, archive: Archive, term: TermNode): ArchiveParts {
  const line = [...ancestorsOf(term), term].map((one) => ({
    name: one.name,
    path: archivePath(archive, one),
  }))
  return {
    path: archivePath(archive, term),
    key: termKey(term),
    impliedPaths: term.formerSlugs.map((slug) => archivePath(archive, { slug })),
    trail: [{ name: archive.taxonomy.name, path: archivePath(archive) }, ...line],
    detail: {
      heading: term.name,
      description: term.description,
      links: eachOnce([...servicesIn(content, archive, term), ...(archive.links.get(term.id) ?? [])]),
      terms: term.children.map((child) => toBranch(archive, child, DEPTH_OF_TERM)),
    },
  }
}

function archivePage(
  content: SiteContent,
  { trail, detail, ...page }: ArchiveParts,
  isListed: boolean,
): Page<ArchiveView> {
  const { settings } = content
  // The names from the term up, because terms of different taxonomies may share a name.
  const title = trail
    .map(({ name }) => name)
    .reverse()
    .join(', ')
  return {
    ...page,
    partial: 'term_archive',
    view: viewOf(content.layout, page.path, {
      title: headTitle(title, settings.name),
      description: headDescription(pageTexts.archiveDescription(title, settings.name), detail.description),
      isHidden: !isListed,
      breadcrumbs: archiveBreadcrumbs(trail),
      detail,
    }),
  }
}

function toBranch(archive: Archive, term: TermNode, depth: number): PlaceBranch {
  const places = depth > 1 ? term.children.map((child) => toBranch(archive, child, depth - 1)) : []
  const count = places.reduce((sum, below) => sum + 1 + below.count, 0)
  return { name: term.name, path: archivePath(archive, term), count, places }
}

// A service in a place may also be classified under its place.
function eachOnce(links: readonly PageLink[]): PageLink[] {
  const paths = new Set<string | null>()
  return links.filter(({ path }) => !paths.has(path) && paths.add(path))
}

function servicesIn(content: SiteContent, { taxonomy }: Archive, term: TermNode): PageLink[] {
  const place = taxonomy.slug === 'locations' ? content.locations.byId.get(term.id) : undefined
  if (!place) return []
  return [...content.services.values()].flatMap((service) => {
    const path = placePath(content, service, place)
    return path ? [{ name: `${service.title} in ${place.name}`, path }] : []
  })
}
