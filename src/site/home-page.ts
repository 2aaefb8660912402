import { areaLink } from './areas.ts'
import { type FormView, findFormView } from './form-view.ts'
import { headDescription, headTitle } from './head-texts.ts'
import type { Page } from './page.ts'
import { fixedKey } from './page-key.ts'
import type { PageLink } from './page-link.ts'
import { type ServiceCard, toServiceCard } from './service-card.ts'
import { pictureOfSite } from './share-picture.ts'
import type { SiteContent, TestimonialView } from './site-content.ts'
import type { SiteSettings } from './site-settings.ts'
import { testimonialsFor } from './testimonials.ts'

const HOME_TESTIMONIALS = 6

export interface HomeView {
  home: SiteSettings['home']
  services: ServiceCard[]
  testimonials: TestimonialView[]
  /** The places of `/services` by branch. */
  areas: { name: string | null; places: PageLink[] }[]
  form: FormView | null
}

export function homePage(content: SiteContent): Page<HomeView> {
  const { settings } = content
  return {
    path: '/',
    key: fixedKey('/'),
    partial: 'home',
    picture: pictureOfSite(settings),
    view: {
      layout: content.layout,
      head: {
        title: titleOf(settings),
        description: headDescription(settings.home.intro ?? settings.tagline ?? settings.name),
        canonicalUrl: `${content.siteUrl}/`,
        isHidden: false,
      },
      breadcrumbs: [],
      detail: {
        home: settings.home,
        services: [...content.services.values()].map((service) => toServiceCard(content, service)),
        testimonials: testimonialsFor(content, { count: HOME_TESTIMONIALS }),
        areas: content.areas.map(({ name, areas }) => ({ name, places: areas.map(areaLink) })),
        form: findFormView(content, null, '/'),
      },
    },
  }
}

function titleOf({ name, tagline, home }: SiteSettings): string {
  if (home.title) return headTitle(home.title, name)
  return tagline ? `${name}: ${tagline}` : name
}
