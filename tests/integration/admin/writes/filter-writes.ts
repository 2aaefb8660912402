import { insertSavedFilter } from '#src/submissions/inbox/saved-filter-store.ts'
import { added, changed, removed, type Scene, type Write } from './write.ts'

export const FILTER_WRITES: Write[] = [
  {
    route: '/admin/inbox/filters/new',
    does: 'saves a filter',
    arrange: async ({ name }) => ({
      ...{ path: '/admin/inbox/filters/new?status=new&stage=won', fields: { name } },
      logs: { action: 'filter.added', subject: 'filter new', summary: `Saved the inbox filter “${name}”` },
      changes: added('saved_filters'),
    }),
  },
  {
    route: '/admin/inbox/filters/[id]',
    does: 'renames and shares a filter',
    async arrange(scene) {
      const id = await storeFilters(scene)
      const name = `${scene.name} again`
      return {
        ...{ path: `/admin/inbox/filters/${id}`, fields: { name, shared: 'on' } },
        logs: {
          ...{ action: 'filter.changed', subject: `filter ${id}` },
          summary: `Changed the inbox filter “${name}”`,
        },
        changes: changed('saved_filters', id),
      }
    },
  },
  {
    route: '/admin/inbox/filters/[id]/removal',
    does: 'deletes a filter',
    async arrange(scene) {
      const id = await storeFilters(scene)
      return {
        path: `/admin/inbox/filters/${id}/removal`,
        logs: {
          ...{ action: 'filter.deleted', subject: `filter ${id}` },
          summary: `Deleted the inbox filter “${scene.name}”`,
        },
        changes: removed('saved_filters', id),
      }
    },
  },
]

// Two of the same name: only one of them is meant.
async function storeFilters({ app: { db }, actor, name }: Scene): Promise<number> {
  const filter = { name, isShared: false, parameters: { stage: 'won' } }
  const id = await insertSavedFilter(db, actor.id, filter)
  await insertSavedFilter(db, actor.id, filter)
  return id
}
