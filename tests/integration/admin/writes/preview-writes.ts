import type { App } from '#src/app.ts'
import { approvePreview, findPreview } from '#src/publish/previews/preview-store.ts'
import { waitFor } from '#tests/support/running-site.ts'
import { addEntry } from '#tests/support/small-site.ts'
import { publishAll } from './site-writes.ts'
import { added, changed, type Write } from './write.ts'

export const PREVIEW_WRITES: Write[] = [
  {
    route: '/admin/publish/previews',
    does: 'makes a preview link',
    async arrange({ app, name }) {
      await publishAll(app)
      await addEntry(app.db, 'pages', { slug: name, title: 'New' })
      return {
        path: '/admin/publish/previews',
        logs: { action: 'preview.made', subject: 'preview new', summary: 'Created a preview link' },
        changes: added('publish_previews'),
      }
    },
  },
  {
    route: '/admin/publish/previews/[id]/removal',
    does: 'ends a preview link',
    async arrange({ app, name }) {
      const id = await storePreview(app, name)
      return {
        path: `/admin/publish/previews/${id}/removal`,
        logs: { action: 'preview.ended', subject: `preview ${id}`, summary: 'Ended a preview link' },
        changes: changed('publish_previews', id),
      }
    },
  },
  {
    route: '/admin/publish/previews/[id]/publish',
    does: 'publishes the approved pages',
    async arrange({ app, name }) {
      const id = await storePreview(app, name)
      await approvePreview(app.db, id, { name: 'Cleo', note: '', now: new Date() })
      return {
        path: `/admin/publish/previews/${id}/publish`,
        logs: {
          ...{ action: 'preview.published', subject: `preview ${id}` },
          summary: 'Published an approved preview',
        },
        changes: [...changed('publish_previews', id), ...added('publishes'), ...added('published_addresses')],
      }
    },
  },
]

/** Stores a preview of a new page. */
async function storePreview(app: App, name: string): Promise<number> {
  await publishAll(app)
  await addEntry(app.db, 'pages', { slug: name, title: 'New' })
  const { db, publishing } = app
  const { id } = await publishing.previews.make({ madeBy: 'ann@example.com', only: undefined })
  await waitFor(async () => (await findPreview(db, id))?.readyAt !== null)
  return id
}
