import { editTerm } from '#src/entries/terms/change-terms.ts'
import { deleteTerm } from '#src/entries/terms/delete-term.ts'
import { termSubject } from '#src/taxonomies/record-term.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { listVersions } from '#src/versions/version-store.ts'
import { nameOf } from '#tests/support/small-site.ts'
import { storePages, storeServices } from '#tests/support/stored/content.ts'
import { added, changed, removed, type Scene, type Write } from './write.ts'

const LOCATIONS = '/admin/taxonomies/locations'

const topicsOf = ({ app, name }: Scene) => storePages(app, name)
const placesOf = ({ app, name }: Scene) => storeServices(app, name)

export const TERM_WRITES: Write[] = [
  {
    route: '/admin/taxonomies/new',
    does: 'adds a taxonomy',
    arrange: async ({ name }) => ({
      path: '/admin/taxonomies/new',
      fields: { name: 'Brands', slug: `${name}-brands`, applies: 'all', sort_order: '100' },
      logs: {
        action: 'taxonomy.added',
        subject: 'taxonomy new',
        summary: 'Created the category list Brands',
      },
      changes: added('taxonomies'),
    }),
  },
  {
    route: '/admin/taxonomies/[slug]/settings',
    does: 'changes a taxonomy',
    async arrange(scene) {
      const { taxonomy, taxonomyId } = await topicsOf(scene)
      return {
        path: `/admin/taxonomies/${taxonomy}/settings`,
        fields: { name: 'Themes', applies: 'all', sort_order: '100' },
        logs: {
          ...{ action: 'taxonomy.changed', subject: `taxonomy ${taxonomyId}` },
          summary: 'Changed the category list Themes',
        },
        changes: changed('taxonomies', taxonomyId),
      }
    },
  },
  {
    route: '/admin/taxonomies/[slug]/removal',
    does: 'deletes a taxonomy with its terms',
    async arrange(scene) {
      const { taxonomy, taxonomyId, termIds, pageIds } = await topicsOf(scene)
      const links = pageIds.flatMap((page) => termIds.map((term) => `${page} ${term}`))
      return {
        path: `/admin/taxonomies/${taxonomy}/removal`,
        logs: {
          ...{ action: 'taxonomy.deleted', subject: `taxonomy ${taxonomyId}` },
          summary: 'Deleted the category list Topics',
        },
        changes: [
          ...removed('taxonomies', taxonomyId),
          ...removed('taxonomy_terms', ...termIds),
          ...removed('entry_taxonomy_terms', ...links),
        ],
      }
    },
  },
  {
    route: '/admin/taxonomies/[slug]/moves',
    does: 'moves a term among its neighbors',
    async arrange(scene) {
      const { taxonomy, termIds } = await topicsOf(scene)
      const path = `/admin/taxonomies/${taxonomy}`
      return {
        ...{ path: `${path}/moves`, fields: { back: path, step: `down:${termIds[0]}` } },
        logs: { action: 'term.moved', subject: `term ${termIds[0]}`, summary: 'Moved the category Cooling' },
        changes: changed('taxonomy_terms', ...termIds),
      }
    },
  },
  {
    route: '/admin/taxonomies/[slug]/terms/new',
    does: 'adds terms',
    async arrange(scene) {
      const { taxonomy, taxonomyId } = await topicsOf(scene)
      return {
        path: `/admin/taxonomies/${taxonomy}/terms/new`,
        fields: { list: 'Drying\nAiring', act: 'add' },
        logs: {
          ...{ action: 'terms.added', subject: `taxonomy ${taxonomyId}` },
          summary: 'Added 2 categories to Topics',
        },
        changes: [...added('taxonomy_terms', 2), ...added('content_versions', 2)],
      }
    },
  },
  {
    route: '/admin/taxonomies/[slug]/terms/new',
    does: 'shows what terms a list would add',
    unlogged: 'Nothing is stored.',
    async arrange(scene) {
      const { taxonomy } = await topicsOf(scene)
      const fields = { list: 'Drying', act: 'preview' }
      return { path: `/admin/taxonomies/${taxonomy}/terms/new`, fields, changes: [] }
    },
  },
  {
    route: '/admin/taxonomies/[slug]/terms/[id]',
    does: 'changes a term',
    async arrange(scene) {
      const { taxonomy, termIds } = await topicsOf(scene)
      return {
        path: `/admin/taxonomies/${taxonomy}/terms/${termIds[0]}`,
        fields: { name: 'Cooling', slug: 'cooling', description: 'Cold air' },
        logs: {
          action: 'term.changed',
          subject: `term ${termIds[0]}`,
          summary: 'Changed the category Cooling',
        },
        changes: [...changed('taxonomy_terms', termIds[0]), ...added('content_versions', 2)],
      }
    },
  },
  {
    route: '/admin/taxonomies/[slug]/terms/[id]/services',
    does: 'chooses the services of a place',
    async arrange(scene) {
      const { city, services } = await placesOf(scene)
      const [ducts, vents] = services
      return {
        path: `${LOCATIONS}/terms/${city.id}/services`,
        fields: { 'services[]': String(vents.id) },
        logs: {
          ...{ action: 'offers.changed', subject: `term ${city.id}` },
          summary: `Changed the services in ${nameOf(city.slug)}`,
        },
        changes: [
          ...changed('content_entries', ducts.id),
          ...added('content_versions', 2),
          ...removed('content_entries', ducts.inCity),
          ...added('removed_local_pages'),
        ],
      }
    },
  },
  {
    route: '/admin/taxonomies/[slug]/terms/[id]',
    does: 'gives a place another slug, which its pages and services follow',
    async arrange(scene) {
      const { city, state, services } = await placesOf(scene)
      const fields = {
        name: nameOf(city.slug),
        slug: `${scene.name}-dallas`,
        parent: state.slug,
        moves_addresses: 'on',
      }
      return {
        ...{ path: `${LOCATIONS}/terms/${city.id}`, fields },
        logs: {
          action: 'term.changed',
          subject: `term ${city.id}`,
          summary: `Changed the place ${nameOf(city.slug)}`,
        },
        changes: [
          ...changed('taxonomy_terms', city.id),
          ...changed('content_entries', ...services.flatMap(({ id, inCity }) => [id, inCity])),
          ...added('former_names'),
          ...added('content_versions', 6),
        ],
      }
    },
  },
  {
    route: '/admin/taxonomies/[slug]/terms/[id]/removal',
    does: 'deletes a term',
    async arrange(scene) {
      const { taxonomy, termIds, pageIds } = await topicsOf(scene)
      const [id] = termIds
      return {
        path: `/admin/taxonomies/${taxonomy}/terms/${id}/removal`,
        logs: { action: 'term.deleted', subject: `term ${id}`, summary: 'Deleted the category Cooling' },
        changes: [
          ...added('content_trash'),
          ...removed('taxonomy_terms', id),
          ...removed('entry_taxonomy_terms', ...pageIds.map((page) => `${page} ${id}`)),
        ],
      }
    },
  },
  {
    route: '/admin/taxonomies/[slug]/terms/[id]/removal',
    does: 'deletes a place with the places and pages in it',
    async arrange(scene) {
      const { state, city, town, services } = await placesOf(scene)
      const pages = services.flatMap(({ inCity, inTown }) => [inCity, inTown])
      return {
        path: `${LOCATIONS}/terms/${state.id}/removal`,
        logs: {
          ...{ action: 'term.deleted', subject: `term ${state.id}` },
          summary: `Deleted the place ${nameOf(state.slug)} and 2 places inside`,
        },
        changes: [
          ...added('content_trash'),
          ...removed('taxonomy_terms', state.id, city.id, town.id),
          ...removed('content_entries', ...pages),
        ],
      }
    },
  },
  {
    route: '/admin/trash/[id]/restoration',
    does: 'takes a category out of the trash',
    async arrange(scene) {
      const { taxonomy, termIds, pageIds } = await topicsOf(scene)
      const id = termIds[0] as number
      await deleteTerm(scene.app.db, taxonomy, id, { now: new Date() })
      const [trashed] = await listTrash(scene.app.db, { limit: 1 })
      return {
        path: `/admin/trash/${trashed?.id}/restoration`,
        logs: {
          ...{ action: 'term.undeleted', subject: `term ${id}` },
          summary: 'Restored the category “Cooling” from the trash',
        },
        changes: [
          ...removed('content_trash', trashed?.id),
          ...added('taxonomy_terms'),
          ...added('entry_taxonomy_terms', pageIds.length),
        ],
      }
    },
  },
  {
    route: '/admin/taxonomies/[slug]/terms/[id]/versions/[version]',
    does: 'restores a version of a category',
    async arrange(scene) {
      const { taxonomy, termIds } = await topicsOf(scene)
      const { db } = scene.app
      const id = termIds[0] as number
      const edit = { name: 'Cooling', slug: 'cooling', description: 'Cold air', parentId: null }
      await editTerm(db, taxonomy, { termId: id, edit }, { now: new Date() })
      const [, first] = await listVersions(db, termSubject(id), { limit: 2 })
      return {
        path: `/admin/taxonomies/${taxonomy}/terms/${id}/versions/${first?.id}`,
        logs: {
          ...{ action: 'term.restored', subject: `term ${id}` },
          summary: 'Restored a version of the category Cooling',
        },
        changes: [...changed('taxonomy_terms', id), ...added('content_versions')],
      }
    },
  },
]
