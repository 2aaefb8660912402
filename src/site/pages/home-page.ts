import { type SectionOf, sectionsOf } from '../../entries/types/page-sections.ts'
import type { AreaPlan } from '../areas/area-plan.ts'
import { areaBranches, type PlaceBranch } from '../areas/place-branches.ts'
import { type ServiceCard, toServiceCard } from '../content/service-card.ts'
import type { SiteContent, TestimonialView } from '../content/site-content.ts'
import { HOME_TESTIMONIALS, testimonialsFor } from '../content/testimonials.ts'
import { type FormView, findFormView } from '../forms/form-view.ts'
import { headPictures, type PagePictures, pagePictures } from '../pictures/page-pictures.ts'
import { type OwnSectionValues, ownSectionValues } from '../sections/section-values.ts'
import type { SiteSettings } from '../settings/site-settings.ts'
import { headDescription, headTitle } from './head-texts.ts'
import { type Page, viewOf } from './page.ts'
import { fixedKey } from './page-key.ts'
import type { PageLink } from './page-link.ts'
import { pictureOfSite } from './share-picture.ts'

export interface HomeView {
  home: SiteSettings['home']
  pictures: PagePictures
  /** Sections in display order. */
  sections: SectionOf<'home'>[]
  ownSections: OwnSectionValues
  services: ServiceCard[]
  testimonials: TestimonialView[]
  /** The cities, grouped by parent place; empty if there are too many to list on `/services`. */
  areas: { name: string | null; places: PageLink[] }[]
  /** The pages that list the cities; empty if `/services` lists every city. */
  branches: PlaceBranch[]
  form: FormView | null
}

export function homePage(content: SiteContent): Page<HomeView> {
  const { settings } = content
  const pictures = pagePictures(content.pictures, settings.home)
  const sections = sectionsOf('home', undefined, settings.sections)
  return {
    path: '/',
    key: fixedKey('/'),
    partial: 'home',
    picture: pictureOfSite(settings),
    view: viewOf(content.layout, '/', {
      title: titleOf(settings),
      description: headDescription(settings.home.intro ?? settings.tagline ?? settings.name),
      ...headPictures(pictures, null),
      breadcrumbs: [],
      detail: {
        home: settings.home,
        pictures,
        sections,
        ownSections: ownSectionValues({
          ...{ kind: 'home', shown: sections, from: [settings.home], pictures: content.pictures },
        }),
        services: [...content.services.values()].map((service) => toServiceCard(content, service)),
        testimonials: testimonialsFor(content, { count: HOME_TESTIMONIALS }),
        ...listPlaces(content.areas),
        form: findFormView(content, null, '/'),
      },
    }),
  }
}

function listPlaces({ cities, roots, paths }: AreaPlan): Pick<HomeView, 'areas' | 'branches'> {
  if (!cities) return { areas: [], branches: areaBranches(roots) }
  const areas = cities.map(({ parent, terms }) => ({
    name: parent?.name ?? null,
    places: terms.map(({ id, name }) => ({ name, path: paths.get(id) ?? '/services' })),
  }))
  return { areas, branches: [] }
}

function titleOf({ name, tagline, home }: SiteSettings): string {
  if (home.title) return headTitle(home.title, name)
  return tagline ? `${name}: ${tagline}` : name
}
