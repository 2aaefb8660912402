import { nameOf } from '../../../support/small-site.ts'
import { idOfType, storeContentType, storePages, storeServices } from '../../../support/stored/content.ts'
import { added, changed, removed, type Scene, type Write } from './write.ts'

const pagesOf = ({ app, name }: Scene) => storePages(app, name)
const servicesOf = ({ app, name }: Scene) => storeServices(app, name)
const typeOf = ({ app, name }: Scene) => storeContentType(app, name)

const TYPE = { name: 'Cases', is_routable: 'on', sort_order: '50' }
const YEAR = { 'fields.0.key': 'year', 'fields.0.label': 'Year', 'fields.0.type': 'text' }

export const CONTENT_WRITES: Write[] = [
  {
    route: '/admin/entries/[type]/new',
    does: 'adds a page with terms',
    async arrange(scene) {
      const { termIds } = await pagesOf(scene)
      const fields = {
        title: 'New',
        slug: `${scene.name}-new`,
        status: 'published',
        terms: termIds.map(String),
      }
      return {
        ...{ path: '/admin/entries/pages/new', fields },
        logs: { action: 'entry.added', subject: 'entry new', summary: 'Added "New" in Pages' },
        changes: [...added('content_entries'), ...added('entry_taxonomy_terms', 2)],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]',
    does: 'changes a page and takes a term off it',
    async arrange(scene) {
      const { pageIds, termIds, slugs } = await pagesOf(scene)
      const [id] = pageIds
      const fields = {
        title: 'Changed',
        slug: slugs[0] as string,
        status: 'published',
        terms: [String(termIds[0])],
      }
      return {
        ...{ path: `/admin/entries/pages/${id}`, fields },
        logs: { action: 'entry.changed', subject: `entry ${id}`, summary: 'Changed "Changed" in Pages' },
        changes: [
          ...changed('content_entries', id),
          ...removed('entry_taxonomy_terms', `${id} ${termIds[1]}`),
        ],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]',
    does: 'gives a service another slug, which its pages and its testimonial follow',
    async arrange(scene) {
      const { services, city, town } = await servicesOf(scene)
      const [{ id, slug, inCity, inTown, testimonialId }] = services
      const fields = { title: slug, slug: `${scene.name}-pipes`, status: 'published' }
      return {
        ...{
          path: `/admin/entries/services/${id}`,
          fields: { ...fields, offered_in: `${city.slug}\n${town.slug}` },
        },
        logs: { action: 'entry.changed', subject: `entry ${id}`, summary: `Changed "${slug}" in Services` },
        changes: [...changed('content_entries', id, inCity, inTown, testimonialId), ...added('former_names')],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/removal',
    does: 'deletes a page',
    async arrange(scene) {
      const { pageIds, termIds, slugs } = await pagesOf(scene)
      const [id] = pageIds
      return {
        path: `/admin/entries/pages/${id}/removal`,
        logs: {
          ...{ action: 'entry.deleted', subject: `entry ${id}` },
          summary: `Deleted "Title of ${slugs[0]}" from pages`,
        },
        changes: [
          ...removed('content_entries', id),
          ...removed('entry_taxonomy_terms', ...termIds.map((term) => `${id} ${term}`)),
        ],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/removal',
    does: 'deletes a service with its pages in places',
    async arrange(scene) {
      const { services } = await servicesOf(scene)
      const [{ id, slug, inCity, inTown, testimonialId }] = services
      return {
        path: `/admin/entries/services/${id}/removal`,
        logs: { action: 'entry.deleted', subject: `entry ${id}`, summary: `Deleted "${slug}" from services` },
        changes: [
          ...removed('content_entries', id, inCity, inTown),
          ...changed('content_entries', testimonialId),
        ],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/removal',
    does: 'deletes a testimonial, which its page names no more',
    async arrange(scene) {
      const { services } = await servicesOf(scene)
      const [{ testimonialId: id, inTown }] = services
      return {
        path: `/admin/entries/testimonials/${id}/removal`,
        logs: { action: 'entry.deleted', subject: `entry ${id}`, summary: 'Deleted "Ada" from testimonials' },
        changes: [...removed('content_entries', id), ...changed('content_entries', inTown)],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/removal',
    does: 'deletes the page of a service in a place, where it is offered no more',
    async arrange(scene) {
      const { services } = await servicesOf(scene)
      const [{ id, slug, inTown }] = services
      return {
        path: `/admin/entries/location_services/${inTown}/removal`,
        logs: {
          ...{ action: 'entry.deleted', subject: `entry ${inTown}` },
          summary: `Deleted "${slug} in town" from location_services`,
        },
        changes: [...removed('content_entries', inTown), ...changed('content_entries', id)],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/reset',
    does: 'takes away what a page has of its own',
    async arrange(scene) {
      const { services, town } = await servicesOf(scene)
      const [{ slug, inTown }] = services
      return {
        path: `/admin/entries/location_services/${inTown}/reset`,
        logs: {
          ...{ action: 'entry.reset', subject: `entry ${inTown}` },
          summary: `Reset ${slug}/${town.slug} to its service's texts`,
        },
        changes: changed('content_entries', inTown),
      }
    },
  },
  {
    route: '/admin/entries/[type]/status',
    does: 'makes drafts of the chosen entries',
    async arrange(scene) {
      const { pageIds, slugs } = await pagesOf(scene)
      const fields = { ids: [String(pageIds[0])], status: 'draft' }
      return {
        ...{ path: '/admin/entries/pages/status', fields },
        logs: {
          action: 'entries.draft',
          subject: `content_type ${await idOfType(scene.app.db, 'pages')}`,
          summary: `Made drafts of 1 of Pages: ${slugs[0]}`,
        },
        changes: changed('content_entries', pageIds[0]),
      }
    },
  },
  {
    route: '/admin/entries/[type]/status',
    does: 'publishes the chosen entries',
    async arrange(scene) {
      const { pageIds, slugs } = await pagesOf(scene)
      const { db } = scene.app
      await db.updateTable('content_entries').set({ status: 'draft' }).where('id', 'in', pageIds).execute()
      const fields = { ids: [String(pageIds[0])], status: 'published' }
      return {
        ...{ path: '/admin/entries/pages/status', fields },
        logs: {
          action: 'entries.published',
          subject: `content_type ${await idOfType(db, 'pages')}`,
          summary: `Published 1 of Pages: ${slugs[0]}`,
        },
        changes: changed('content_entries', pageIds[0]),
      }
    },
  },
  {
    route: '/admin/entries/[type]/preview',
    does: 'shows an entry as it is typed',
    unlogged: 'It is a look at the page: nothing is stored.',
    async arrange(scene) {
      const { pageIds, slugs } = await pagesOf(scene)
      const fields = {
        title: 'Typed',
        slug: slugs[0] as string,
        status: 'published',
        entry_id: String(pageIds[0]),
      }
      return { path: '/admin/entries/pages/preview', fields, changes: [] }
    },
  },
  {
    route: '/admin/coverage/offers',
    does: 'takes a service out of a place',
    async arrange(scene) {
      const { services, city } = await servicesOf(scene)
      const [{ id, slug, inCity }] = services
      const question = new URLSearchParams({
        change: 'remove',
        reach: 'place',
        place: city.slug,
        service: String(id),
      })
      return {
        path: `/admin/coverage/offers?${question}`,
        logs: {
          ...{ action: 'offers.changed', subject: `term ${city.id}` },
          summary: `Take ${slug} out of ${nameOf(city.slug)}: 0 pages appear and 1 go`,
        },
        changes: [...changed('content_entries', id), ...removed('content_entries', inCity)],
      }
    },
  },
  {
    route: '/admin/coverage/offers',
    does: 'offers a service in one more place',
    async arrange(scene) {
      const { services, state } = await servicesOf(scene)
      const [{ id, slug }] = services
      const question = new URLSearchParams({
        ...{ change: 'add', reach: 'place', place: state.slug, service: String(id) },
      })
      return {
        path: `/admin/coverage/offers?${question}`,
        logs: {
          ...{ action: 'offers.changed', subject: `term ${state.id}` },
          summary: `Offer ${slug} in ${nameOf(state.slug)}: 1 page appears and 0 go`,
        },
        changes: [...changed('content_entries', id), ...added('content_entries')],
      }
    },
  },
  {
    route: '/admin/content-types/new',
    does: 'adds a content type',
    arrange: async ({ name }) => ({
      path: '/admin/content-types/new',
      fields: { ...TYPE, ...YEAR, slug: `${name}-new`, route_pattern: `/${name}-new/{slug}` },
      logs: {
        ...{ action: 'content_type.added', subject: 'content_type new' },
        summary: 'Added the content type Cases',
      },
      changes: added('content_types'),
    }),
  },
  {
    route: '/admin/content-types/[type]',
    does: 'changes a content type',
    async arrange(scene) {
      const { slug, id } = await typeOf(scene)
      return {
        path: `/admin/content-types/${slug}`,
        fields: { ...TYPE, ...YEAR, name: 'Works', slug, route_pattern: `/${slug}/{slug}` },
        logs: {
          ...{ action: 'content_type.changed', subject: `content_type ${id}` },
          summary: 'Changed the content type Works',
        },
        changes: changed('content_types', id),
      }
    },
  },
  {
    route: '/admin/content-types/[type]/removal',
    does: 'deletes a content type with its entries',
    async arrange(scene) {
      const { slug, id, entryIds } = await typeOf(scene)
      return {
        path: `/admin/content-types/${slug}/removal`,
        logs: {
          ...{ action: 'content_type.deleted', subject: `content_type ${id}` },
          summary: 'Deleted the content type Cases',
        },
        changes: [...removed('content_types', id), ...removed('content_entries', ...entryIds)],
      }
    },
  },
]
