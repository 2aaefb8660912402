import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { listEntries } from '#src/entries/entry-store.ts'
import { toSnapshot } from '#src/entries/history/entry-snapshot.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { keepDraft } from '#src/versions/keep-version.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { findDraft } from '#src/versions/version-store.ts'
import { idOfType, storePages, storeServices } from '#tests/support/stored/content.ts'
import { added, changed, removed, type Scene, type Write } from './write.ts'

const pagesOf = ({ app, name }: Scene) => storePages(app, name)
const servicesOf = ({ app, name }: Scene) => storeServices(app, name)

/** A page with a draft that has another title. */
async function storeDraft(scene: Scene) {
  const { pageIds, termIds, slugs } = await pagesOf(scene)
  const [id, slug] = [pageIds[0] as number, slugs[0] as string]
  const entry = await findEntryById(scene.app.db, id)
  const after = entry && toSnapshot({ ...entry, title: 'Next' }, termIds)
  await keepDraft(
    scene.app.db,
    entrySubject(id),
    { before: undefined, after },
    { now: new Date().toISOString() },
  )
  const draft = await findDraft(scene.app.db, entrySubject(id))
  return { id, slug, version: draft?.version.id ?? 0 }
}

export const ENTRY_WRITES: Write[] = [
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
        logs: { action: 'entry.added', subject: 'entry new', summary: 'Added “New” to Pages' },
        changes: [
          ...added('content_entries'),
          ...added('content_versions'),
          ...added('entry_taxonomy_terms', 2),
        ],
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
        logs: { action: 'entry.changed', subject: `entry ${id}`, summary: 'Changed “Changed” in Pages' },
        changes: [
          ...changed('content_entries', id),
          ...added('content_versions', 2),
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
        logs: { action: 'entry.changed', subject: `entry ${id}`, summary: `Changed “${slug}” in Services` },
        changes: [
          ...changed('content_entries', id, inCity, inTown, testimonialId),
          ...added('content_versions', 4),
          ...added('former_names'),
        ],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]',
    does: 'saves a draft of a page, which stays as it is',
    async arrange(scene) {
      const { pageIds, slugs } = await pagesOf(scene)
      const [id] = pageIds
      const fields = { title: 'Next', slug: slugs[0] as string, status: 'published', act: 'draft' }
      return {
        ...{ path: `/admin/entries/pages/${id}`, fields },
        logs: {
          ...{ action: 'entry.draft_saved', subject: `entry ${id}` },
          summary: `Saved a draft of “Title of ${slugs[0]}” in Pages`,
        },
        changes: added('content_versions', 2),
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/draft',
    does: 'discards the draft of a page',
    async arrange(scene) {
      const { id, slug, version } = await storeDraft(scene)
      return {
        path: `/admin/entries/pages/${id}/draft`,
        fields: { act: 'discard', version: String(version) },
        logs: {
          ...{ action: 'entry.draft_discarded', subject: `entry ${id}` },
          summary: `Discarded the draft of “Title of ${slug}” in Pages`,
        },
        changes: changed('content_versions', version),
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/draft',
    does: 'uses the draft of a page',
    async arrange(scene) {
      const { id, slug, version } = await storeDraft(scene)
      return {
        path: `/admin/entries/pages/${id}/draft`,
        fields: { act: 'use', version: String(version) },
        logs: {
          ...{ action: 'entry.draft_used', subject: `entry ${id}` },
          summary: `Added a draft to the next publish: “Title of ${slug}” in Pages`,
        },
        changes: [
          ...changed('content_entries', id),
          ...changed('content_versions', version),
          ...added('content_versions', 2),
        ],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/versions/[version]',
    does: 'restores a version of a page',
    async arrange(scene) {
      const { id, slug, version } = await storeDraft(scene)
      return {
        path: `/admin/entries/pages/${id}/versions/${version}`,
        logs: {
          ...{ action: 'entry.restored', subject: `entry ${id}` },
          summary: `Restored a version of “Title of ${slug}” in Pages`,
        },
        changes: [
          ...changed('content_entries', id),
          ...changed('content_versions', version),
          ...added('content_versions', 2),
        ],
      }
    },
  },
  {
    route: '/admin/entries/[type]/order',
    does: 'moves a service to the top',
    async arrange(scene) {
      await servicesOf(scene)
      const typeId = await idOfType(scene.app.db, 'services')
      const services = await listEntries(scene.app.db, typeId)
      const all = services.map(({ id }) => String(id)).toReversed()
      // The last one needs no number to come last.
      const numbered = all.slice(0, -1).map(Number)
      const kept = await scene.app.db
        .selectFrom('content_versions')
        .select('subject_id')
        .distinct()
        .where('subject_kind', '=', 'entry')
        .where('subject_id', 'in', numbered)
        .execute()
      return {
        path: '/admin/entries/services/order',
        fields: { 'order.all': all, 'order.place': all.map((_, index) => String(index)) },
        logs: {
          ...{ action: 'entries.ordered', subject: `content_type ${typeId}` },
          summary: 'Changed the order of Services',
        },
        changes: [
          ...changed('content_entries', ...numbered),
          // What one said before is kept with it, unless a version says so already.
          ...added('content_versions', 2 * numbered.length - kept.length),
        ],
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
          summary: `Deleted “Title of ${slugs[0]}” from Pages`,
        },
        changes: [
          ...added('content_trash'),
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
        logs: { action: 'entry.deleted', subject: `entry ${id}`, summary: `Deleted “${slug}” from Services` },
        changes: [
          ...added('content_trash'),
          ...removed('content_entries', id, inCity, inTown),
          ...changed('content_entries', testimonialId),
          ...added('content_versions', 2),
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
        logs: { action: 'entry.deleted', subject: `entry ${id}`, summary: 'Deleted “Ada” from Reviews' },
        changes: [
          ...added('content_trash'),
          ...removed('content_entries', id),
          ...changed('content_entries', inTown),
          ...added('content_versions', 2),
        ],
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
          summary: `Deleted “${slug} in town” from Local pages`,
        },
        changes: [
          ...added('content_trash'),
          ...removed('content_entries', inTown),
          ...changed('content_entries', id),
          ...added('content_versions', 2),
        ],
      }
    },
  },
  {
    route: '/admin/trash/[id]/restoration',
    does: 'takes a page out of the trash',
    async arrange(scene) {
      const { pageIds, termIds, slugs } = await pagesOf(scene)
      const id = pageIds[0] as number
      await deleteEntry(scene.app.db, id, { now: new Date() })
      const [trashed] = await listTrash(scene.app.db, { limit: 1 })
      return {
        path: `/admin/trash/${trashed?.id}/restoration`,
        logs: {
          ...{ action: 'entry.undeleted', subject: `entry ${id}` },
          summary: `Restored the page “Title of ${slugs[0]}” from the trash`,
        },
        changes: [
          ...removed('content_trash', trashed?.id),
          ...added('content_entries'),
          ...added('entry_taxonomy_terms', termIds.length),
        ],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/schedule',
    does: 'makes a scheduled page a draft again',
    async arrange(scene) {
      const { pageIds, slugs } = await pagesOf(scene)
      const [id = 0] = pageIds
      const publishAt = { publish_at: '2999-01-01T09:00:00.000Z' }
      await scene.app.db.updateTable('content_entries').set(publishAt).where('id', 'in', pageIds).execute()
      return {
        path: `/admin/entries/pages/${id}/schedule`,
        logs: {
          ...{ action: 'entry.changed', subject: `entry ${id}` },
          summary: `Canceled the schedule for “Title of ${slugs[0]}” in Pages`,
        },
        changes: [...changed('content_entries', id), ...added('content_versions', 2)],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/reset',
    does: 'takes away what a page has of its own',
    async arrange(scene) {
      const { services } = await servicesOf(scene)
      const [{ slug, inTown }] = services
      return {
        path: `/admin/entries/location_services/${inTown}/reset`,
        logs: {
          ...{ action: 'entry.reset', subject: `entry ${inTown}` },
          summary: `Reset “${slug} in town” to the service’s text`,
        },
        changes: [...changed('content_entries', inTown), ...added('content_versions', 2)],
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
          summary: `Unpublished 1 entry in Pages: Title of ${slugs[0]}`,
        },
        changes: [...changed('content_entries', pageIds[0]), ...added('content_versions', 2)],
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
          summary: `Published 1 entry in Pages: Title of ${slugs[0]}`,
        },
        changes: [...changed('content_entries', pageIds[0]), ...added('content_versions', 2)],
      }
    },
  },
  {
    route: '/admin/entries/[type]/[id]/editors',
    does: 'notes who has the editor open',
    unlogged: 'Nothing that anybody wrote changes.',
    async arrange(scene) {
      const { pageIds } = await pagesOf(scene)
      const path = `/admin/entries/pages/${pageIds[0]}/editors`
      return { path, fields: { act: 'open' }, changes: added('entry_editors') }
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
]
