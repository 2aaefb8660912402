import { nameOf } from '#tests/support/small-site.ts'
import { storeContentType, storeServices } from '#tests/support/stored/content.ts'
import { added, changed, removed, type Scene, type Write } from './write.ts'

const servicesOf = ({ app, name }: Scene) => storeServices(app, name)
const typeOf = ({ app, name }: Scene) => storeContentType(app, name)

const TYPE = { name: 'Cases', is_routable: 'on', sort_order: '50' }
const YEAR = { 'fields.0.key': 'year', 'fields.0.label': 'Year', 'fields.0.type': 'text' }

export const CONTENT_WRITES: Write[] = [
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
          summary: `Remove ${slug} from ${nameOf(city.slug)}: 1 page removed`,
        },
        changes: [
          ...changed('content_entries', id),
          ...added('content_versions', 2),
          ...removed('content_entries', inCity),
          ...added('removed_local_pages'),
        ],
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
          summary: `Offer ${slug} in ${nameOf(state.slug)}: 1 page added`,
        },
        changes: [
          ...changed('content_entries', id),
          ...added('content_versions', 2),
          ...added('content_entries'),
        ],
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
