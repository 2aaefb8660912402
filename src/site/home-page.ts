import { type FormView, findFormView } from './form-view.ts'
import { headDescription, headTitle } from './head-texts.ts'
import type { Page } from './page.ts'
import { fixedKey } from './page-key.ts'
import type { PageLink } from './page-link.ts'
import { type ServiceCard, toServiceCard } from './service-card.ts'
import { pictureOfSite } from './share-picture.ts'
import { placePath, type SiteContent, type TestimonialView } from './site-content.ts'
import type { SiteSettings } from './site-settings.ts'
import { testimonialsFor } from './testimonials.ts'

const HOME_TESTIMONIALS = 6

export interface HomeView {
  home: SiteSettings['home']
  services: ServiceCard[]
  testimonials: TestimonialView[]
  /** The first level of the location tree that has pages, with the places below it. */
  areas: { name: string; places: PageLink[] }[]
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
        areas: listAreas(content),
        form: findFormView(content, null, '/'),
      },
    },
  }
}

function titleOf({ name, tagline, home }: SiteSettings): string {
  if (home.title) return headTitle(home.title, name)
  return tagline ? `${name}: ${tagline}` : name
}

// A branch of the tree is named by its parent term; its links lead to the first service that has a page there.
function listAreas(content: SiteContent): HomeView['areas'] {
  const branches = new Map<string, PageLink[]>()
  for (const place of content.locations.byId.values()) {
    const path = firstServicePath(content, place)
    if (!path || !place.parent || place.children.length === 0) continue
    const links = branches.get(place.parent.name) ?? []
    branches.set(place.parent.name, [...links, { name: place.name, path }])
  }
  return [...branches].map(([name, places]) => ({ name, places }))
}

function firstServicePath(content: SiteContent, place: Parameters<typeof placePath>[2]) {
  for (const service of content.services.values()) {
    const path = placePath(content, service, place)
    if (path) return path
  }
  return undefined
}
