import type { Entry } from '../../entries/entry-store.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import { type SectionOf, sectionsOf } from '../../entries/types/page-sections.ts'
import { pageTexts } from '../../messages/visitor/pages.ts'
import { siteTexts } from '../../messages/visitor/site.ts'
import { type AreaGroup, toArea } from '../areas/areas.ts'
import { areaBranches, type PlaceBranch, serviceBranches } from '../areas/place-branches.ts'
import { serviceEverywhere } from '../content/offered-service.ts'
import { type ServiceCard, toServiceCard } from '../content/service-card.ts'
import type { ServiceContent } from '../content/service-content.ts'
import { type SiteContent, serviceContentOf, type TestimonialView } from '../content/site-content.ts'
import { SHOWN_TESTIMONIALS, testimonialsFor } from '../content/testimonials.ts'
import { type FormView, findFormView } from '../forms/form-view.ts'
import { headPictures } from '../pictures/page-pictures.ts'
import { type OwnSectionValues, ownSectionValues } from '../sections/section-values.ts'
import { serviceBreadcrumbs, serviceIndexBreadcrumbs } from './breadcrumbs.ts'
import { headDescription, headTitle } from './head-texts.ts'
import { type Page, viewOf } from './page.ts'
import { servicePath } from './page-addresses.ts'
import { entryKey, fixedKey } from './page-key.ts'
import { toPictureView } from './share-picture.ts'
import { textOf } from './text-of.ts'

export interface ServiceView {
  /** Sections in display order. */
  sections: SectionOf<'service'>[]
  ownSections: OwnSectionValues
  service: ServiceContent
  places: PlaceBranch[]
  testimonials: TestimonialView[]
  form: FormView | null
}

export interface ServiceIndexView {
  groups: { name: string | null; services: ServiceCard[] }[]
  /** The places with their services, if they fit on one page. */
  areas: AreaGroup[]
  /** The pages that list the places, if there are too many for one page. */
  branches: PlaceBranch[]
}

export function servicePage(content: SiteContent, service: Entry): Page<ServiceView> | undefined {
  const path = servicePath(content, service)
  if (!path) return undefined
  const picture = content.servicePictures.get(service.id)
  const shown = serviceContentOf(content, service)
  const { settings, pictures } = content
  const sections = sectionsOf('service', service.data.sections, settings.sections)
  return {
    path,
    key: entryKey(service),
    picture,
    formerPaths: service.redirectFrom,
    partial: content.types.get(SERVICES)?.detailPartial ?? 'service_detail',
    view: viewOf(content.layout, path, {
      title: headTitle(service.title, content.settings.name),
      description: headDescription(
        textOf(service.data.summary) ?? pageTexts.serviceDescription(service.title, content.settings.name),
      ),
      picture: toPictureView(picture),
      ...headPictures(shown, shown.picture),
      breadcrumbs: serviceBreadcrumbs(content, service),
      service: serviceEverywhere(content, service),
      detail: {
        sections,
        ownSections: ownSectionValues({
          ...{ kind: 'service', shown: sections, from: [service.data, settings.home], pictures },
        }),
        service: shown,
        places: serviceBranches(content, service),
        testimonials: testimonialsFor(content, { service: service.slug, count: SHOWN_TESTIMONIALS }),
        form: findFormView(content, service.data.form, path),
      },
    }),
  }
}

export function serviceIndexPage(content: SiteContent): Page<ServiceIndexView> {
  const path = '/services'
  return {
    path,
    key: fixedKey(path),
    partial: 'service_index',
    view: viewOf(content.layout, path, {
      title: headTitle(siteTexts.services, content.settings.name),
      description: describeIndex(content),
      breadcrumbs: serviceIndexBreadcrumbs(),
      detail: { groups: groupByIndustry(content), ...listPlaces(content) },
    }),
  }
}

function listPlaces(content: SiteContent): Pick<ServiceIndexView, 'areas' | 'branches'> {
  const { cities, roots } = content.areas
  if (!cities) return { areas: [], branches: areaBranches(roots) }
  const areas = cities.map(({ parent, terms }) => ({
    name: parent?.name ?? null,
    areas: terms.map((term) => toArea(content, term)),
  }))
  return { areas, branches: [] }
}

function describeIndex({ settings, services }: SiteContent): string {
  const titles = [...services.values()].map(({ title }) => title).join(', ')
  return headDescription(pageTexts.servicesDescription(settings.name, titles))
}

function groupByIndustry(content: SiteContent): ServiceIndexView['groups'] {
  const groups = new Map<string | null, ServiceCard[]>()
  for (const service of content.services.values()) {
    const industry = industryOf(content, service)
    groups.set(industry, [...(groups.get(industry) ?? []), toServiceCard(content, service)])
  }
  return [...groups].map(([name, services]) => ({ name, services }))
}

function industryOf(content: SiteContent, service: Entry): string | null {
  const [termId] = content.categoriesByService.get(service.id) ?? []
  let term = termId === undefined ? undefined : content.serviceCategories.byId.get(termId)
  while (term?.parent) term = term.parent
  return term?.name ?? null
}
