import { pageTexts } from '../../messages/visitor/pages.ts'
import { ancestorsOf, type TermNode } from '../../taxonomies/term-tree.ts'
import type { SiteContent } from '../content/site-content.ts'
import { serviceIndexBreadcrumbs } from '../pages/breadcrumbs.ts'
import { headDescription, headTitle } from '../pages/head-texts.ts'
import type { ServiceLink } from '../pages/layout-view.ts'
import { type Crumb, type Page, viewOf } from '../pages/page.ts'
import { areaKey, areaPartKey } from '../pages/page-key.ts'
import { type AreaPage, fitsOnPage } from './area-plan.ts'
import { type AreaGroup, servicesIn, toArea } from './areas.ts'
import { areaBranches, nameOfPart, type PlaceBranch } from './place-branches.ts'
import type { PlaceNode } from './place-nodes.ts'

export interface AreaView {
  heading: string
  placesHeading: string
  /** The services in the place itself. */
  services: ServiceLink[]
  /** The places below with their services, if there are few enough. */
  groups: AreaGroup[]
  /** The pages that list the places, if there are too many for one page. */
  branches: PlaceBranch[]
}

/**
 * `/services/in/<place>` and `/services/from/<place>`, used when the list of places is too long for `/services`.
 * Each place with pages is on one of them. They contain only links, so they ask search engines not to list them.
 */
export function* areaPages(content: SiteContent): Generator<Page<AreaView>> {
  for (const area of content.areas.pages) yield areaPage(content, area)
}

function areaPage(content: SiteContent, area: AreaPage): Page<AreaView> {
  const { settings } = content
  const { name, title, key, line, services, nodes } = describe(content, area)
  return {
    path: area.path,
    key,
    partial: 'area_list',
    view: viewOf(content.layout, area.path, {
      title: headTitle(title, settings.name),
      description: headDescription(pageTexts.areaDescription(title, settings.name)),
      isHidden: true,
      breadcrumbs: trailOf(content, line, { name, path: area.path }),
      detail: {
        heading: area.kind === 'part' ? title : pageTexts.servicesIn(name),
        placesHeading: area.kind === 'part' ? pageTexts.places : pageTexts.placesIn(name),
        services,
        ...listPlaces(content, nodes),
      },
    }),
  }
}

interface Described {
  name: string
  title: string
  key: string
  /** The places above it. */
  line: TermNode[]
  services: ServiceLink[]
  nodes: PlaceNode[]
}

function describe(content: SiteContent, area: AreaPage): Described {
  if (area.kind === 'part') {
    const [first] = area.nodes
    const name = nameOfPart(area.nodes)
    const line = first ? ancestorsOf(first.term) : []
    const rest = { name, line, services: [], nodes: area.nodes }
    return { ...rest, title: pageTexts.servicesFrom(name), key: areaPartKey(first?.term ?? { id: 0 }) }
  }
  const { term, below } = area.node
  const line = ancestorsOf(term)
  const names = [term, ...line.toReversed()].map(({ name }) => name)
  const rest = { name: term.name, key: areaKey(term), line, services: servicesIn(content, term) }
  return { ...rest, title: pageTexts.servicesIn(names.join(', ')), nodes: below }
}

// Home › Services › ancestors with such a page › the place.
function trailOf({ areas }: SiteContent, line: readonly TermNode[], own: Crumb): Crumb[] {
  const above = line.map(({ id, name }) => ({ name, path: areas.paths.get(id) ?? null }))
  return serviceIndexBreadcrumbs([...above, own])
}

function listPlaces(content: SiteContent, nodes: readonly PlaceNode[]) {
  return fitsOnPage(nodes)
    ? { groups: groupsOf(content, nodes, null), branches: [] }
    : { groups: [], branches: areaBranches(nodes) }
}

function groupsOf(content: SiteContent, nodes: readonly PlaceNode[], name: string | null): AreaGroup[] {
  const areas = nodes.filter(({ services }) => services > 0).map(({ term }) => toArea(content, term))
  const below = nodes.flatMap(({ term, below }) => groupsOf(content, below, term.name))
  return areas.length > 0 ? [{ name, areas }, ...below] : below
}
